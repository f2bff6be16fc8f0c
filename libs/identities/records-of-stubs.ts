import { sideBySide } from '#kernel/values/side-by-side.js';
import type { CompanyDocument } from '#projections/identities/companies/companies.projection.js';
import { identityClaims } from './claim-identities.js';
import { observedCompanyOf } from './observed-facts.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { ProcessHost } from '#process-engine/process.js';

const LOOKED_UP_AT_ONCE = 10;

/** Whether a company is known by a domain alone, and nothing was observed of it. */
export const isStubOfDomain = ({
  networkHandle,
  rev,
}: Pick<CompanyDocument, 'networkHandle' | 'rev'>): boolean => networkHandle === null && rev === 0;

/**
 * For each of these stubs of domains that the network now finds, by id, the record that its company has in the workspace. It
 * is another one if the workspace had several names of the company before it was observed: each name had made a
 * record. Then it is that of the handle, or of the first of the company's domains that is known. Nothing is claimed.
 */
export async function recordsOfStubs(
  host: Pick<ProcessHost, 'commands' | 'ids' | 'directory'>,
  workspaceId: number,
  stubs: readonly CompanyDocument[],
): Promise<ReadonlyMap<number, number>> {
  if (stubs.length === 0) return new Map();
  const resolutions = await host.directory.resolveCompanies(
    stubs.map(({ domain }) => ({ by: 'domain', domain: domain ?? '' })),
  );
  const found = stubs.flatMap((stub, index) => {
    const resolution = resolutions[index];
    return resolution?.outcome === 'found' ? [{ stub, facts: resolution.facts }] : [];
  });
  const records = await sideBySide(found, LOOKED_UP_AT_ONCE, async ({ stub, facts }) => {
    const recordId = await recordOf(host, workspaceId, facts);
    return [stub.id, recordId ?? stub.id] as const;
  });
  return new Map(records);
}

/** The record that a company of the network has in the workspace; null: none. Nothing is claimed. */
export const recordOf = (
  host: Pick<ProcessHost, 'commands' | 'ids' | 'directory'>,
  workspaceId: number,
  facts: CompanyFacts,
): Promise<number | null> =>
  identityClaims(host, workspaceId, claimsNothing).findCompany(observedCompanyOf(facts));

function claimsNothing(step: string): never {
  throw new Error(`a look-up claims nothing, not ${step}`);
}
