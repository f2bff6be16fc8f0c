import { START, wayUp } from '#kernel/values/landmarks.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Type } from '#kernel/values/schema.js';
import type { ListKind } from '#lists/domain/lists/list.events.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
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
import { handle } from '../../handle.js';
import { findList, listPath } from '../list-path.js';
import {
  ConciseMember,
  conciseMember,
  MemberView,
  memberView,
  type MemberAnswer,
} from '#lists/answers/member.view.js';

type MemberPage = { readonly members: readonly ListMemberDocument[]; readonly total: number };

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
export class ListMembers extends EndpointQuery<
  PageOf<MemberAnswer | ConciseMember>,
  { query: typeof memberQuery; params: typeof listPath }
> {}

handle(ListMembers, async ({ workspaceId, params, query }, { readModels }) => {
  const { members, total } = await findMembers(readModels, { workspaceId, ...params }, query.q, query.page);
  const view = query.response_format === 'concise' ? conciseMember : memberView;
  return page(members.map(view), total, query.page);
});

type ListId = { readonly workspaceId: number; readonly kind: ListKind; readonly list_id: number };

/** A page of the members of a list, and the number of all; `text` is searched for: null or empty: all members. */
export async function findMembers(
  readModels: ReadModels,
  { workspaceId, kind, list_id: listId }: ListId,
  text: string | null,
  asked: PageRequest,
): Promise<MemberPage> {
  const { member_count } = await findList(readModels, workspaceId, kind, listId);
  const wanted = searchedText(text ?? '');
  if (wanted === '')
    return { members: await pageOf(readModels, workspaceId, listId, asked), total: member_count };
  const where = { workspaceId, listId, search: { contains: wanted } };
  const members = await readModels.find(listMembers, {
    where,
    sort: [['id', 'asc']],
    skip: asked.skip,
    limit: asked.pageSize,
  });
  const known = totalAtEnd(members.length, asked);
  return { members, total: known ?? (await readModels.count(listMembers, { where })) };
}

async function pageOf(
  readModels: ReadModels,
  workspaceId: number,
  listId: number,
  asked: PageRequest,
): Promise<readonly ListMemberDocument[]> {
  const way = asked.skip === 0 ? START : await wayTo(readModels, workspaceId, listId, asked.skip);
  if (way === null) return [];
  return readModels.find(listMembers, {
    where: { workspaceId, listId, ...(way.bound === null ? {} : { id: { gte: way.bound[0] } }) },
    sort: [['id', 'asc']],
    skip: way.skip,
    limit: asked.pageSize,
  });
}

async function wayTo(readModels: ReadModels, workspaceId: number, listId: number, skip: number) {
  return wayUp(await readModels.get(memberLandmarks, memberLandmarksKey(workspaceId, listId)), skip);
}
