import { Inject } from '@nestjs/common';
import { CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional } from 'class-validator';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
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
import { IsNullable, NeedsSomeField } from '#http/body.js';
import { creditHeaders } from '#http/credit-headers.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { reply, type Reply } from '#http/reply.js';
import { admissionProblems, requireMonitorable } from '#monitoring/admission.js';
import { chargedMonths, markLedger } from '#monitoring/charged-months.js';
import { monitoredCompanies } from '#monitoring/monitored-companies.js';
import { startMonitoring } from '#monitoring/start-monitoring.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import { CLOCK, COMMANDS, IDS, NETWORK_DIRECTORY, READ_MODELS } from '../../ports.js';
import { requireActivePersonas } from '../../lists/active-personas.js';
import { ChangeListBody } from '../../lists/change-list.command.js';
import { decideList } from '../../lists/decide-list.js';
import { listPathV3 } from '../../lists/list-path.js';
import { GetMonitoredList } from './get-monitored-list.query.js';
import { MonitoredListView, type MonitoredListAnswer } from './monitored-list.view.js';

@NeedsSomeField('Send at least one of signal_buckets and the fields of v2.')
export class ChangeMonitoredListBody extends ChangeListBody {
  @IsOptional()
  @IsNullable()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1)
  @IsIn(['essential'], { each: true })
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

@CommandHandler(ChangeMonitoredList)
export class ChangeMonitoredListHandler implements ICommandHandler<ChangeMonitoredList> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(IDS) readonly ids: Ids,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(NETWORK_DIRECTORY) readonly directory: NetworkDirectory,
    private readonly queries: QueryBus,
  ) {}

  async execute({ request }: ChangeMonitoredList) {
    const { workspaceId, params, body, context } = request;
    const { kind, list_id: listId } = params;
    const personaIds = body.persona_ids === null ? [] : body.persona_ids;
    const buckets: MonitoredBuckets | undefined = body.signal_buckets && ESSENTIAL;
    const wanted = body.signal_buckets === null ? null : buckets;
    const prepare = async () => {
      const before = await this.commands.load(list, workspaceScoped(workspaceId, listId), (state) => {
        const { personaIds: known } = requireList(requireKind(state, kind));
        if (wanted !== undefined) requireCompanyList(state);
        return known;
      });
      await requireActivePersonas(this.readModels, workspaceId, personaIds ?? []);
      if (wanted) await requireMonitorable(this, workspaceId, personaIds ?? before);
      const change = changeList({
        changes: {
          name: body.name,
          description: body.description,
          defaultTrackingStatus: body.default_tracking_status,
          personaIds,
        },
        archived: body.archived,
        now: this.clock.now().toISOString(),
      });
      return (state: List) => [
        ...change(state),
        ...(wanted === undefined ? [] : setListMonitoring(wanted)(state)),
      ];
    };
    const mark = await markLedger(this.commands, workspaceId);
    await decideList(this, { workspaceId, kind, listId, context }, { prepare });
    await startMonitoring(this, { workspaceId, context }, listId);
    const companyIds = await monitoredCompanies(this.readModels, workspaceId, listId);
    const credits = await chargedMonths(this.commands, workspaceId, mark, companyIds);
    const changed = await this.queries.execute(new GetMonitoredList({ ...request, body: undefined }));
    return reply(changed, { headers: creditHeaders(credits) });
  }
}
