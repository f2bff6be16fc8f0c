import { IsIn } from 'class-validator';
import { listNotFound } from '#lists/domain/lists/list.js';
import { memberNotFound, setTracking } from '#lists/domain/lists/list-members.js';
import type { TrackingStatus } from '#lists/domain/lists/member.events.js';
import { IsNullable } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { decideMember } from '../decide-list.js';
import { memberPath } from '../list-path.js';
import { MemberView, memberView, type MemberAnswer } from '#lists/answers/member.view.js';

export class SetMemberTrackingBody {
  @IsNullable()
  @IsIn(['followed', 'unfollowed'])
  tracking_status: TrackingStatus | null;
}

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v2/lists/:kind/:list_id/members/:member_id/tracking-status',
  summary: 'Follow a member of a list or not',
  description:
    'Null returns to the default of the list. An unfollowed member is not watched and costs nothing.',
  params: memberPath,
  body: SetMemberTrackingBody,
  response: DataOf(MemberView),
  problems: [listNotFound, memberNotFound],
})
export class SetMemberTracking extends EndpointCommand<
  DataOf<MemberAnswer>,
  { body: SetMemberTrackingBody; params: typeof memberPath }
> {}

export const setMemberTracking = handle(SetMemberTracking, async (request, ports) => {
  const { workspaceId, params, body, context } = request;
  const { kind, list_id: listId, member_id: memberId } = params;
  const about = { workspaceId, kind, listId, memberId, context };
  const member = await decideMember(ports, about, setTracking(memberId, body.tracking_status));
  return { data: memberView(member) };
});
