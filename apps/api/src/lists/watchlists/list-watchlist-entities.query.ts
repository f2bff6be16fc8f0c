import { Type } from '#kernel/values/schema.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { listPath } from '../list-path.js';
import { findMembers, memberQuery } from '../members/list-members.query.js';
import {
  ConciseMember,
  conciseMember,
  EntityView,
  entityView,
  type EntityAnswer,
  memberView,
} from '#lists/answers/member.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id/entities',
  summary: 'List the members of a list (older path)',
  params: listPath,
  query: memberQuery,
  response: PageOf(Type.Union([EntityView, ConciseMember], { title: 'ListedWatchlistEntity' })),
  problems: [listNotFound],
  deprecated: { successor: '/api/v2/lists/:kind/:list_id/members' },
})
export class ListWatchlistEntities extends EndpointQuery<
  PageOf<EntityAnswer | ConciseMember>,
  { query: typeof memberQuery; params: typeof listPath }
> {}

handle(ListWatchlistEntities, async ({ workspaceId, params, query }, { readModels }) => {
  const { members, total } = await findMembers(readModels, { workspaceId, ...params }, query.q, query.page);
  const shown =
    query.response_format === 'concise'
      ? members.map(conciseMember)
      : members.map(memberView).map(entityView);
  return page(shown, total, query.page);
});
