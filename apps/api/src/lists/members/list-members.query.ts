import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { START, wayUp } from '#kernel/values/landmarks.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Type } from '#kernel/values/schema.js';
import type { ListKind } from '#lists/domain/lists/list.events.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { page, PageOf, totalAtEnd, type PageRequest } from '#http/paging.js';
import { offsetPage, oneOfQuery, textQuery } from '#http/parameters.js';
import {
  listMembers,
  searchedText,
  type ListMemberDocument,
} from '#projections/lists/list-members/list-members.projection.js';
import {
  memberLandmarks,
  memberLandmarksKey,
} from '#projections/lists/member-landmarks/member-landmarks.projection.js';
import { READ_MODELS } from '../../ports.js';
import { findList, listPath } from '../list-path.js';
import { ConciseMember, conciseMember, MemberView, memberView } from '#lists/answers/member.view.js';

export type MemberPage = { readonly members: readonly ListMemberDocument[]; readonly total: number };

export class ListMembers extends Query<MemberPage> {
  constructor(
    readonly workspaceId: number,
    readonly kind: ListKind,
    readonly listId: number,
    /** Text to search for; null or empty: all members. */
    readonly text: string | null,
    readonly page: PageRequest,
  ) {
    super();
  }
}

export const memberQuery = {
  page: offsetPage({ invalid: 422 }),
  q: textQuery({ maximum: 255, invalid: 422, empty: true }),
  response_format: oneOfQuery({
    values: ['concise', 'normalized', 'detailed'],
    otherwise: 'normalized',
    invalid: 422,
  }),
};

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/lists/:kind/:list_id/members',
  summary: 'List the members of a list',
  description:
    'By id. `q` finds names, handles and (people) current companies that contain it, in any case. The ' +
    'concise format has only ids, handles and URLs; normalized and detailed are the same.',
  params: listPath,
  query: memberQuery,
  response: PageOf(Type.Union([MemberView, ConciseMember], { title: 'ListedMember' })),
  problems: [listNotFound],
})
export class ListMembersEndpoint {
  constructor(private readonly queries: QueryBus) {}

  async handle(request: EndpointRequest<{ query: typeof memberQuery; params: typeof listPath }>) {
    const { workspaceId, params: asked, query } = request;
    const { members, total } = await this.queries.execute(
      new ListMembers(workspaceId, asked.kind, asked.list_id, query.q, query.page),
    );
    const view = query.response_format === 'concise' ? conciseMember : memberView;
    return page(members.map(view), total, query.page);
  }
}

@QueryHandler(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ workspaceId, kind, listId, text, page: asked }: ListMembers): Promise<MemberPage> {
    const { member_count } = await findList(this.readModels, workspaceId, kind, listId);
    const wanted = searchedText(text ?? '');
    if (wanted === '') return { members: await this.pageOf(workspaceId, listId, asked), total: member_count };
    const where = { workspaceId, listId, search: { contains: wanted } };
    const members = await this.readModels.find(listMembers, {
      where,
      sort: [['id', 'asc']],
      skip: asked.skip,
      limit: asked.pageSize,
    });
    const known = totalAtEnd(members.length, asked);
    return { members, total: known ?? (await this.readModels.count(listMembers, { where })) };
  }

  private async pageOf(
    workspaceId: number,
    listId: number,
    asked: PageRequest,
  ): Promise<readonly ListMemberDocument[]> {
    const way = asked.skip === 0 ? START : await this.wayTo(workspaceId, listId, asked.skip);
    if (way === null) return [];
    return this.readModels.find(listMembers, {
      where: { workspaceId, listId, ...(way.bound === null ? {} : { id: { gte: way.bound[0] } }) },
      sort: [['id', 'asc']],
      skip: way.skip,
      limit: asked.pageSize,
    });
  }

  private async wayTo(workspaceId: number, listId: number, skip: number) {
    const key = memberLandmarksKey(workspaceId, listId);
    return wayUp(await this.readModels.get(memberLandmarks, key), skip);
  }
}
