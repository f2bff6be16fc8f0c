import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { memberNotFound, setSignalBucket } from '#lists/domain/lists/list-members.js';
import type { MemberSignalBucket } from '#lists/domain/lists/member.events.js';
import { IsNullable } from '#http/body.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import type { ListMemberDocument } from '#projections/lists/list-members/list-members.projection.js';
import { COMMANDS, READ_MODELS } from '../../ports.js';
import { decideMember, type AboutList } from '../decide-list.js';
import { memberPath } from '../list-path.js';
import { MemberView, memberView } from '#lists/answers/member.view.js';

export class SetMemberBucketBody {
  @IsNullable()
  @IsIn(['bucket_1', 'bucket_2', 'bucket_3'])
  signal_bucket: MemberSignalBucket | null;
}

export class SetMemberBucket extends Command<ListMemberDocument> {
  constructor(
    readonly list: AboutList,
    readonly memberId: number,
    readonly wanted: MemberSignalBucket | null,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v2/lists/:kind/:list_id/members/:member_id/signal-bucket',
  summary: 'Label a member of a list',
  description: 'Null returns to the default of the list. A label has no effect on what is watched.',
  params: memberPath,
  body: SetMemberBucketBody,
  response: DataOf(MemberView),
  problems: [listNotFound, memberNotFound],
})
export class SetMemberBucketEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<SetMemberBucketBody, NoParameters, typeof memberPath>) {
    const { workspaceId, params: asked, body, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    const member = await this.commands.execute(
      new SetMemberBucket(about, asked.member_id, body.signal_bucket),
    );
    return { data: memberView(member) };
  }
}

@CommandHandler(SetMemberBucket)
export class SetMemberBucketHandler implements ICommandHandler<SetMemberBucket> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  execute({ list: about, memberId, wanted }: SetMemberBucket): Promise<ListMemberDocument> {
    const { commands, readModels } = this;
    return decideMember({ commands, readModels }, { ...about, memberId }, setSignalBucket(memberId, wanted));
  }
}
