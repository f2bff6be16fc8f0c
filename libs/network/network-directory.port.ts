import type { NetworkEntity, NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { ReadingOf } from './network-source.port.js';
import type { CompanyLocation, Experience, Geo } from './observation.js';

/** A company as last seen on the network. */
export type CompanyFacts = {
  readonly ref: string;
  readonly rev: number;
  readonly handle: string | null;
  readonly networkUrl: string | null;
  readonly domains: readonly string[];
  readonly name: string | null;
  readonly industry: string | null;
  readonly employees: number | null;
  readonly employeeRange: string | null;
  readonly foundedYear: number | null;
  readonly tagline: string | null;
  readonly activitySummary: string | null;
  readonly logoUrl: string | null;
  /** Headquarters first. */
  readonly locations: readonly CompanyLocation[];
};

/** A person as last seen on the network. */
export type PersonFacts = {
  readonly ref: string;
  readonly rev: number;
  /** Null where nobody knows the person by one (SRC-08). */
  readonly handle: string | null;
  readonly networkUrl: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** First and last name, null when neither is known. */
  readonly fullName: string | null;
  readonly headline: string | null;
  readonly about: string | null;
  readonly avatarUrl: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly geo: Geo | null;
  /** Null when nothing is known of the work history. */
  readonly experiences: readonly Experience[] | null;
  /** The open experience with the latest start (OP-70). */
  readonly current: Experience | null;
  readonly observedAt: string | null;
  /** The reading that showed the revision (SRC-07), where people were asked for by ref; absent: it was piped in. */
  readonly reading?: NonNullable<ReadingOf>;
};

/**
 * What an identifier stands for (OP-10). `missing`: the network knows that nothing is there. `unknown`: nobody
 * ever told us. `wrong_kind`: it is a person where a company was asked for, or the other way round.
 */
export type Resolution<Facts> =
  | { readonly outcome: 'found'; readonly facts: Facts }
  | { readonly outcome: 'ambiguous'; readonly refs: readonly string[] }
  | { readonly outcome: 'wrong_kind'; readonly actual: NetworkEntity }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'unknown' };

/**
 * Who is on the network: looks up people and companies. Many at once, so that a list of thousands costs few
 * trips. Errors: every method rejects with `StoreUnavailable` or `StoreUnusable` as the event store does.
 */
export interface NetworkDirectory {
  /** One answer for each identifier, in the order asked. */
  resolveCompanies(identifiers: readonly NetworkIdentifier[]): Promise<readonly Resolution<CompanyFacts>[]>;
  /** One answer for each identifier, in the order asked. A domain is never a person: `wrong_kind`. */
  resolvePeople(identifiers: readonly NetworkIdentifier[]): Promise<readonly Resolution<PersonFacts>[]>;
  /** By ref; what is not known is left out. */
  companies(refs: readonly string[]): Promise<ReadonlyMap<string, CompanyFacts>>;
  /** By ref; what is not known is left out. */
  people(refs: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>;
  /** People whose present company it is (OP-70), by ref, from after `afterRef` on. */
  employees(companyRef: string, afterRef: string | null, limit: number): Promise<readonly PersonFacts[]>;
  /** All companies by ref, from after `afterRef` on. */
  companiesByRef(afterRef: string | null, limit: number): Promise<readonly CompanyFacts[]>;
  /** When a source was last read that is about each of these refs (SRC-07), by the clock, in milliseconds; else left out. */
  lastReads(refs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * A number that grows when the network learns anything of companies, people, shared domains or what is missing.
   * A look-up that failed while it was n is worth another try only once it is greater than n: asked again, it
   * answers with what was learned.
   */
  learned(): Promise<number>;
  /** ISO country codes in which a city of this name was seen, sorted; compared case-insensitively (OP-52). */
  countryCodesOfCity(city: string): Promise<readonly string[]>;
}

/** Who somebody is, whether a person or a company. */
export type KnownEntity = Pick<CompanyFacts, 'ref' | 'handle' | 'networkUrl' | 'domains' | 'name'> & {
  /** Of a company; null for a person. */
  readonly logoUrl: string | null;
};

/** One answer for each identifier of people or of companies, in the order asked, in one form for both. */
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
