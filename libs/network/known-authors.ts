import type { KeyStore } from './key-reads.js';
import type { CompanyFacts, PersonFacts } from './network-directory.port.js';
import type { Author } from './network-source.port.js';

/** The known people and companies at the moment of reading; null for an unobserved ref. */
export type KnownEntities = {
  readonly person: (ref: string | null) => PersonFacts | null;
  readonly company: (ref: string | null) => CompanyFacts | null;
};

export type FactReads = Pick<KeyStore, 'people' | 'companies'>;

/** These people with their current employers, and these companies, in two queries for any number. */
export async function knownEntities(
  reads: FactReads,
  refs: { readonly people?: readonly (string | null)[]; readonly companies?: readonly (string | null)[] },
): Promise<KnownEntities> {
  const people = await reads.people(given(refs.people ?? []));
  const employers = [...people.values()].map(({ current }) => current?.companyRef ?? null);
  const companies = await reads.companies(given([...(refs.companies ?? []), ...employers]));
  return {
    person: (ref) => (ref === null ? null : (people.get(ref) ?? null)),
    company: (ref) => (ref === null ? null : (companies.get(ref) ?? null)),
  };
}

/** The authors with these refs, people or companies. */
export const knownAuthors = (reads: FactReads, refs: readonly (string | null)[]): Promise<KnownEntities> =>
  knownEntities(reads, { people: refs, companies: refs });

/** Null for an unknown author. */
export function authorOf(ref: string | null, { person, company }: KnownEntities): Author | null {
  const known = person(ref);
  if (known !== null)
    return { entity: 'person', person: known, company: company(known.current?.companyRef ?? null) };
  const page = company(ref);
  return page === null ? null : { entity: 'company', company: page };
}

function given(refs: readonly (string | null)[]): readonly string[] {
  return [...new Set(refs.filter((ref) => ref !== null))];
}
