import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { NOT_FOUND_REASONS, TopAccountTier } from '#accounts/domain/top-accounts/top-accounts.events.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, type OffsetPage } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import type { Reply } from '#http/reply.js';
import { notFoundAccounts } from '#projections/accounts/not-found-accounts/not-found-accounts.projection.js';
import { handle } from '../../handle.js';
import { findPage } from '../../find-page.js';

const NotFoundAccountView = Type.Object(
  {
    id: Id,
    network_url: Nullable(Type.String()),
    domain: Nullable(Type.String()),
    tier: Nullable(TopAccountTier),
    reason: OneOf(...NOT_FOUND_REASONS),
    submitted_at: Timestamp,
  },
  { title: 'NotFoundAccount' },
);
type Page = Reply<OffsetPage<Static<typeof NotFoundAccountView>>>;

const query = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/top-account-list/not-found-accounts',
  summary: 'List the submitted accounts for which no company was found',
  description: 'As they were last submitted. An account that is submitted again is looked up again.',
  query,
  response: PageOf(NotFoundAccountView),
})
export class ListNotFoundAccounts extends EndpointQuery<Page, { query: typeof query }> {}

handle(ListNotFoundAccounts, async ({ workspaceId, query }, { readModels }) => {
  const { rows, total } = await findPage(
    readModels,
    notFoundAccounts,
    { where: { workspaceId } },
    query.page,
  );
  return page(
    rows.map(({ id, networkUrl, domain, tier, reason, submittedAt }) => ({
      id,
      network_url: networkUrl,
      domain,
      tier,
      reason,
      submitted_at: submittedAt,
    })),
    total,
    query.page,
  );
});
