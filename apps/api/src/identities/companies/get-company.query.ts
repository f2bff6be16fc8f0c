import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import { observedAt } from '#identities/observed-at.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { unknownCompany } from '#identities/domain/companies/company.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import { ownDocument } from '../../own-document.js';
import { NETWORK_DIRECTORY, READ_MODELS } from '../../ports.js';
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

@QueryHandler(GetCompany)
export class GetCompanyHandler implements IQueryHandler<GetCompany> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(NETWORK_DIRECTORY) private readonly directory: NetworkDirectory,
  ) {}

  async execute({ request: { workspaceId, params } }: GetCompany): Promise<CompanyView> {
    const wanted = { view: companies, key: companyKey(params.id), unknown: unknownCompany };
    const company = await ownDocument(this.readModels, workspaceId, wanted);
    const { domain, networkHandle: handle } = company;
    return companyView(company, await observedAt(this.directory, { domain, handle }));
  }
}
