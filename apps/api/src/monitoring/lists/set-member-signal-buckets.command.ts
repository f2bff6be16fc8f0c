import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { invalidList, list, listNotFound, requireKind, requireList } from '#lists/domain/lists/list.js';
import { memberNotFound, requireMember } from '#lists/domain/lists/list-members.js';
import { setMemberMonitoring } from '#lists/domain/lists/list-monitoring.js';
import type { MemberMonitoring } from '#lists/domain/lists/member.events.js';
import { IsNullable } from '#http/body.js';
import { creditHeaders, type CreditsTold } from '#http/credit-headers.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { reply } from '#http/reply.js';
import { admissionProblems, requireMonitorable } from '#monitoring/admission.js';
import { chargedMonths, markLedger } from '#monitoring/charged-months.js';
import { monitoredCompanies } from '#monitoring/monitored-companies.js';
import { startMonitoring } from '#monitoring/start-monitoring.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import { CLOCK, COMMANDS, IDS, NETWORK_DIRECTORY, READ_MODELS } from '../../ports.js';
import { decideMember, type AboutList } from '../../lists/decide-list.js';
import { memberPathV3 } from '../../lists/list-path.js';
import { memberView } from '#lists/answers/member.view.js';
import { MonitoredMemberView, type MonitoredMemberAnswer } from './monitored-list.view.js';

export class SetMemberSignalBucketsBody {
  @IsNullable()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1)
  @IsIn(['essential'], { each: true })
  signal_buckets: 'essential'[] | null;
}

type MemberSet = { readonly member: MonitoredMemberAnswer; readonly told: CreditsTold };

export class SetMemberMonitoring extends Command<MemberSet> {
  constructor(
    readonly list: AboutList,
    readonly memberId: number,
    readonly monitoring: MemberMonitoring,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v3/lists/:kind/:list_id/members/:member_id/signal-buckets',
  summary: 'Monitor a member of a list or not',
  description:
    'Null stops it. What is set stays, whatever the list says, until monitoring is set for the whole list.',
  params: memberPathV3,
  body: SetMemberSignalBucketsBody,
  response: DataOf(MonitoredMemberView),
  tellsCredits: 'charged and remaining',
  problems: [listNotFound, memberNotFound, invalidList, ...admissionProblems],
})
export class SetMemberSignalBucketsEndpoint {
  constructor(private readonly commands: CommandBus) {}

  async handle(request: EndpointRequest<SetMemberSignalBucketsBody, NoParameters, typeof memberPathV3>) {
    const { workspaceId, params: asked, body, context } = request;
    const about = { workspaceId, kind: asked.kind, listId: asked.list_id, context };
    const monitoring = body.signal_buckets === null ? 'off' : 'essential';
    const command = new SetMemberMonitoring(about, asked.member_id, monitoring);
    const { member, told } = await this.commands.execute(command);
    return reply({ data: member }, { headers: creditHeaders(told) });
  }
}

@CommandHandler(SetMemberMonitoring)
export class SetMemberMonitoringHandler implements ICommandHandler<SetMemberMonitoring> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(IDS) readonly ids: Ids,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(NETWORK_DIRECTORY) readonly directory: NetworkDirectory,
  ) {}

  async execute({ list: about, memberId, monitoring }: SetMemberMonitoring): Promise<MemberSet> {
    const { workspaceId, listId, kind, context } = about;
    const prepare = async () => {
      const personaIds = await this.commands.load(list, workspaceScoped(workspaceId, listId), (state) => {
        requireMember(requireKind(state, kind), memberId);
        return requireList(state).personaIds;
      });
      if (monitoring === 'essential' && kind === 'company') {
        await requireMonitorable(this, workspaceId, personaIds);
      }
      return setMemberMonitoring(memberId, monitoring);
    };
    const mark = await markLedger(this.commands, workspaceId);
    const member = await decideMember(this, { ...about, memberId }, { prepare });
    await startMonitoring(this, { workspaceId, context }, listId);
    const companyIds = await monitoredCompanies(this.readModels, workspaceId, listId, memberId);
    return {
      member: { ...memberView(member), signal_buckets: monitoring === 'essential' ? ['essential'] : null },
      told: await chargedMonths(this.commands, workspaceId, mark, companyIds),
    };
  }
}
