import type { NetworkEntity, NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { ReadingOf } from './network-source.port.js';
import type { CompanyObservation, Experience, PersonObservation } from './observation.js';

/** A company as last observed on the network, its headquarters before its other locations. */
export type CompanyFacts = Omit<CompanyObservation, 'kind'> & { readonly networkUrl: string | null };

/** A person as last observed on the network. */
export type PersonFacts = Omit<PersonObservation, 'kind'> & {
  readonly networkUrl: string | null;
  /** First and last name, null if neither is known. */
  readonly fullName: string | null;
  /** The open experience with the latest start (OP-70). */
  readonly current: Experience | null;
  /**
   * The reading that showed the revision (SRC-07), if people were queried by ref; absent if it was ingested from a
   * stream.
   */
  readonly reading?: NonNullable<ReadingOf>;
};

/**
 * The result of looking up an identifier (OP-10). `missing`: the network knows that it does not exist. `unknown`: not
 * observed. `wrong_kind`: it is a person and a company was requested, or the other way round.
 */
export type Resolution<Facts> =
  | { readonly outcome: 'found'; readonly facts: Facts }
  | { readonly outcome: 'ambiguous'; readonly refs: readonly string[] }
  | { readonly outcome: 'wrong_kind'; readonly actual: NetworkEntity }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'unknown' };

/**
 * Looks up people and companies of the network, many at once, so that a list of thousands needs few round trips.
 * Errors: every method rejects with `StoreUnavailable` or `StoreUnusable` as the event store does.
 */
export interface NetworkDirectory {
  /** One answer for each identifier, in the requested order. */
  resolveCompanies(identifiers: readonly NetworkIdentifier[]): Promise<readonly Resolution<CompanyFacts>[]>;
  /** One answer for each identifier, in the requested order. A domain is never a person: `wrong_kind`. */
  resolvePeople(identifiers: readonly NetworkIdentifier[]): Promise<readonly Resolution<PersonFacts>[]>;
  /** By ref; unknown ones are left out. */
  companies(refs: readonly string[]): Promise<ReadonlyMap<string, CompanyFacts>>;
  /** By ref; unknown ones are left out. */
  people(refs: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>;
  /** People with this current company (OP-70), by ref, after `afterRef`. */
  employees(companyRef: string, afterRef: string | null, limit: number): Promise<readonly PersonFacts[]>;
  /** All companies by ref, after `afterRef`. */
  companiesByRef(afterRef: string | null, limit: number): Promise<readonly CompanyFacts[]>;
  /**
   * When a source about each of these refs was last read (SRC-07), in product time, in milliseconds; other refs are
   * left out.
   */
  lastReads(refs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * A number that grows whenever the network learns facts about companies, people, shared domains or missing
   * entities. A look-up that failed at n should be retried only when the number is greater than n; the retry then
   * includes the new facts.
   */
  learned(): Promise<number>;
  /** ISO country codes in which a city with this name was observed, sorted; compared case-insensitively (OP-52). */
  countryCodesOfCity(city: string): Promise<readonly string[]>;
}

/** A person or a company. */
export type KnownEntity = Pick<CompanyFacts, 'ref' | 'handle' | 'networkUrl' | 'domains' | 'name'> & {
  /** For a company; null for a person. */
  readonly logoUrl: string | null;
};

/** One answer for each identifier of people or of companies, in the requested order, in one form for both. */
export async function resolveEntities(
  directory: NetworkDirectory,
  entity: NetworkEntity,
  identifiers: readonly NetworkIdentifier[],
): Promise<readonly Resolution<KnownEntity>[]> {
  if (identifiers.length === 0) return [];
  if (entity === 'company') {
    const resolutions = await directory.resolveCompanies(identifiers);
    return resolutions.map((resolution) =>
      resolution.outcome === 'found'
        ? { outcome: 'found', facts: knownCompany(resolution.facts) }
        : resolution,
    );
  }
  const resolutions = await directory.resolvePeople(identifiers);
  return resolutions.map((resolution) =>
    resolution.outcome === 'found' ? { outcome: 'found', facts: knownPerson(resolution.facts) } : resolution,
  );
}

const knownCompany = ({ ref, handle, networkUrl, domains, name, logoUrl }: CompanyFacts): KnownEntity => ({
  ref,
  handle,
  networkUrl,
  domains,
  name,
  logoUrl,
});

const knownPerson = ({ ref, handle, networkUrl, fullName }: PersonFacts): KnownEntity => ({
  ref,
  handle,
  networkUrl,
  domains: [],
  name: fullName,
  logoUrl: null,
});
