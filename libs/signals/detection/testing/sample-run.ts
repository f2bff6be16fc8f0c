import type { CompanyFacts, NetworkDirectory, PersonFacts } from '#network/network-directory.port.js';
import type { NetworkSource } from '#network/network-source.port.js';
import type { CompanyLocation } from '#network/observation.js';
import type { LaunchPersona } from '#signals/domain/launches/launch.events.js';
import type { UnreadRun } from '#signals/detection/detector.js';
import { offlineResearcher } from '#signals/detection/research/offline-researcher.js';
import type { Watched } from '#signals/detection/watched.js';

/** The facts that a spec sets; the default is a run over everybody's posts on an empty network. */
export type SampleRun = Partial<Omit<UnreadRun, 'source' | 'directory' | 'watched'>> & {
  readonly source?: Partial<NetworkSource>;
  readonly directory?: Partial<NetworkDirectory>;
  readonly watched?: Partial<Watched>;
};

/**
 * A run for the specs of detectors. A query for which the spec gives no answer rejects, so that an unexpected query
 * fails the spec.
 */
export function sampleRun({ source = {}, directory = {}, watched = {}, ...run }: SampleRun = {}): UnreadRun {
  return {
    now: new Date('2026-01-05T10:00:00.000Z'),
    lookbackDays: 90,
    liveAfter: null,
    direction: 'single',
    trigger: 'manual',
    workspaceId: 1,
    templateKey: null,
    signalTypes: ['keywordDetection'],
    parameters: {},
    persona: null,
    targetTitles: null,
    known: async () => new Set(),
    checkedAfter: async () => new Set(),
    surfacedBefore: async () => new Set(),
    previousEnd: async () => null,
    dry: false,
    researcher: offlineResearcher,
    signal: new AbortController().signal,
    ...run,
    source: answering<NetworkSource>('source', source),
    directory: answering<NetworkDirectory>('directory', { companies: async () => new Map(), ...directory }),
    watched: {
      members: async () => null,
      colleagues: async () => new Set(),
      topAccounts: async () => [],
      covered: async () => new Set(),
      accounts: async () => null,
      enabled: async (companies) => companies,
      onCustomerLists: async () => new Set(),
      people: async () => [],
      ...watched,
    },
  };
}

/** A port with only the given members. */
function answering<Port extends object>(name: string, given: Partial<Port>): Port {
  return new Proxy(given as Port, {
    get: (target, method) =>
      Reflect.get(target, method) ??
      (async () => Promise.reject(new Error(`${name}.${String(method)} was not expected`))),
  });
}

/** A company with few known facts; its handle is the name in its ref (`c:acme`). */
export function sampleCompany({
  ref,
  ...facts
}: Partial<CompanyFacts> & { readonly ref: string }): CompanyFacts {
  return {
    ref,
    rev: 1,
    handle: ref.slice(2),
    networkUrl: null,
    domains: [],
    name: null,
    industry: null,
    employees: null,
    employeeRange: null,
    foundedYear: null,
    tagline: null,
    activitySummary: null,
    logoUrl: null,
    locations: [],
    ...facts,
  };
}

/** A place of a company of which only these facts are known. */
export const sampleLocation = (facts: Partial<CompanyLocation>): CompanyLocation => ({
  isHq: false,
  city: null,
  region: null,
  state: null,
  country: null,
  countryCode: null,
  postalCode: null,
  line1: null,
  line2: null,
  formattedAddress: null,
  latitude: null,
  longitude: null,
  ...facts,
});

/** A persona of sales people in France. */
export const samplePersona = (facts: Partial<LaunchPersona> = {}): LaunchPersona => ({
  personaId: 1,
  jobTitles: ['sales'],
  excludeJobTitles: [],
  locations: ['France'],
  seniorities: [],
  headcounts: [],
  industries: [],
  ...facts,
});

export type SamplePerson = {
  /** `p:ana`: the handle is the name in it. */
  readonly ref: string;
  readonly title: string | null;
  /** null: the person has no current position. */
  readonly companyRef: string | null;
  readonly country?: string;
};

/** A person with a current position and few other facts. */
export function samplePerson({ ref, title, companyRef, country }: SamplePerson): PersonFacts {
  const handle = ref.slice(2);
  const current = companyRef === null ? null : { ...POSITION, title, companyRef };
  return {
    ref,
    rev: 1,
    handle,
    networkUrl: `https://www.network.example/in/${handle}`,
    firstName: handle,
    lastName: null,
    fullName: handle,
    headline: null,
    about: null,
    avatarUrl: null,
    email: null,
    phone: null,
    geo: country === undefined ? null : { city: null, region: null, country, countryCode: null },
    experiences: current === null ? [] : [current],
    current,
    observedAt: null,
  };
}

const POSITION = {
  companyName: null,
  startDate: '2024-03',
  endDate: null,
  department: null,
  seniority: null,
  location: null,
};
