import { toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { setupNotFound } from '#signals/domain/setups/signal-setup.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { dayOf, detectionDays } from '#projections/signals/detection-days/detection-days.projection.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { reachedCompanies } from '#projections/signals/reached-companies/reached-companies.projection.js';
import { SignalSummary, summarizeSignals } from '#projections/signals/detections/signal-summary.js';
import { signalSetupKey, signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { topDetectedBefore } from '../detection-counts.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { countKeyAccounts } from './key-accounts.js';
import { statsPeriod, type StatsPeriod } from './stats-period.js';

const Count = Type.Integer({ minimum: 0 });
const Stats = Type.Object(
  {
    signal_setup_id: Id,
    period_start: Timestamp,
    period_end: Timestamp,
    signals_found: Count,
    accounts_reached: Count,
    key_accounts: Count,
    new_accounts: Count,
    credits_spent: Type.Number(),
    weeks: Type.Array(Type.Object({ start: Timestamp, signals_found: Count }, { title: 'SignalSetupWeek' }), {
      minItems: 13,
      maxItems: 13,
    }),
    latest_signal: Nullable(SignalSummary),
  },
  { title: 'SignalSetupStats' },
);
type StatsAnswer = { readonly data: Immutable<Static<typeof Stats>> };

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signal-setups/:id/stats',
  summary: 'Get the signals and costs of a signal setup in the last 90 days',
  description: 'Top-priority signals only, the set that the v3 signal query returns for the setup.',
  params,
  response: DataOf(Stats),
  problems: [setupNotFound],
})
export class GetSignalSetupStats extends EndpointQuery<StatsAnswer, { params: typeof params }> {}

/**
 * Whole days come from roll-ups and only the partial days between weeks are counted, so the cost does not grow with
 * the history.
 */
handle(GetSignalSetupStats, async ({ workspaceId, params }, ports): Promise<StatsAnswer> => {
  const { id: setupId } = params;
  const key = signalSetupKey(workspaceId, setupId);
  if ((await ports.readModels.get(signalSetups, key)) === null) throw setupNotFound();
  const period = statsPeriod(ports.clock.now());
  const ofSetup = { workspaceId, setupId, priority: 1 };
  const [counts, accountsReached, keyAccounts, creditsSpent, latest] = await Promise.all([
    countWeeks(ports, ofSetup, period),
    countAccounts(ports, ofSetup, period),
    countKeyAccounts(ports.readModels, workspaceId, setupId, period.start),
    sumCredits(ports, ofSetup, period),
    findLatest(ports, ofSetup, period),
  ]);
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
});

async function countWeeks(
  { readModels }: ApiPorts,
  ofSetup: OfSetup,
  { start, weeks }: StatsPeriod,
): Promise<readonly number[]> {
  const [first = 0, ...ends] = await topDetectedBefore(readModels, ofSetup, [
    { at: start, inclusive: false },
    ...weeks.map(({ end, isLast }) => ({ at: end, inclusive: isLast })),
  ]);
  return ends.map((end, week) => Math.max(0, end - (week === 0 ? first : (ends[week - 1] ?? 0))));
}

function countAccounts(
  { readModels }: ApiPorts,
  { workspaceId, setupId }: OfSetup,
  { start }: StatsPeriod,
): Promise<number> {
  const where = { workspaceId, setupId, lastDetectedAt: { gte: start } };
  return readModels.count(reachedCompanies, { where });
}

/** The credits held in the period, minus the released ones of these. Releases are few. */
async function sumCredits(
  { readModels }: ApiPorts,
  { workspaceId, setupId }: OfSetup,
  { start, end }: StatsPeriod,
): Promise<number> {
  const day = { gte: dayOf(start), lte: dayOf(end) };
  const total = { by: [], sum: 'creditsHeld' };
  const ofMovements = { by: [], sum: 'credits' };
  const earlier = { gte: `${dayOf(start)}T00:00:00.000Z`, lt: start };
  const released = { status: 'released', createdAt: { gte: start, lte: end } };
  const [[held], [before], [givenBack]] = await Promise.all([
    readModels.groups(detectionDays, { where: { workspaceId, sourceId: setupId, day } }, total),
    readModels.groups(creditMovements, { where: { workspaceId, setupId, createdAt: earlier } }, ofMovements),
    readModels.groups(creditMovements, { where: { workspaceId, setupId, ...released } }, ofMovements),
  ]);
  return toJsonNumber((held?.sum ?? 0n) - (before?.sum ?? 0n) - (givenBack?.sum ?? 0n));
}

async function findLatest(
  { readModels }: ApiPorts,
  ofSetup: OfSetup,
  period: StatsPeriod,
): Promise<SignalSummary | null> {
  const found = await readModels.find(detections, {
    where: { ...ofSetup, detectedAt: { gte: period.start, lte: period.end } },
    sort: [
      ['detectedAt', 'desc'],
      ['id', 'desc'],
    ],
    limit: 1,
  });
  return (await summarizeSignals(readModels, found))[0] ?? null;
}

type OfSetup = { readonly workspaceId: number; readonly setupId: number; readonly priority: number };
