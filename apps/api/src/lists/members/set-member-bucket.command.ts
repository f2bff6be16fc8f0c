import { IsIn } from 'class-validator';
import type { Static } from '#kernel/values/schema.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { memberNotFound, setSignalBucket } from '#lists/domain/lists/list-members.js';
import type { MemberSignalBucket } from '#lists/domain/lists/member.events.js';
import { IsNullable } from '#http/body.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { handle } from '../../handle.js';
import { decideMember } from '../decide-list.js';
import { memberPath } from '../list-path.js';
import { MemberView, memberView } from '#lists/answers/member.view.js';

export class SetMemberBucketBody {
  @IsNullable()
  @IsIn(['bucket_1', 'bucket_2', 'bucket_3'])
  signal_bucket: MemberSignalBucket | null;
}

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v2/lists/:kind/:list_id/members/:member_id/signal-bucket',
  summary: 'Label a member of a list',
  description: 'Null returns to the default of the list. A label has no effect on monitoring.',
  params: memberPath,
  body: SetMemberBucketBody,
  response: DataOf(MemberView),
  problems: [listNotFound, memberNotFound],
})
export class SetMemberBucket extends EndpointCommand<
  { readonly data: Static<typeof MemberView> },
  { body: SetMemberBucketBody; params: typeof memberPath }
> {}

handle(SetMemberBucket, async ({ workspaceId, params, body, context }, ports) => {
  const { kind, list_id: listId, member_id: memberId } = params;
  const about = { workspaceId, kind, listId, memberId, context };
  const member = await decideMember(ports, about, setSignalBucket(memberId, body.signal_bucket));
  return { data: memberView(member) };
});
