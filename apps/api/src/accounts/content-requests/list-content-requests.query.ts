import { REQUEST_TYPES } from '#accounts/domain/content-requests/content-request.events.js';
import type { Condition } from '#kernel/ports/read-store.port.js';
import { Id, OneOf, Type } from '#kernel/values/schema.js';
import type { Faults } from '#kernel/values/faults.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, totalAtEnd, type OffsetPage } from '#http/paging.js';
import { invalidRequest } from '#http/problem.js';
import { Reply } from '#http/reply.js';
import { contentRequests } from '#projections/accounts/content-requests/content-requests.projection.js';
import { handle } from '../../handle.js';
import {
  noCompanyResolved,
  periodOf,
  requestFilters,
  resolvedCompanies,
  type RequestFilters,
  type ResolvedCompany,
  type RequestFilterPorts,
} from './content-request-filters.js';
import {
  contentRequestViews,
  ContentRequestView,
  type ContentRequestAnswer,
  REQUEST_STAGES,
} from '#accounts/answers/content-request.view.js';

const ofPage = PageOf(ContentRequestView).properties;

export const ContentRequestPage = Type.Object(
  {
    data: ofPage.data,
    meta: Type.Object(
      {
        ...ofPage.meta.properties,
        resolved_companies: Type.Array(
          Type.Object(
            {
              company_id: Id,
              matched_by: OneOf('company_id', 'network_handle', 'network_url', 'domain'),
              identifier: Type.String(),
            },
            { title: 'ResolvedCompany' },
          ),
        ),
      },
      { title: 'ContentRequestPageMeta' },
    ),
  },
  { title: 'ContentRequestPage' },
);
type PageAnswer = OffsetPage<ContentRequestAnswer>;
export type ContentRequestPage = Reply<{
  readonly data: PageAnswer['data'];
  readonly meta: PageAnswer['meta'] & { readonly resolved_companies: readonly ResolvedCompany[] };
}>;

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/content-requests',
  summary: 'List the background work on companies',
  description:
    'Newest first; without `stage` all but completed ones. Of the company filters one kind counts: ' +
    'company_id, then handles, then URLs, then domains. `meta.resolved_companies` lists the companies that ' +
    'they name.',
  query: requestFilters,
  response: ContentRequestPage,
  problems: [noCompanyResolved],
})
export class ListContentRequests extends EndpointQuery<
  ContentRequestPage,
  { query: typeof requestFilters }
> {}

handle(ListContentRequests, async ({ workspaceId, query }, ports) => {
  const faults: Faults = new Map();
  const period = periodOf(query, faults);
  if (faults.size > 0) throw invalidRequest('query', 400, faults);
  return contentRequestPage(ports, workspaceId, query, period);
});

/** The requested page: of the filters as sent, and their period. */
export async function contentRequestPage(
  ports: RequestFilterPorts,
  workspaceId: number,
  filters: RequestFilters,
  period: ReturnType<typeof periodOf>,
): Promise<ContentRequestPage> {
  const { readModels } = ports;
  const resolved = await resolvedCompanies(ports, workspaceId, filters);
  const { page: asked } = filters;
  const where = whereOf(workspaceId, filters, period, resolved);
  const rows = await readModels.find(contentRequests, {
    where,
    sort: [
      ['createdAt', 'desc'],
      ['id', 'desc'],
    ],
    skip: asked.skip,
    limit: asked.pageSize,
  });
  const total = totalAtEnd(rows.length, asked) ?? (await readModels.count(contentRequests, { where }));
  const { data: body, headers } = page(await contentRequestViews(readModels, rows), total, asked);
  const meta = { ...body.meta, resolved_companies: resolved ?? [] };
  return new Reply({ data: body.data, meta }, null, headers);
}

function whereOf(
  workspaceId: number,
  filters: RequestFilters,
  { from, to }: ReturnType<typeof periodOf>,
  resolved: readonly ResolvedCompany[] | null,
): { readonly [field: string]: Condition } {
  return {
    workspaceId,
    ...(resolved === null
      ? kindOf(filters)
      : { ...kindAmongFew(filters), companyId: { in: resolved.map(idOf) } }),
    ...(from === null && to === null
      ? {}
      : { createdAt: { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lte: to }) } }),
  };
}

const idOf = ({ company_id }: ResolvedCompany): number => company_id;

/** Types and stages as the first fields of an index of all requests of a workspace: both are set, or neither. */
function kindOf({ type, stage }: RequestFilters): { readonly [field: string]: Condition } {
  if (type === null && stage === null) return { isCompleted: false };
  const notCompleted = REQUEST_STAGES.filter((one) => one !== 'completed');
  return { type: { in: type ?? REQUEST_TYPES }, stage: { in: stage ?? notCompleted } };
}

/** The same for requests of some companies, whose index has only whether the stage is the last one. */
function kindAmongFew({ type, stage }: RequestFilters): { readonly [field: string]: Condition } {
  if (stage === null) return { isCompleted: false, ...(type === null ? {} : { type: { in: type } }) };
  const isCompleted = [...new Set(stage.map((one) => one === 'completed'))];
  const ofStage = { stage: { in: stage } };
  // Without a stage, all requests of the company are in the order of the page.
  if (type === null)
    return isCompleted.length > 1 ? ofStage : { ...ofStage, isCompleted: { in: isCompleted } };
  return { ...ofStage, isCompleted: { in: isCompleted }, type: { in: type } };
}
