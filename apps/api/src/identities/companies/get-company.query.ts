import { observedAt } from '#identities/observed-at.js';
import { unknownCompany } from '#identities/domain/companies/company.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';
import { CompanyView, companyView } from './company.view.js';

const params = { id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/companies/:id',
  summary: 'Get a company that signals refer to',
  description: 'Enrichment fields are null for a company that is not enriched yet.',
  params,
  response: CompanyView,
  problems: [unknownCompany],
})
export class GetCompany extends EndpointQuery<CompanyView, { params: typeof params }> {}

export const getCompany = handle(GetCompany, async ({ workspaceId, params }, { readModels, directory }) => {
  const wanted = { view: companies, key: companyKey(params.id), unknown: unknownCompany };
  const company = await ownDocument(readModels, workspaceId, wanted);
  const { domain, networkHandle: handle } = company;
  return companyView(company, await observedAt(directory, { domain, handle }));
});
