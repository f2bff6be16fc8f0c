import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { MoveKind, ObservedMove } from '#network/network-source.port.js';
import type { Experience } from '#network/observation.js';
import { sampleCompany, samplePerson } from './sample-run.js';

export const globex = sampleCompany({
  ref: 'c:globex',
  name: 'Globex',
  domains: ['globex.com'],
  networkUrl: 'https://www.network.example/company/globex',
});
export const acme = sampleCompany({
  ref: 'c:acme',
  name: 'Acme',
  domains: ['acme.com'],
  networkUrl: 'https://www.network.example/company/acme',
});

/** A position; without a `companyRef` it is at Acme. */
export const samplePosition = (facts: Partial<Experience> = {}): Experience => ({
  title: 'VP Sales',
  companyRef: 'c:acme',
  companyName: 'Acme',
  startDate: '2026-01',
  endDate: null,
  department: null,
  seniority: null,
  location: null,
  ...facts,
});

export type SampleMove = {
  readonly ref: string;
  readonly change?: MoveKind;
  readonly title?: string | null;
  readonly from?: Partial<Experience> | null;
  readonly to?: Partial<Experience>;
  readonly observedAt?: string;
  /** Facts of the person that differ from the default: holds the new position, lives in France. */
  readonly person?: Partial<PersonFacts>;
  readonly currentCompany?: CompanyFacts | null;
};

/** A person who moved from Globex to Acme, was promoted there, or has left, and has not moved since. */
export function sampleMove({
  ref,
  change = 'new_company',
  title = 'VP Sales',
  ...facts
}: SampleMove): ObservedMove {
  const current = change === 'departure' ? null : samplePosition({ title, ...facts.to });
  const left =
    change === 'promotion'
      ? { endDate: '2026-01', title: 'Head of Sales' }
      : { companyRef: 'c:globex', companyName: 'Globex', endDate: '2026-01', title: 'Head of Sales' };
  const previous = facts.from === null ? null : samplePosition({ ...left, startDate: '2024', ...facts.from });
  const person = samplePerson({ ref, title: null, companyRef: null, country: 'France' });
  return {
    position: ref,
    reading: null,
    personRef: ref,
    rev: 2,
    observedAt: facts.observedAt ?? '2026-01-03T09:00:00.000Z',
    change,
    from: previous,
    previous,
    current,
    previousCompany: previous === null ? null : previous.companyRef === 'c:acme' ? acme : globex,
    currentCompany: facts.currentCompany ?? (current === null ? null : acme),
    person: { ...person, rev: 2, current, experiences: current === null ? [] : [current], ...facts.person },
  };
}
