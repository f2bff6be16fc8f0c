import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import { companyMappings } from '#projections/accounts/company-mappings/company-mappings.projection.js';
import { handle } from '../../handle.js';
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

handle(ListCompanyMappings, async ({ workspaceId, query }, { readModels }) => {
  const { rows, total } = await findPage(
    readModels,
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
  return page(await companyMappingViews(readModels, rows), total, query.page);
});
