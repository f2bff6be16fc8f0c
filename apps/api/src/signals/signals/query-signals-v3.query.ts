import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { unknownCompany } from '#identities/domain/companies/company.js';
import { cursorRefused, Cursors } from '#http/cursors.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { EndpointQuery } from '#http/endpoint-message.js';
import { cursorPageV3, CursorPageV3Of } from '#http/paging.js';
import { SignalView, signalViews } from '#signals/answers/signal.view.js';
import { signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { CLOCK, READ_MODELS } from '../../ports.js';
import { requireCompany } from './filtered-companies.js';
import { QuerySignalsV3Body } from './signal-filter.body.js';
import type { SignalFilter } from './signal-filter.js';
import { querySignals } from './signal-page.js';
import { signalWindowV3, type SignalWindow } from './signal-window.js';

type SignalsPage = ReturnType<typeof cursorPageV3<SignalView>>;

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
  response: CursorPageV3Of(SignalView),
  problems: [cursorRefused, unknownCompany],
})
export class QuerySignalsV3 extends EndpointQuery<EndpointRequest<QuerySignalsV3Body>, SignalsPage> {}

@QueryHandler(QuerySignalsV3)
export class QuerySignalsV3Handler implements IQueryHandler<QuerySignalsV3> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly cursors: Cursors,
  ) {}

  async execute({ request: { workspaceId, body } }: QuerySignalsV3): Promise<SignalsPage> {
    const { rows, next } = await querySignals(this.readModels, this.cursors, {
      endpoint: 'signals-v3',
      workspaceId,
      body,
      windowOf: () => signalWindowV3(body, this.clock.now()),
      filterOf: (window) => this.filterOf(workspaceId, body, window),
    });
    return cursorPageV3(await signalViews(this.readModels, workspaceId, rows), next);
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
}
