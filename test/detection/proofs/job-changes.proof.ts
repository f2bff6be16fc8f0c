import fc from 'fast-check';
import { inWindow, type World } from './naive-world.js';
import { accountsOf, contains, folded, matchesPersona, seniorityOf, texts } from './naive-words.js';
import { containsOne, isHeld, isOldEntry, moveFinding, movesOf, type NaiveMove } from './naive-moves.js';
import { isReported, isSocial } from './naive-narrowing.js';
import type { DetectorProof, KilledRun, NaiveFinding, NaiveLaunch, Observed } from './proof.js';
import { daysBefore, seenCompany } from './seen.js';
import { careers } from './random-careers.js';
import { companies, launchOf, maybe, one, persona } from './random-network.js';
import { samplePersona } from '#signals/detection/testing/sample-run.js';

/** Moves in the window, limited to the accounts of the launch, that are news (D-28). */
function newPositions(world: World, launch: NaiveLaunch): readonly NaiveMove[] {
  const accounts = accountsOf(launch);
  return inWindow(movesOf(world), 'observed_at', launch).filter(
    (move) =>
      (accounts === null || accounts.includes(move.current?.company_ref)) &&
      isHeld(world, move) &&
      !isOldEntry(move),
  );
}

/** D-60. */
function withOwnAnswers(launch: NaiveLaunch): NaiveLaunch {
  const { job_titles, use_other_locations, locations } = launch.parameters;
  const [titles, places] = [texts(job_titles), use_other_locations === true ? texts(locations) : []];
  return {
    ...launch,
    persona: launch.persona && {
      ...launch.persona,
      jobTitles: titles.length > 0 ? titles : launch.persona.jobTitles,
      locations: places.length > 0 ? places : launch.persona.locations,
    },
  };
}

const isOneOf = (seniority: unknown, wanted: readonly string[]): boolean =>
  wanted.map(seniorityOf).includes(seniorityOf(seniority) ?? '?');

/** New hires and promotions in target roles. */
const inTargetRoles =
  (change: NaiveMove['change'], signalType: NaiveFinding['signalType']) =>
  (world: World, asked: NaiveLaunch): readonly NaiveFinding[] => {
    const launch = withOwnAnswers(asked);
    const wanted = texts(launch.parameters['seniority']);
    return newPositions(world, launch)
      .filter((move) => move.change === change)
      .filter(({ current }) => wanted.length === 0 || isOneOf(current.seniority, wanted))
      .filter(({ current }) => launch.persona?.jobTitles.some((title) => contains(current.title, title)))
      .filter(({ ref }) => launch.persona !== null && matchesPersona(world, ref, launch.persona))
      .map((move) => moveFinding(world, launch, move, signalType, move.current));
  };

function newExecutives(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const wanted = texts(launch.parameters['seniority']);
  const departments = texts(launch.parameters['departments']).map(folded);
  return newPositions(world, launch)
    .filter(({ current }) => isOneOf(current.seniority, wanted))
    .filter(
      ({ current }) => departments.length === 0 || departments.includes(folded(current.department ?? '?')),
    )
    .filter(({ change, previous }) => change !== 'promotion' || !isOneOf(previous?.seniority, wanted))
    .map((move) => {
      const type = move.change === 'promotion' ? 'recentlyPromoted' : 'newJob';
      return moveFinding(world, launch, move, type, move.current);
    });
}

function departures(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const left = (launch.listed?.companyRefs ?? []).filter(
    (ref) => world.known('company', ref) !== null && launch.covered.includes(ref),
  );
  return inWindow(movesOf(world), 'observed_at', launch)
    .filter(({ change, previous }) => change !== 'promotion' && left.includes(previous?.company_ref))
    .filter((move) => !isOldEntry(move))
    .filter(({ previous }) => containsOne(previous?.title, texts(launch.parameters['job_titles'])))
    .map((move) => moveFinding(world, launch, move, 'newJob', move.previous));
}

