import { QueryBus } from '@nestjs/cqrs';
import { Id, Type } from '#kernel/values/schema.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { PageOf } from '#http/paging.js';
import { reply } from '#http/reply.js';
import { listPath } from '../list-path.js';
import {
  ChangeOfMember,
  ListMembershipLogs,
  membershipLogsQuery,
} from '../membership-logs/list-membership-logs.query.js';
import { replacedBy } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id/membership-logs',
  summary: 'List the members that were added to a list or removed from it (older path)',
  params: listPath,
  query: membershipLogsQuery,
  response: PageOf(
    Type.Object({ id: Id, entity_id: Id, ...ChangeOfMember }, { title: 'WatchlistMembershipChange' }),
  ),
  problems: [listNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/membership-logs'),
})
export class ListWatchlistLogsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<{ query: typeof membershipLogsQuery; params: typeof listPath }>) {
    const { data, headers } = await this.queries.execute(new ListMembershipLogs(request));
    const shown = data.data.map(({ id, member_id, ...change }) => ({ id, entity_id: member_id, ...change }));
    return reply({ ...data, data: shown }, { headers });
  }
}
