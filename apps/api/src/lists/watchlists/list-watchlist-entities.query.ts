import { QueryBus } from '@nestjs/cqrs';
import { Type } from '#kernel/values/schema.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { listPath } from '../list-path.js';
import { ListMembers, memberQuery } from '../members/list-members.query.js';
import {
  ConciseMember,
  conciseMember,
  EntityView,
  entityView,
  memberView,
} from '#lists/answers/member.view.js';
import { replacedBy } from './watchlist.view.js';

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id/entities',
  summary: 'List the members of a list (older path)',
  params: listPath,
  query: memberQuery,
  response: PageOf(Type.Union([EntityView, ConciseMember], { title: 'ListedWatchlistEntity' })),
  problems: [listNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/members'),
})
export class ListWatchlistEntitiesEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<{ query: typeof memberQuery; params: typeof listPath }>) {
    const { workspaceId, params: asked, query } = request;
    const { members, total } = await this.queries.execute(
      new ListMembers(workspaceId, asked.kind, asked.list_id, query.q, query.page),
    );
    const shown =
      query.response_format === 'concise'
        ? members.map(conciseMember)
        : members.map(memberView).map(entityView);
    return page(shown, total, query.page);
  }
}
