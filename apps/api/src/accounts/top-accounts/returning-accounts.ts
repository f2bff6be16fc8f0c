import { keysOfCompany } from '#accounts/domain/top-accounts/account-keys.js';
import type { Returnable } from '#accounts/domain/top-accounts/submit-accounts.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';

/**
 * The number of removed accounts that are sent again: they are not new (OP-52), and the list will hold them (TAL-09). The
 * list keeps no name of an account, so the names of the removed companies are compared.
 */
export async function returningAccounts(
  readModels: ReadModels,
  { removed, keys }: Returnable,
): Promise<number> {
  if (removed.length === 0 || keys.length === 0) return 0;
  const known = await readModels.getMany(companies, removed.map(companyKey));
  const sent = new Set(keys);
  return [...known.values()].filter((company) => keysOfCompany(company).some((key) => sent.has(key))).length;
}
