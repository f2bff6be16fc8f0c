import { visibleText } from '#kernel/values/blank-text.js';
import type { Key, KeyStore } from './key-reads.js';
import { knownEntities, type KnownEntities } from './known-authors.js';
import { lanePages } from './lane-pages.js';
import type {
  CompanyEventKind,
  NetworkSource,
  ObservedCompanyEvent,
  ObservedHeadcount,
  ReadingOf,
} from './network-source.port.js';
import { type CompanyEventObservation, type HeadcountObservation, happenedAtMs } from './observation.js';
import { positionOf } from './position.js';
import { iso, isShown, shownIn, windowBounds } from './text-window.js';

/** Observations about companies over time. */
export function companyReads(store: KeyStore): Pick<NetworkSource, 'headcounts' | 'companyEvents'> {
  const pageOf = lanePages(store);
  return {
    headcounts: (search) =>
      pageOf({ of: 'headcount', by: 'company' }, search.companyRefs ?? null, search, (page) =>
        observedOf<HeadcountObservation, ObservedHeadcount>(store, 'headcount', page, observedHeadcount),
      ),
    companyEvents: (search) => {
      const wanted = new Set<string | null>(search.events);
      const shown = shownIn(search);
      const lane = { of: 'company_event', by: 'company' } as const;
      const looked = { ...search, bounds: windowBounds(search) };
      return pageOf(lane, search.companyRefs ?? null, looked, (page) =>
        observedOf<CompanyEventObservation, ObservedCompanyEvent>(
          store,
          'company_event',
          page,
          (observation, { key, reading }, known) => {
            const dates = { at: key.at, ownAt: happenedAtMs(observation), closedAt: null };
            return wanted.has(observation.event) && isShown(shown, dates)
              ? observedEvent(observation, { key, reading }, known)
              : null;
          },
        ),
      );
    },
  };
}

/** The position of an observation, and the reading that showed it. */
type Seen = { readonly key: Key; readonly reading: ReadingOf };

/** The current observations of a page; an observation that was revised to another date is left out. */
async function observedOf<Observation extends HeadcountObservation | CompanyEventObservation, Observed>(
  store: KeyStore,
  kind: Observation['kind'],
  page: readonly Key[],
  observe: (observation: Observation, seen: Seen, known: KnownEntities) => Observed | null,
): Promise<readonly Observed[]> {
  const bodies = await store.bodies(
    kind,
    page.map(({ ref }) => ref),
  );
  const observed = page.flatMap((key) => {
    const body = bodies.get(key.ref);
    if (body === undefined) return [];
    const observation: Observation = JSON.parse(body.body);
    return body.at === key.at ? [{ seen: { key, reading: body.reading }, observation }] : [];
  });
  const known = await knownEntities(store, {
    companies: observed.map(({ observation }) => observation.companyRef),
  });
  return observed.flatMap(({ seen, observation }) => observe(observation, seen, known) ?? []);
}

function observedHeadcount(
  { ref, rev, companyRef, department, employees }: HeadcountObservation,
  { key, reading }: Seen,
  { company }: KnownEntities,
): ObservedHeadcount | null {
  if (companyRef === null || employees === null) return null;
  return {
    position: positionOf(key),
    reading,
    ref,
    rev,
    companyRef,
    company: company(companyRef),
    department: visibleText(department),
    employees,
    observedAt: iso(key.at),
  };
}

function observedEvent(
  { ref, rev, companyRef, event, fields, occurredAt }: CompanyEventObservation,
  { key, reading }: Seen,
  { company }: KnownEntities,
): ObservedCompanyEvent | null {
  if (companyRef === null || !isEventKind(event)) return null;
  return {
    position: positionOf(key),
    reading,
    ref,
    rev,
    event,
    companyRef,
    company: company(companyRef),
    fields,
    // The position of a renewal is its due day.
    occurredAt: occurredAt ?? (event === 'renewal_due' ? null : iso(key.at)),
  };
}

function isEventKind(event: string | null): event is CompanyEventKind {
  return event === 'funding' || event === 'location_opened' || event === 'renewal_due';
}