function jobUpdates(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const levels = texts(launch.parameters['seniority_levels']);
  return newPositions(world, launch)
    .filter(({ change }) => change !== 'departure')
    .filter(({ current }) => containsOne(current.title, texts(launch.parameters['job_titles'])))
    .filter(({ current }) => levels.length === 0 || isOneOf(current.seniority, levels))
    .filter(({ ref: personRef, current: position }) => {
      const company = position.company_ref;
      return isReported(world, launch, { personRef, position, company, employers: [company] });
    })
    .filter(({ ref }) => isSocial(world, launch, ref))
    .map((move) => {
      const type = move.change === 'promotion' ? 'recentlyPromoted' : 'newJob';
      return moveFinding(world, launch, move, type, move.current);
    });
}

const audiences = one(['network'], ['network'], ['covered_accounts'], ['top_accounts']) as fc.Arbitrary<
  NaiveLaunch['audiences']
>;
const job_titles = maybe(one([], ['sales'], ['cto', 'gardener'], ['VP Sales']));
const seniority = maybe(one([], ['vp', 'c_suite'], ['head', 'intern'])) as fc.Arbitrary<readonly string[]>;

/** Mostly one or two of these parameters. */
export const someOf = (parameters: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Observed> => {
  const each = Object.entries(parameters).map(([name, value]) => value.map((given) => ({ [name]: given })));
  const none = fc.constant({});
  return fc
    .tuple(fc.oneof(none, ...each), fc.oneof(none, none, ...each))
    .map(([some, more]) => ({ ...some, ...more }));
};
export const narrowed = {
  company_domains_to_scrape: one([], ['acme.example'], ['globex.example', 'no domain'], ['no domain']),
  target_persona: one([], ['sales'], ['cto', 'head']),
  target_persona_locations: one([], ['France'], ['DACH', 'Lyon']),
  interested_by: one({ customers: true }, { prospects: true }, { customers: true, prospects: true }),
  author_roles: one([], ['sales'], ['crm', 'gardener']),
  author_industries: one([], ['software']),
  target_network_profiles: one(
    [],
    ['ana', 'https://n.example/in/bo'],
    ['@cy', 'di', 'https://n.example/company/ed'],
  ),
};

const at = (company: string, title: string, facts: object = {}): object => ({
  title,
  company_ref: `c:${company}`,
  start_date: '2026-01',
  end_date: null,
  seniority: 'vp',
  ...facts,
});
/** Three people leave Globex: two to Acme, one to Initech; one is promoted there. */
export const CAREERS: KilledRun['observations'] = (now) => {
  const person = (handle: string, rev: number, ...experiences: readonly object[]): object => ({
    kind: 'person',
    ref: `p:${handle}`,
    rev,
    handle,
    first_name: handle,
    geo: { country: 'France' },
    experiences,
    observed_at: daysBefore(now, rev === 1 ? 20 : 2 - handle.length / 10),
  });
  const before = at('globex', 'Sales', { start_date: '2020', seniority: 'head' });
  const left = at('globex', 'Sales', { start_date: '2020', seniority: 'head', end_date: '2026-01' });
  return [
    ...['acme', 'globex', 'initech'].map((handle) => seenCompany(handle, { domains: [`${handle}.example`] })),
    ...['a', 'bb', 'ccc', 'dddd'].map((handle) => person(handle, 1, before)),
    person('a', 2, left, at('acme', 'VP Sales')),
    person('bb', 2, left, at('initech', 'VP Sales')),
    person('ccc', 2, left, at('acme', 'Sales VP')),
    person('dddd', 2, left, at('globex', 'VP Sales')),
  ];
};
const SALES = samplePersona();
const EUROPEANS = { ...SALES, jobTitles: ['sales', 'cto'], locations: ['Europe', 'France'] };
const move = (...handles: readonly string[]): readonly string[] =>
  handles.map((handle) => `move:p:${handle}:2`);

export const jobChangeProofs: readonly DetectorProof[] = [
  {
    kind: 'new_hire',
    random: {
      rules: 'D-18 D-24 D-26 D-28 D-60 new hires',
      network: careers,
      launch: launchOf({
        audiences,
        persona,
        parameters: fc.record({
          job_titles,
          use_other_locations: maybe(fc.boolean()),
          locations: maybe(one([], ['France'], ['Europe', 'Lyon'])),
        }),
      }),
      reference: inTargetRoles('new_company', 'newJob'),
    },
    killed: {
      title: 'of three hires one is at a covered account',
      observations: CAREERS,
      launch: { signalTypes: ['newJob'], audiences: ['network'], parameters: {}, persona: SALES },
      covered: ['c:initech'],
      finds: [move('a', 'bb', 'ccc')],
      pays: 2,
    },
  },
  {
    kind: 'promotion',
    random: {
      rules: 'D-18 D-20 D-23 D-28 D-60 promotions',
      network: careers,
      launch: launchOf({
        audiences,
        // For most personas nobody is promoted.
        persona: fc.oneof(persona, one(EUROPEANS), one(EUROPEANS)),
        parameters: fc.record({ job_titles, seniority }),
      }),
      reference: inTargetRoles('promotion', 'recentlyPromoted'),
      numRuns: 40,
      atLeast: 8,
    },
    killed: {
      title: 'one is promoted',
      observations: CAREERS,
      launch: { signalTypes: ['recentlyPromoted'], audiences: ['network'], parameters: {}, persona: SALES },
      finds: [move('dddd')],
      pays: 1,
    },
  },
  {
    kind: 'new_executive',
    random: {
      rules: 'D-09 D-23 D-28 new executives',
      network: careers,
      launch: launchOf({
        audiences,
        persona,
        parameters: fc.record({
          seniority: one(['vp', 'c_suite'], ['c_suite'], ['vp']),
          departments: maybe(one([], ['sales'])),
        }),
      }),
      reference: newExecutives,
    },
    killed: {
      title: 'of four one is not of the persona, and free',
      observations: CAREERS,
      launch: {
        signalTypes: ['newJob', 'recentlyPromoted'],
        audiences: ['network'],
        parameters: { seniority: ['vp'] },
        persona: { ...SALES, jobTitles: ['vp sales'] },
      },
      finds: [move('a', 'bb', 'ccc', 'dddd')],
      pays: 3,
    },
  },
  {
    kind: 'contact_departure',
    random: {
      rules: 'D-16 D-26 D-28 D-32 contacts who leave',
      network: careers,
      launch: launchOf({
        audiences: fc.constant(['list_members', 'covered_accounts']),
        persona,
        listed: companies.map((companyRefs) => ({ companyRefs, personRefs: [] })),
        parameters: fc.record({ job_titles }),
      }),
      reference: departures,
    },
    killed: {
      title: 'three leave a covered customer',
      observations: CAREERS,
      launch: {
        signalTypes: ['newJob'],
        audiences: ['list_members', 'covered_accounts'],
        parameters: {},
        persona: SALES,
      },
      list: { type: 'customer', handles: ['globex', 'acme'] },
      covered: ['c:globex'],
      finds: [move('a', 'bb', 'ccc')],
      pays: 0,
    },
  },
  {
    kind: 'job_update',
    random: {
      rules: 'D-11 D-13 D-22 D-61 job updates',
      network: careers,
      launch: launchOf({
        audiences: fc.constant(['top_accounts']),
        covered: fc.constant([]),
        customers: fc.subarray(['c:acme', 'c:globex']),
        parameters: someOf({
          ...narrowed,
          job_titles: one([], ['sales'], ['VP Sales']),
          seniority_levels: one([], ['VP', 'c suite'], ['Wizard']),
          keywords_for_social_detection: one([], ['crm'], ['sales', 'weather']),
        }),
      }),
      reference: jobUpdates,
    },
    killed: {
      title: 'of four two are at a top account and mention a word',
      observations: (now) => [
        ...CAREERS(now),
        ...['a', 'ccc', 'dddd'].map((handle) => ({
          kind: 'post',
          ref: `post:${handle}`,
          author_ref: `p:${handle}`,
          text: 'Our CRM',
          published_at: daysBefore(now, 3),
        })),
      ],
      launch: {
        signalTypes: ['newJob', 'recentlyPromoted'],
        audiences: ['top_accounts'],
        parameters: { keywords_for_social_detection: ['crm'] },
      },
      topAccounts: ['c:acme', 'c:initech'],
      finds: [move('a', 'ccc')],
      pays: 2,
    },
  },
];
