import type { NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { fieldError } from '#kernel/values/refusal.js';
import { unknownCompany } from '#identities/domain/companies/company.js';
import type { ObservedCompany } from '#identities/domain/companies/company-facts.js';
import { identifierOf } from '#identities/company-refs.js';
import { findCompany } from '#identities/find-companies.js';
import { invalidRequest } from '#http/problem.js';
import type { ListedCompany } from '#lists/lists-in-use.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import { ownDocument } from '../../own-document.js';
import type { ApiPorts } from '../../ports.js';
import { observedCompany, type NamedTarget } from './enrichment-target.js';

/** The company of a call: its id if the workspace has it, otherwise what to claim. */
export type CalledCompany = {
  readonly companyId: number | null;
  readonly observed: ObservedCompany | null;
  readonly listedAs: ListedCompany;
};

/** The company of the workspace with this id. Throws `unknownCompany`. */
export async function ownCompany(
  { readModels, directory }: ApiPorts,
  workspaceId: number,
  companyId: number,
): Promise<CalledCompany> {
  const wanted = { view: companies, key: companyKey(companyId), unknown: unknownCompany };
  const company = await ownDocument(readModels, workspaceId, wanted);
  const identifier = identifierOf(company);
  const [seen] = identifier === null ? [] : await directory.resolveCompanies([identifier]);
  const { handle = null, domains = [] } = seen?.outcome === 'found' ? seen.facts : {};
  return { companyId, observed: null, listedAs: listedAs(company, { networkHandle: handle, domains }) };
}

/** Lists may have the company under any of its names: those of the workspace's record and those of the network. */
const listedAs = (own: CompanyDocument | null, seen: ListedCompany): ListedCompany => ({
  networkHandle: seen.networkHandle ?? own?.networkHandle ?? null,
  domains: [...new Set([...seen.domains, ...(own?.domains ?? [])])],
});

/** The company that the network has under this identifier, whether the workspace has it or not. */
export async function identifiedCompany(
  ports: ApiPorts,
  workspaceId: number,
  identifier: NetworkIdentifier,
  name: NamedTarget['name'],
): Promise<CalledCompany> {
  const seen = await observedCompany(ports.directory, ports.networkBaseUrl, identifier);
  if (seen === null) throw invalidRequest('body', 400, fieldError(name, 'names a person'));
  const { company, domains } = seen;
  const companyId = await findCompany(ports, workspaceId, company);
  const own = companyId === null ? null : await ports.readModels.get(companies, companyKey(companyId));
  const networkHandle = company.facts.network_handle;
  return { companyId, observed: company, listedAs: listedAs(own, { networkHandle, domains }) };
}
