import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { JsonObject } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { addInPieces, judgeRows } from '#lists/add-members.js';
import { list, listNotFound, requireKind } from '#lists/domain/lists/list.js';
import { listFilledByCrm, requireOpenTo } from '#lists/domain/lists/list-members.js';
import type { MemberRow } from '#lists/domain/lists/member-admission.js';
import { MAX_MEMBERS_AT_ONCE } from '#lists/domain/lists/member.events.js';
import { IsFreeObject } from '#http/body.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import { addedMember } from '#projections/lists/list-members/list-members.projection.js';
import { API_SETTINGS, CLOCK, COMMANDS, IDS, NETWORK_DIRECTORY, type ApiSettings } from '../../ports.js';
import type { AboutList } from '../decide-list.js';
import { listPath } from '../list-path.js';
import { MEMBER_ROW, readMemberRows, requireNoCompany, type RowsField } from './member-rows.js';
import { memberView, MemberView, RowErrorView, type AddedMembers } from '#lists/answers/member.view.js';

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

export class AddMembers extends Command<AddedMembers> {
  constructor(
    readonly list: AboutList,
    readonly rows: readonly MemberRow[],
    readonly field: RowsField,
  ) {
    super();
  }
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
export class AddMembersEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<{ body: AddMembersBody; params: typeof listPath }>) {
    const { workspaceId, params: asked, body, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    const rows = readMemberRows(body.members, 'members');
    const { data, errors } = await this.commands.execute(new AddMembers(about, rows, 'members'));
    return { data: data.map(memberView), errors };
  }
}

@CommandHandler(AddMembers)
export class AddMembersHandler implements ICommandHandler<AddMembers> {
  constructor(
    @Inject(COMMANDS) private readonly commands: Commands,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(NETWORK_DIRECTORY) private readonly directory: NetworkDirectory,
    @Inject(API_SETTINGS) private readonly settings: ApiSettings,
  ) {}

  async execute({ list: about, rows, field }: AddMembers): Promise<AddedMembers> {
    const { workspaceId, kind, listId } = about;
    const { commands, ids, clock, settings } = this;
    const { verdicts } = await judgeRows(this.directory, settings.networkBaseUrl, kind, rows);
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
    return { data: added.map((member) => addedMember(workspaceId, listId, kind, member)), errors };
  }
}
