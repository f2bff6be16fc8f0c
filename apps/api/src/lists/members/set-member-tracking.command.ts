import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { listNotFound } from '#lists/domain/lists/list.js';
import { memberNotFound, setTracking } from '#lists/domain/lists/list-members.js';
import type { TrackingStatus } from '#lists/domain/lists/member.events.js';
import { IsNullable } from '#http/body.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import type { ListMemberDocument } from '#projections/lists/list-members/list-members.projection.js';
import { COMMANDS, READ_MODELS } from '../../ports.js';
import { decideMember, type AboutList } from '../decide-list.js';
import { memberPath } from '../list-path.js';
import { MemberView, memberView } from '#lists/answers/member.view.js';

export class SetMemberTrackingBody {
  @IsNullable()
  @IsIn(['followed', 'unfollowed'])
  tracking_status: TrackingStatus | null;
}

export class SetMemberTracking extends Command<ListMemberDocument> {
  constructor(
    readonly list: AboutList,
    readonly memberId: number,
    readonly wanted: TrackingStatus | null,
  ) {
    super();
  }
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
export class SetMemberTrackingEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<SetMemberTrackingBody, NoParameters, typeof memberPath>) {
    const { workspaceId, params: asked, body, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    const member = await this.commands.execute(
      new SetMemberTracking(about, asked.member_id, body.tracking_status),
    );
    return { data: memberView(member) };
  }
}

@CommandHandler(SetMemberTracking)
export class SetMemberTrackingHandler implements ICommandHandler<SetMemberTracking> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  execute({ list: about, memberId, wanted }: SetMemberTracking): Promise<ListMemberDocument> {
    const { commands, readModels } = this;
    return decideMember({ commands, readModels }, { ...about, memberId }, setTracking(memberId, wanted));
  }
}
