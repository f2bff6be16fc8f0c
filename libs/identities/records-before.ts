import { sideBySide } from '#kernel/values/side-by-side.js';
import type { CompanyDocument } from '#projections/identities/companies/companies.projection.js';
import { findCompanyRecords } from './find-companies.js';
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
 * For each of these stubs of domains that the network now finds, by id, the records of its company that take precedence.
 * There are some if the workspace had several names of the company before it was observed: each name had made a record.
 * Nothing is claimed.
 */
export async function recordsBeforeStubs(
  host: Pick<ProcessHost, 'commands' | 'directory'>,
  workspaceId: number,
  stubs: readonly CompanyDocument[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (stubs.length === 0) return new Map();
  const resolutions = await host.directory.resolveCompanies(
    stubs.map(({ domain }) => ({ by: 'domain', domain: domain ?? '' })),
  );
  const found = stubs.flatMap((stub, index) => {
    const resolution = resolutions[index];
    return resolution?.outcome === 'found' ? [{ stub, facts: resolution.facts }] : [];
  });
  const records = await sideBySide(found, LOOKED_UP_AT_ONCE, async ({ stub, facts }) => {
    return [stub.id, await recordsBefore(host, workspaceId, facts, stub.id)] as const;
  });
  return new Map(records);
}

/**
 * The records of a company of the network that take precedence over this one in what is done, and charged, once for the
 * company: that of its handle, then the older ones. Nothing is claimed.
 */
export async function recordsBefore(
  host: Pick<ProcessHost, 'commands' | 'directory'>,
  workspaceId: number,
  facts: CompanyFacts,
  companyId: number,
): Promise<readonly number[]> {
  const records = await findCompanyRecords(host, workspaceId, observedCompanyOf(facts));
  const place = records.indexOf(companyId);
  return place === -1 ? records : records.slice(0, place);
}
