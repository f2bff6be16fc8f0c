import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import { companyMappings } from '#projections/accounts/company-mappings/company-mappings.projection.js';
import { READ_MODELS } from '../../ports.js';
import { findPage } from '../../find-page.js';
import { CompanyMappingView, companyMappingViews } from '#accounts/answers/company-mapping.view.js';
import { mappingFeature } from './mapping-feature.js';

const query = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  feature: mappingFeature.feature,
  route: 'GET /api/v2/company-mappings',
  summary: 'List the mappings of companies',
  description: 'Newest first, without their people. A mapping is there from its first analysed profile on.',
  query,
  response: PageOf(CompanyMappingView),
  problems: [mappingFeature.problem],
})
export class ListCompanyMappings extends EndpointQuery<PageOf<CompanyMappingView>, { query: typeof query }> {}

@QueryHandler(ListCompanyMappings)
export class ListCompanyMappingsHandler implements IQueryHandler<ListCompanyMappings> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({
    request: { workspaceId, query },
  }: ListCompanyMappings): Promise<PageOf<CompanyMappingView>> {
    const { rows, total } = await findPage(
      this.readModels,
      companyMappings,
      {
        where: { workspaceId },
        sort: [
          ['requestDate', 'desc'],
          ['id', 'desc'],
        ],
      },
      query.page,
    );
    return page(await companyMappingViews(this.readModels, rows), total, query.page);
  }
}
