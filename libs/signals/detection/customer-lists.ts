import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { listsInUse } from '#lists/lists-in-use.js';
import type { CompanyFacts } from '#network/network-directory.port.js';

/** The refs of those companies that are on an active customer list of the workspace, followed or not. */
export async function onCustomerLists(
  readModels: ReadModels,
  workspaceId: number,
  companies: readonly CompanyFacts[],
): Promise<ReadonlySet<string>> {
  const named = companies.map(({ handle, domains }) => ({ networkHandle: handle, domains }));
  const inUse = await listsInUse(readModels, workspaceId, named);
  const isCustomer = inUse.map((of) => of.some(({ type }) => type === 'customer'));
  return new Set(companies.filter((_, index) => isCustomer[index]).map(({ ref }) => ref));
}
