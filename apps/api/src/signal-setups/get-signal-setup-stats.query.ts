import { Inject } from '@nestjs/common';
import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/clock.js';
import { toJsonNumber } from '#kernel/credits.js';
import type { Immutable } from '#kernel/event.js';
import type { ReadModels } from '#kernel/read-store.port.js';
import { Id, Nullable, Timestamp, Type, type Static } from '#kernel/schema.js';
import { setupNotFound } from '#domain/signal-setups/signal-setup.js';
import { Endpoint, type EndpointRequest, type NoParameters } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { creditMovements } from '#projections/credit-movements/credit-movements.projection.js';
import { detections, type DetectionDocument } from '#projections/detections/detections.projection.js';
import { SignalSummary, summarizeSignals } from '#projections/detections/signal-summary.js';
import {
  signalSetupKey,
  signalSetups,
  type SignalSetupDocument,
} from '#projections/signal-setups/signal-setups.projection.js';
import { CLOCK, READ_MODELS } from '../ports.js';
import { statsPeriod, type StatsPeriod, type StatsWeek } from './stats-period.js';

const Count = Type.Integer({ minimum: 0 });
const Stats = Type.Object({
  signal_setup_id: Id,
  period_start: Timestamp,
  period_end: Timestamp,
  signals_found: Count,
  accounts_reached: Count,
  key_accounts: Count,
  new_accounts: Count,
  credits_spent: Type.Number(),
  weeks: Type.Array(Type.Object({ start: Timestamp, signals_found: Count }), { minItems: 13, maxItems: 13 }),
  latest_signal: Nullable(SignalSummary),
});
type StatsAnswer = { readonly data: Immutable<Static<typeof Stats>> };

export class GetSignalSetupStats extends Query<StatsAnswer> {
  constructor(
    readonly workspaceId: number,
    readonly setupId: number,
  ) {
    super();
  }
}

const params = { id: idParam(400) };

@Endpoint({
  route: 'GET /api/v3/signal-setups/:id/stats',
  summary: 'What a signal setup found and cost in the last 90 days',
  description: 'Top-priority signals only, the set that the v3 signal query returns for the setup.',
  params,
  response: DataOf(Stats),
  problems: [setupNotFound],
})
export class GetSignalSetupStatsEndpoint {
  constructor(private readonly queries: QueryBus) {}

  handle(request: EndpointRequest<undefined, NoParameters, typeof params>): Promise<StatsAnswer> {
    return this.queries.execute(new GetSignalSetupStats(request.workspaceId, request.params.id));
  }
}

/** Everything is counted inside the 90 days on an index of the setup, so the cost does not grow with history. */
@QueryHandler(GetSignalSetupStats)
export class GetSignalSetupStatsHandler implements IQueryHandler<GetSignalSetupStats> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, setupId }: GetSignalSetupStats): Promise<StatsAnswer> {
    const key = signalSetupKey(workspaceId, setupId);
    if ((await this.readModels.get<SignalSetupDocument>(signalSetups, key)) === null) throw setupNotFound();
    const period = statsPeriod(this.clock.now());
    const ofSetup = { workspaceId, setupId, priority: 1 };
    const [counts, accountsReached, creditsSpent, latest] = await Promise.all([
      Promise.all(period.weeks.map((week) => this.countWeek(ofSetup, week))),
      this.countAccounts(ofSetup, period),
      this.sumCredits(workspaceId, setupId, period),
      this.findLatest(ofSetup, period),
    ]);
    // Lists of this version hold no members: nobody who was reached is on a customer or prospect list.
    const keyAccounts = 0;
    return {
      data: {
        signal_setup_id: setupId,
        period_start: period.start,
        period_end: period.end,
        signals_found: counts.reduce((sum, count) => sum + count, 0),
        accounts_reached: accountsReached,
        key_accounts: keyAccounts,
        new_accounts: accountsReached - keyAccounts,
        credits_spent: creditsSpent,
        weeks: period.weeks.map(({ start }, week) => ({ start, signals_found: counts[week] ?? 0 })),
        latest_signal: latest,
      },
    };
  }

  private countWeek(ofSetup: OfSetup, { start, end, isLast }: StatsWeek): Promise<number> {
    const detectedAt = { gte: start, ...(isLast ? { lte: end } : { lt: end }) };
    return this.readModels.count(detections, { where: { ...ofSetup, detectedAt } });
  }

  private async countAccounts(ofSetup: OfSetup, period: StatsPeriod): Promise<number> {
    const where = { ...ofSetup, detectedAt: { gte: period.start, lte: period.end } };
    const companies = await this.readModels.groups(detections, { where }, { by: ['companyId'] });
    return companies.filter(({ by: [companyId] }) => companyId !== null).length;
  }

  private async sumCredits(workspaceId: number, setupId: number, period: StatsPeriod): Promise<number> {
    const createdAt = { gte: period.start, lte: period.end };
    const where = { workspaceId, setupId, createdAt, status: { in: ['held', 'captured'] } };
    const [spent] = await this.readModels.groups(creditMovements, { where }, { by: [], sum: 'credits' });
    return toJsonNumber(spent?.sum ?? 0n);
  }

  private async findLatest(ofSetup: OfSetup, period: StatsPeriod): Promise<SignalSummary | null> {
    const found = await this.readModels.find<DetectionDocument>(detections, {
      where: { ...ofSetup, detectedAt: { gte: period.start, lte: period.end } },
      sort: [
        ['detectedAt', 'desc'],
        ['id', 'desc'],
      ],
      limit: 1,
    });
    return (await summarizeSignals(this.readModels, found))[0] ?? null;
  }
}

type OfSetup = { readonly workspaceId: number; readonly setupId: number; readonly priority: number };
