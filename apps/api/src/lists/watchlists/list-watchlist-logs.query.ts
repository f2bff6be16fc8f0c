import { Id, Type, type Static } from '#kernel/values/schema.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { PageOf } from '#http/paging.js';
import { reply } from '#http/reply.js';
import { handle } from '../../handle.js';
import { listPath } from '../list-path.js';
import {
  ChangeOfMember,
  listMembershipLogs,
  membershipLogsQuery,
} from '../membership-logs/list-membership-logs.query.js';

const WatchlistMembershipChange = Type.Object(
  { id: Id, entity_id: Id, ...ChangeOfMember },
  { title: 'WatchlistMembershipChange' },
);

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id/membership-logs',
  summary: 'List the members that were added to a list or removed from it (older path)',
  params: listPath,
  query: membershipLogsQuery,
  response: PageOf(WatchlistMembershipChange),
  problems: [listNotFound],
  deprecated: { successor: '/api/v2/lists/:kind/:list_id/membership-logs' },
})
export class ListWatchlistLogs extends EndpointQuery<
  PageOf<Static<typeof WatchlistMembershipChange>>,
  { query: typeof membershipLogsQuery; params: typeof listPath }
> {}

handle(ListWatchlistLogs, async (request, ports) => {
  const { data, headers } = await listMembershipLogs(request, ports);
  const shown = data.data.map(({ id, member_id, ...change }) => ({ id, entity_id: member_id, ...change }));
  return reply({ ...data, data: shown }, { headers });
});
