import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { addInPieces, judgeRows } from '#lists/add-members.js';
import { list, listNotFound, requireKind } from '#lists/domain/lists/list.js';
import { listFilledByCrm, requireOpenTo } from '#lists/domain/lists/list-members.js';
import { MAX_MEMBERS_AT_ONCE } from '#lists/domain/lists/member.events.js';
import { IsFreeObject } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { addedMember } from '#projections/lists/list-members/list-members.projection.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import type { AboutList } from '../decide-list.js';
import { listPath } from '../list-path.js';
import { MEMBER_ROW, readMemberRows, requireNoCompany, type RowsField } from './member-rows.js';
import {
  memberView,
  MemberView,
  RowErrorView,
  type AddedMembers,
  type MemberAnswer,
} from '#lists/answers/member.view.js';

export const noMemberAdded = refusal({
  code: 'no-member-added',
  kind: 'unprocessable',
  detail: 'No member could be added; `errors` says why for each.',
});

export class AddMembersBody {
  /** Each names a company or person by `network_url`, `network_handle` or (companies) `domain`. */
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_MEMBERS_AT_ONCE)
  @IsFreeObject({ each: true, judged: MEMBER_ROW })
  members: JsonObject[];
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/lists/:kind/:list_id/members',
  summary: 'Add members to a list',
  description:
    'Up to 100, each by `network_url` or `network_handle` (preferred) or `domain` (companies). On a ' +
    'champion list `company` {name, domain} is the present employer. Invalid rows are listed in `errors`, ' +
    'the others are added; rows of existing members are in neither.',
  params: listPath,
  body: AddMembersBody,
  response: Type.Object(
    { data: Type.Array(MemberView), errors: Type.Array(RowErrorView) },
    { title: 'AddedMembers' },
  ),
  problems: [listNotFound, listFilledByCrm, noMemberAdded],
})
export class AddMembers extends EndpointCommand<
  AddedMembers<MemberAnswer>,
  { body: AddMembersBody; params: typeof listPath }
> {}

handle(AddMembers, async ({ workspaceId, params, body, context }, ports) => {
  const about = { workspaceId, kind: params.kind, listId: params.list_id, context };
  return addRows(ports, about, body.members, 'members');
});

/** Adds what the rows of a body name, in the named field of it. Throws `noMemberAdded` if all rows are invalid. */
export async function addRows(
  { commands, ids, clock, directory, networkBaseUrl }: ApiPorts,
  about: AboutList,
  sent: readonly JsonObject[],
  field: RowsField,
): Promise<AddedMembers<MemberAnswer>> {
  const { workspaceId, kind, listId } = about;
  const rows = readMemberRows(sent, field);
  const { verdicts } = await judgeRows(directory, networkBaseUrl, kind, rows);
  const errors = verdicts.flatMap((verdict) => (verdict.admitted ? [] : [verdict.error]));
  const candidates = verdicts.flatMap((verdict) => (verdict.admitted ? [verdict.candidate] : []));
  const check = async (): Promise<void> => {
    const stream = workspaceScoped(workspaceId, listId);
    await commands.load(list, stream, (state) =>
      requireNoCompany(rows, requireOpenTo(requireKind(state, kind), 'api').type, field),
    );
    if (candidates.length === 0) throw noMemberAdded({ members: { data: [], errors } });
  };
  const addition = { ...about, source: 'api', check } as const;
  const added = await addInPieces({ commands, ids, clock }, addition, candidates);
  const data = added.map((member) => memberView(addedMember(workspaceId, listId, kind, member)));
  return { data, errors };
}
