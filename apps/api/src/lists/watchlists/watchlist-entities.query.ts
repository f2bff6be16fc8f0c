import { QueryBus } from '@nestjs/cqrs';
import { Id, Type } from '#kernel/values/schema.js';
import { listNotFound } from '#domain/lists/list.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import { ListMembers, memberQuery } from '../members/list-members.query.js';
import {
  ListMembershipLogs,
  MembershipChange,
  membershipChange,
} from '../membership-logs/list-membership-logs.query.js';
import { listPath } from '../list-path.js';
import { ConciseMember, conciseMember, EntityView, entityView } from '../members/member.view.js';
import { replacedBy } from './watchlist.view.js';

/** The older path of what is read about members (OP-47): they are entities there. */

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id/entities',
  summary: 'List the members of a list (older path)',
  params: listPath,
  query: memberQuery,
  response: PageOf(Type.Union([EntityView, ConciseMember])),
  problems: [listNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/members'),
})
export class ListWatchlistEntitiesEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<undefined, typeof memberQuery, typeof listPath>) {
    const { workspaceId, params: asked, query } = request;
    const { members, total } = await this.queries.execute(
      new ListMembers(workspaceId, asked.kind, asked.list_id, query.q, query.page),
    );
    const view = query.response_format === 'concise' ? conciseMember : entityView;
    return page(members.map(view), total, query.page);
  }
}

const logQuery = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id/membership-logs',
  summary: 'List who came to a list and who left it (older path)',
  params: listPath,
  query: logQuery,
  response: PageOf(Type.Object({ id: Id, entity_id: Id, ...MembershipChange })),
  problems: [listNotFound],
  deprecated: replacedBy('/api/v2/lists/:kind/:list_id/membership-logs'),
})
export class ListWatchlistLogsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<undefined, typeof logQuery, typeof listPath>) {
    const { workspaceId, params: asked, query } = request;
    const { entries, total } = await this.queries.execute(
      new ListMembershipLogs(workspaceId, asked.kind, asked.list_id, query.page),
    );
    const shown = entries.map((entry) => ({
      id: entry.id,
      entity_id: entry.member_id,
      ...membershipChange(entry),
    }));
    return page(shown, total, query.page);
  }
}
