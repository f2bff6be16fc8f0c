import { workspaceScoped } from '#kernel/commands/decider.js';
import { invalidList, list, listNotFound, requireKind, requireList } from '#lists/domain/lists/list.js';
import { memberNotFound, requireMember } from '#lists/domain/lists/list-members.js';
import { setMemberMonitoring } from '#lists/domain/lists/list-monitoring.js';
import { creditHeaders } from '#http/credit-headers.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { reply, type Reply } from '#http/reply.js';
import { admissionProblems, requireMonitorable } from '#monitoring/admission.js';
import { chargedMonths } from '#monitoring/charged-months.js';
import { companyOfMember } from '#monitoring/list-requests.js';
import { startMonitoring } from '#monitoring/start-monitoring.js';
import { handle } from '../../handle.js';
import { decideMember } from '../../lists/decide-list.js';
import { memberPathV3 } from '../../lists/list-path.js';
import { IsSignalBuckets } from '../signal-buckets.body.js';
import { memberView, MonitoredMemberView, type MonitoredMemberAnswer } from '#lists/answers/member.view.js';

export class SetMemberSignalBucketsBody {
  @IsSignalBuckets()
  signal_buckets: 'essential'[] | null;
}

@Endpoint({
  caller: 'apiKey',
  route: 'PATCH /api/v3/lists/:kind/:list_id/members/:member_id/signal-buckets',
  summary: 'Monitor a member of a list or not',
  description:
    'Null stops it. The setting of the member overrides the list until monitoring is set for the whole list.',
  params: memberPathV3,
  body: SetMemberSignalBucketsBody,
  response: DataOf(MonitoredMemberView),
  reportsCredits: 'charged and remaining',
  problems: [listNotFound, memberNotFound, invalidList, ...admissionProblems],
})
export class SetMemberSignalBuckets extends EndpointCommand<
  Reply<{ readonly data: MonitoredMemberAnswer }>,
  { body: SetMemberSignalBucketsBody; params: typeof memberPathV3 }
> {}

handle(SetMemberSignalBuckets, async ({ workspaceId, params, body, context }, ports) => {
  const { kind, list_id: listId, member_id: memberId } = params;
  const monitoring = body.signal_buckets === null ? 'off' : 'essential';
  const prepare = async () => {
    const personaIds = await ports.commands.load(list, workspaceScoped(workspaceId, listId), (state) => {
      requireMember(requireKind(state, kind), memberId);
      return requireList(state).personaIds;
    });
    if (monitoring === 'essential' && kind === 'company') {
      await requireMonitorable(ports, workspaceId, personaIds);
    }
    return setMemberMonitoring(memberId, monitoring);
  };
  const chargedFor = await chargedMonths(ports, workspaceId);
  const member = await decideMember(ports, { workspaceId, kind, listId, memberId, context }, { prepare });
  await startMonitoring(ports, { workspaceId, context }, listId);
  const companyIds = await companyOfMember(ports.readModels, workspaceId, listId, memberId);
  const credits = await chargedFor(companyIds);
  const data: MonitoredMemberAnswer = {
    ...memberView(member),
    signal_buckets: body.signal_buckets && ['essential'],
  };
  return reply({ data }, { headers: creditHeaders(credits) });
});
