import { IsOptional } from 'class-validator';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { MonitoredBuckets } from '#lists/domain/lists/list.events.js';
import {
  changeList,
  invalidList,
  list,
  listNotFound,
  requireKind,
  requireList,
} from '#lists/domain/lists/list.js';
import { ESSENTIAL, requireCompanyList, setListMonitoring } from '#lists/domain/lists/list-monitoring.js';
import type { List } from '#lists/domain/lists/list-state.js';
import { NeedsSomeField } from '#http/body.js';
import { creditHeaders } from '#http/credit-headers.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { reply, type Reply } from '#http/reply.js';
import { admissionProblems, requireMonitorable } from '#monitoring/admission.js';
import { chargedMonths } from '#monitoring/charged-months.js';
import { companiesOfList } from '#monitoring/list-requests.js';
import { startMonitoring } from '#monitoring/start-monitoring.js';
import { handle } from '../../handle.js';
import { requireActivePersonas } from '../../lists/active-personas.js';
import { ChangeListBody, wantedChange } from '../../lists/change-list.command.js';
import { decideList } from '../../lists/decide-list.js';
import { listPathV3 } from '../../lists/list-path.js';
import { IsSignalBuckets } from '../signal-buckets.body.js';
import { getMonitoredList } from './get-monitored-list.query.js';
import { MonitoredListView, type MonitoredListAnswer } from './monitored-list.view.js';

@NeedsSomeField('Send at least one of signal_buckets and the fields of v2.')
export class ChangeMonitoredListBody extends ChangeListBody {
  @IsOptional()
  @IsSignalBuckets()
  signal_buckets?: 'essential'[] | null;
}

@Endpoint({
  caller: 'apiKey',
  route: 'PUT /api/v3/lists/:kind/:list_id',
  summary: 'Change a list, and monitor all of its members or none',
  description:
    'As in v2, and `signal_buckets`: `["essential"]` monitors every member, including later ones, for each ' +
    'business unit of the list; null stops it, also for members that were picked one by one. Paid months ' +
    'are never refunded.',
  params: listPathV3,
  body: ChangeMonitoredListBody,
  response: DataOf(MonitoredListView),
  reportsCredits: 'charged and remaining',
  problems: [listNotFound, invalidList, ...admissionProblems],
})
export class ChangeMonitoredList extends EndpointCommand<
  Reply<{ readonly data: MonitoredListAnswer }>,
  { body: ChangeMonitoredListBody; params: typeof listPathV3 }
> {}

handle(ChangeMonitoredList, async (request, ports) => {
  const { workspaceId, params, body, context } = request;
  const { kind, list_id: listId } = params;
  const buckets: MonitoredBuckets | undefined = body.signal_buckets && ESSENTIAL;
  const wanted = body.signal_buckets === null ? null : buckets;
  const prepare = async () => {
    const before = await ports.commands.load(list, workspaceScoped(workspaceId, listId), (state) => {
      const { personaIds: known } = requireList(requireKind(state, kind));
      if (wanted !== undefined) requireCompanyList(state);
      return known;
    });
    const wantedList = wantedChange(body, ports.clock.now());
    const { personaIds } = wantedList.changes;
    await requireActivePersonas(ports.commands, workspaceId, personaIds ?? []);
    if (wanted) await requireMonitorable(ports, workspaceId, personaIds ?? before);
    return (state: List) => [
      ...changeList(wantedList)(state),
      ...(wanted === undefined ? [] : setListMonitoring(wanted)(state)),
    ];
  };
  const chargedFor = await chargedMonths(ports, workspaceId);
  await decideList(ports, { workspaceId, kind, listId, context }, { prepare });
  // Other fields do not change what is requested.
  const isFollowed = wanted !== undefined || body.persona_ids !== undefined;
  if (isFollowed) await startMonitoring(ports, { workspaceId, context }, listId);
  const companyIds = isFollowed
    ? await companiesOfList(ports.readModels, workspaceId, listId)
    : new Set<number>();
  const credits = await chargedFor(companyIds);
  const changed = await getMonitoredList({ ...request, body: undefined }, ports);
  return reply(changed, { headers: creditHeaders(credits) });
});
