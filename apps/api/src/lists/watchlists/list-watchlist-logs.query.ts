import { QueryBus } from '@nestjs/cqrs';
import { Id, Type } from '#kernel/values/schema.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import { listPath } from '../list-path.js';
import {
  ListMembershipLogs,
  MembershipChange,
  membershipChange,
} from '../membership-logs/list-membership-logs.query.js';
import { replacedBy } from './watchlist.view.js';

const query = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id/membership-logs',
  summary: 'List the members that were added to a list or removed from it (older path)',
  params: listPath,
  query,
  response: PageOf(
    Type.Object({ id: Id, entity_id: Id, ...MembershipChange }, { title: 'WatchlistMembershipChange' }),
  ),
  problems: [listNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/membership-logs'),
})
export class ListWatchlistLogsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<undefined, typeof query, typeof listPath>) {
    const { workspaceId, params: asked, query: wanted } = request;
    const { entries, total } = await this.queries.execute(
      new ListMembershipLogs(workspaceId, asked.kind, asked.list_id, wanted.page),
    );
    const shown = entries.map((entry) => ({
      id: entry.id,
      entity_id: entry.member_id,
      ...membershipChange(entry),
    }));
    return page(shown, total, wanted.page);
  }
}
