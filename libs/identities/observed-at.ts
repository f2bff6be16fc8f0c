import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import { madeCompanyRef } from '#network/resolution.js';

/** A company whose readings are looked up. */
export type ReadCompany = {
  /** Its ref on the network; null if unknown. */
  readonly ref: string | null;
  readonly domain: string | null;
};

export type LastReads = Pick<NetworkDirectory, 'lastReads'>;

/** The time of the last reading of a source about each of these companies, even if it showed nothing; null: never. */
export async function observedAts(
  directory: LastReads,
  companies: readonly ReadCompany[],
): Promise<readonly (string | null)[]> {
  const refs = companies.map(refsOf);
  const known = await directory.lastReads([...new Set(refs.flat())]);
  return refs.map((own) => {
    const moments = own.flatMap((ref) => known.get(ref) ?? []);
    return moments.length === 0 ? null : new Date(Math.max(...moments)).toISOString();
  });
}

/** As `observedAts`, for a company that is known by its domain or handle. */
export async function observedAt(
  directory: LastReads & Pick<NetworkDirectory, 'resolveCompanies'>,
  { domain, handle }: { readonly domain: string | null; readonly handle: string | null },
): Promise<string | null> {
  const identifiers: readonly NetworkIdentifier[] = [
    ...(handle === null ? [] : [{ by: 'handle', handle, entity: 'company' } as const]),
    ...(domain === null ? [] : [{ by: 'domain', domain } as const]),
  ];
  const found = await directory.resolveCompanies(identifiers);
  const ref = found.flatMap((one) => (one.outcome === 'found' ? one.facts.ref : []))[0] ?? null;
  return (await observedAts(directory, [{ ref, domain }]))[0] ?? null;
}

/** A source that is bound to a domain may have been read before the company was observed. */
const refsOf = ({ ref, domain }: ReadCompany): readonly string[] => [
  ...(ref === null ? [] : [ref]),
  ...(domain === null ? [] : [madeCompanyRef(domain)]),
];
