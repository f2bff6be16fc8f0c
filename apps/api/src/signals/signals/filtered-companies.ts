import { parseDomain, parseHandle, parseNetworkUrl } from '#kernel/values/network-identifiers.js';
import { refusal } from '#kernel/values/refusal.js';
import {
  companiesNamed,
  companyProblems,
  namesCompany,
  requireCompany,
  type NamingPorts,
} from '#identities/companies-named.js';
import type { SignalFilterBodyV2 } from './signal-filter.body.js';

/** What resolving the companies of a filter reads. */
export type CompanyFilterPorts = NamingPorts;

export const noSuchTopAccount = refusal({
  code: 'no-such-top-account',
  kind: 'missing',
  detail: 'None of the companies is on the top account list.',
});

/** The refusals of `filteredCompanies`. */
export const companyFilterProblems = [...companyProblems, noSuchTopAccount];

/**
 * The companies that a v2 query is narrowed to; null: not narrowed. Only top accounts count: a known company that is
 * no top account gives an empty result; if no identifier can be resolved the query is refused (OP-39).
 */
export async function filteredCompanies(
  ports: CompanyFilterPorts,
  workspaceId: number,
  body: SignalFilterBodyV2,
): Promise<readonly number[] | null> {
  const { readModels } = ports;
  const named =
    body.company_id === undefined ? null : await requireCompany(readModels, workspaceId, body.company_id);
  const byIdentifier = await identifiedTopAccounts(ports, workspaceId, body);
  if (named === null) return byIdentifier;
  const kept = named.isTopAccount && (byIdentifier === null || byIdentifier.includes(named.id));
  return kept ? [named.id] : [];
}

async function identifiedTopAccounts(
  ports: CompanyFilterPorts,
  workspaceId: number,
  body: SignalFilterBodyV2,
): Promise<readonly number[] | null> {
  const { company_domain, company_network_handle, company_network_url } = body;
  if ((company_domain ?? company_network_handle ?? company_network_url) === undefined) return null;
  const identifiers = [
    ...(company_domain ?? []).map((text) => parseDomain(text)),
    ...(company_network_handle ?? []).map((text) => parseHandle(text)),
    ...(company_network_url ?? []).map((text) => parseNetworkUrl(text)),
  ].filter(namesCompany);
  const known = await companiesNamed(ports, workspaceId, identifiers);
  const resolved = new Set(known.flat().flatMap(({ id, isTopAccount }) => (isTopAccount === true ? id : [])));
  if (resolved.size === 0) throw noSuchTopAccount();
  return [...resolved];
}
