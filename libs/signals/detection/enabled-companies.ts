import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { areDisabled } from '#identities/companies-named.js';
import { observedCompanyOf } from '#identities/observed-facts.js';
import type { CompanyFacts } from '#network/network-directory.port.js';

/** The pipeline type that finds signals about a company without being asked. */
export const SIGNAL_DETECTION = 'signal_detection';

/** Those of these companies for which the workspace has not disabled the detection of signals (OP-62). */
export async function enabledCompanies(
  readModels: ReadModels,
  workspaceId: number,
  companies: readonly CompanyFacts[],
): Promise<readonly CompanyFacts[]> {
  const shown = companies.map((company) => observedCompanyOf(company).facts);
  const areOff = await areDisabled(readModels, workspaceId, SIGNAL_DETECTION, shown);
  return companies.filter((_, index) => areOff[index] !== true);
}
