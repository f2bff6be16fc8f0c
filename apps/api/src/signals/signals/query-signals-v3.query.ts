import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { unknownCompany } from '#identities/domain/companies/company.js';
import { cursorRefused, Cursors } from '#http/cursors.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { cursorPageV3, CursorPageV3Of } from '#http/paging.js';
import type { DetectionDocument } from '#projections/signals/detections/detections.projection.js';
import { SignalSummary, summarizeSignals } from '#projections/signals/detections/signal-summary.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { templateKeysOf } from '#projections/signals/signal-setups/template-keys.js';
import { CLOCK, READ_MODELS } from '../../ports.js';
import { requireCompany } from './filtered-companies.js';
import { QuerySignalsV3Body } from './signal-filter.body.js';
import type { SignalFilter } from './signal-filter.js';
import { querySignals } from './signal-page.js';
import { signalWindowV3, type SignalWindow } from './signal-window.js';

const Signal = Type.Object(
  {
    id: Id,
    /** null for signals of v2 agents and those added by hand. */
    signal_setup_id: Nullable(Id),
    signal_template_key: Nullable(Type.String()),
    ...Type.Omit(SignalSummary, ['id']).properties,
  },
  { title: 'Signal' },
);
type Signal = SignalSummary & {
  readonly signal_setup_id: number | null;
  readonly signal_template_key: string | null;
};
type SignalsPage = ReturnType<typeof cursorPageV3<Signal>>;

export class QuerySignalsV3 extends Query<SignalsPage> {
  constructor(
    readonly workspaceId: number,
    readonly body: QuerySignalsV3Body,
  ) {
    super();
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/signals/query',
  summary: 'Query the top-priority signals of the workspace',
  description:
    'Most recently detected first. Without dates: what was detected in the last 90 days, the set that the stats ' +
    'of a setup count. A cursor is good for the filters it was issued for.',
  body: QuerySignalsV3Body,
  invalidBody: 400,
  readsOnly: true,
  response: CursorPageV3Of(Signal),
  problems: [cursorRefused, unknownCompany],
})
export class QuerySignalsV3Endpoint {
  constructor(private readonly queries: QueryBus) {}

  handle({ workspaceId, body }: EndpointRequest<QuerySignalsV3Body>): Promise<SignalsPage> {
    return this.queries.execute(new QuerySignalsV3(workspaceId, body));
  }
}

@QueryHandler(QuerySignalsV3)
export class QuerySignalsV3Handler implements IQueryHandler<QuerySignalsV3> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly cursors: Cursors,
  ) {}

  async execute({ workspaceId, body }: QuerySignalsV3): Promise<SignalsPage> {
    const { rows, next } = await querySignals(this.readModels, this.cursors, {
      endpoint: 'signals-v3',
      workspaceId,
      body,
      windowOf: () => signalWindowV3(body, this.clock.now()),
      filterOf: (window) => this.filterOf(workspaceId, body, window),
    });
    return cursorPageV3(await this.signalsOf(workspaceId, rows), next);
  }

  private async filterOf(
    workspaceId: number,
    body: QuerySignalsV3Body,
    window: SignalWindow,
  ): Promise<SignalFilter> {
    if (body.company_id !== undefined) await requireCompany(this.readModels, workspaceId, body.company_id);
    return {
      workspaceId,
      window,
      priority: 1,
      sourceId: null,
      setupIds: await this.setupsOf(workspaceId, body),
      runId: body.signal_run_id ?? null,
      leadId: body.lead_id ?? null,
      companyIds: body.company_id === undefined ? null : [body.company_id],
      types: body.type ?? null,
      countries: body.countries ?? null,
      cities: body.cities ?? null,
    };
  }

  private async setupsOf(workspaceId: number, body: QuerySignalsV3Body): Promise<readonly number[] | null> {
    const { signal_setup_id, signal_template_key } = body;
    if (signal_template_key === undefined) return signal_setup_id === undefined ? null : [signal_setup_id];
    const setups = await this.readModels.find(signalSetups, {
      where: { workspaceId, templateKey: { in: signal_template_key } },
    });
    const ids = setups.map(({ id }) => id);
    return signal_setup_id === undefined ? ids : ids.filter((id) => id === signal_setup_id);
  }

  private async signalsOf(
    workspaceId: number,
    rows: readonly DetectionDocument[],
  ): Promise<readonly Signal[]> {
    const setupIds = rows.map(({ setupId }) => setupId);
    const [summaries, templateKeys] = await Promise.all([
      summarizeSignals(this.readModels, rows),
      templateKeysOf(
        this.readModels,
        workspaceId,
        setupIds.filter((setupId) => setupId !== null),
      ),
    ]);
    return summaries.map((summary, place): Signal => {
      const setupId = setupIds[place] ?? null;
      const templateKey = setupId === null ? null : (templateKeys.get(setupId) ?? null);
      return { ...summary, signal_setup_id: setupId, signal_template_key: templateKey };
    });
  }
}
