import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { START, wayDown } from '#kernel/values/landmarks.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import type { ListKind } from '#lists/domain/lists/list.events.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { MembershipSource } from '#lists/domain/lists/member.events.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, type PageRequest } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import {
  membershipLogLandmarks,
  membershipLogLandmarksKey,
} from '#projections/lists/membership-log-landmarks/membership-log-landmarks.projection.js';
import {
  membershipLogs,
  type MembershipLogDocument,
} from '#projections/lists/membership-logs/membership-logs.projection.js';
import { READ_MODELS } from '../../ports.js';
import { findList, listPath } from '../list-path.js';

const text = Nullable(Type.String());

/** What an entry says beside whom it is about. */
export const MembershipChange = {
  action: OneOf('added', 'removed'),
  network_handle: text,
  network_url: text,
  name: text,
  source: MembershipSource,
  occurred_at: Timestamp,
};

export type LogPage = { readonly entries: readonly MembershipLogDocument[]; readonly total: number };

export class ListMembershipLogs extends Query<LogPage> {
  constructor(
    readonly workspaceId: number,
    readonly kind: ListKind,
    readonly listId: number,
    readonly page: PageRequest,
  ) {
    super();
  }
}

const query = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists/:kind/:list_id/membership-logs',
  summary: 'List the members that were added to a list or removed from it',
  description: 'Newest first; entries of the same moment in reverse order, too.',
  params: listPath,
  query,
  response: PageOf(
    Type.Object({ id: Id, member_id: Id, ...MembershipChange }, { title: 'MembershipChange' }),
  ),
  problems: [listNotFound],
})
export class ListMembershipLogsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<undefined, typeof query, typeof listPath>) {
    const { workspaceId, params: asked, query: given } = request;
    const { entries, total } = await this.queries.execute(
      new ListMembershipLogs(workspaceId, asked.kind, asked.list_id, given.page),
    );
    const shown = entries.map((entry) => ({
      id: entry.id,
      member_id: entry.member_id,
      ...membershipChange(entry),
    }));
    return page(shown, total, given.page);
  }
}

@QueryHandler(ListMembershipLogs)
export class ListMembershipLogsHandler implements IQueryHandler<ListMembershipLogs> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, kind, listId, page: asked }: ListMembershipLogs): Promise<LogPage> {
    const { membershipChanges: total } = await findList(this.readModels, workspaceId, kind, listId);
    const way = asked.skip === 0 ? START : await this.wayTo(workspaceId, listId, asked.skip);
    if (way === null) return { entries: [], total };
    const entries = await this.readModels.find(membershipLogs, {
      where: { workspaceId, listId },
      sort: [
        ['occurredAt', 'desc'],
        ['listRevision', 'desc'],
        ['id', 'desc'],
      ],
      ...(way.bound === null ? {} : { after: way.bound }),
      skip: way.skip,
      limit: asked.pageSize,
    });
    return { entries, total };
  }

  private async wayTo(workspaceId: number, listId: number, skip: number) {
    const key = membershipLogLandmarksKey(workspaceId, listId);
    return wayDown(await this.readModels.get(membershipLogLandmarks, key), skip);
  }
}

export const membershipChange = (entry: MembershipLogDocument) => ({
  action: entry.action,
  network_handle: entry.network_handle,
  network_url: entry.network_url,
  name: entry.name,
  source: entry.source,
  occurred_at: entry.occurredAt,
});
