import type { Condition } from '#kernel/ports/read-store.port.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { idQuery, offsetPage } from '#http/parameters.js';
import { contentRanges } from '#projections/identities/content-ranges/content-ranges.projection.js';
import { contents, type ContentDocument } from '#projections/identities/contents/contents.projection.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { ContentView, contentView } from './content.view.js';

const query = { page: offsetPage({ invalid: 400 }), company_id: idQuery(400), lead_id: idQuery(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/contents',
  summary: 'List the contents that detections refer to',
  description: 'By id. A company or lead that the workspace does not have gives an empty page.',
  query,
  response: PageOf(ContentView),
})
export class ListContents extends EndpointQuery<PageOf<ContentView>, { query: typeof query }> {}

handle(ListContents, async ({ workspaceId, query }, ports) => {
  const { page: asked, company_id: companyId, lead_id: leadId } = query;
  if (companyId === null && leadId === null) return listAll(ports, workspaceId, asked);
  const where = {
    workspaceId,
    ...(companyId === null ? {} : { companyId }),
    ...(leadId === null ? {} : { leadId }),
  };
  const [rows, total] = await Promise.all([
    find(ports, where, asked.skip, asked.pageSize),
    ports.readModels.count(contents, { where }),
  ]);
  return page(rows.map(contentView), total, asked);
});

/** The ranges say how many there are and in which of them the page begins. */
async function listAll(
  ports: ApiPorts,
  workspaceId: number,
  asked: PageRequest,
): Promise<PageOf<ContentView>> {
  const ranges = await ports.readModels.groups(
    contentRanges,
    { where: { workspaceId } },
    { by: ['firstId'], sum: 'contents' },
  );
  let firstId = 0;
  let before = 0;
  let total = 0;
  for (const { by, sum } of ranges) {
    if (total <= asked.skip) [firstId, before] = [Number(by[0]), total];
    total += Number(sum);
  }
  const rows =
    asked.skip >= total
      ? []
      : await find(ports, { workspaceId, id: { gte: firstId } }, asked.skip - before, asked.pageSize);
  return page(rows.map(contentView), total, asked);
}

function find(
  { readModels }: ApiPorts,
  where: { readonly [field: string]: Condition },
  skip: number,
  limit: number,
): Promise<readonly ContentDocument[]> {
  return readModels.find(contents, { where, sort: [['id', 'asc']], skip, limit });
}
