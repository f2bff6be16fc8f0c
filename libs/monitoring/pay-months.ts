import { contextOfStep } from '#kernel/commands/decider.js';
import { ReadModelUnavailable } from '#kernel/ports/read-store.port.js';
import { loadChargesMark } from '#ledger/charging/charges.js';
import { accountMonitoring, retried } from './domain/account-monitoring.js';
import { MAX_UNITS_AT_ONCE } from './domain/account-monitoring.events.js';
import { companies } from '#projections/identities/companies/companies.projection.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import {
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import {
  monitoringWork,
  monitoringWorkKey,
  type MonitoringWorkDocument,
} from '#projections/monitoring/monitoring-work/monitoring-work.projection.js';
import { unitsDue } from './due-units.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { ledgerShown, monitoringShown, partOf, type MonthsPart } from './months-part.js';
import { payUnits, refuseUnits, type Tried } from './pay-units.js';

/** The limits of a run. */
type Bounds = {
  readonly signal?: AbortSignal;
  /** The approximate number of months; absent: all. */
  readonly most?: number;
  /** Months paid in one step; absent: the maximum. */
  readonly step?: number;
};

/** The read models that have to show earlier writes before a background worker pays months. */
export const READ_FOR_MONTHS = [
  companies.name,
  monitoredUnits.name,
  monitoringWork.name,
  creditMovements.name,
];

/**
 * The bounds of one part of background work: about this many months before another workspace, in so small steps that
 * requests are decided in between. Measured with 100,000 units: 3,100 months in a second of the processor, in steps of 25 months 2,600
 * and of 100 months 3,600; the 99th percentile of another request in the same process is 42, 29 and 67 ms.
 */
export const BACKGROUND_PART = { most: 500, step: 50 } as const satisfies Bounds;

/**
 * Retries uncovered units if a retry is due, and then pays the months that are due for the first time (OP-27). Every
 * caller uses this order, so that the balance always suffices for the same accounts. Resolves after the read models
 * have applied the payments. `continues`: it ended before every unit was tried. `withheld`: units were left out that
 * belong to an incomplete beginning or fell due after it; the process that completes the beginning starts the renewal.
 */
export async function workOffMonths(
  host: MonitoringHost,
  task: MonitoringTask,
  { signal, most = Number.POSITIVE_INFINITY, step = MAX_UNITS_AT_ONCE }: Bounds = {},
): Promise<'tried' | 'withheld' | 'continues'> {
  const part: MonthsPart = { ...partOf(host, task), signal, step, left: most };
  for (;;) {
    part.isWithheld = false;
    const ended = await retryAndPay(part);
    // The next reader of due units must not find the paid ones.
    if (part.hasCharged && ended !== 'moved') await ledgerShown(host, task);
    if (ended === 'tried') return part.isWithheld ? 'withheld' : 'tried';
    if (ended === 'continues') return ended;
    signal?.throwIfAborted();
    if (part.left <= 0) return 'continues';
  }
}

/**
 * Retries uncovered units before other work spends credits, because these months come first (OP-27); the hourly retry
 * does not change. Throws `ReadModelUnavailable` if the read models stay behind.
 */
export async function payWaitingMonths(
  host: MonitoringHost,
  task: MonitoringTask,
  signal: AbortSignal,
): Promise<void> {
  const part: MonthsPart = { ...partOf(host, task), signal };
  for (;;) {
    signal.throwIfAborted();
    part.mark = await loadChargesMark(host.commands, task.workspaceId);
    const { retryAt } = await monitoringShown(host, task);
    // A month that was refused while the workspace was blocked has no hourly retry; the end of the block makes it due.
    if (retryAt === null && !(await hasRetryDue(host, task))) return;
    const ended = await tryUncovered(part);
    if (ended === 'continues')
      throw new ReadModelUnavailable('the read models of monitored accounts stay behind');
    if (ended !== 'moved') return;
  }
}

async function hasRetryDue(
  { readModels }: MonitoringHost,
  { workspaceId }: MonitoringTask,
): Promise<boolean> {
  const work = await readModels.get(monitoringWork, monitoringWorkKey(workspaceId));
  return (work?.retryDueAt ?? null) !== null;
}

/**
 * The end of a part of the work: every unit was tried, or the work continues, or it begins again because the ledger has
 * changed.
 */
type Ended = 'tried' | 'continues' | 'moved';

async function retryAndPay(part: MonthsPart): Promise<Ended> {
  const { host, task } = part;
  // Before anything is read that the ledger or the monitoring of the workspace could change.
  part.mark = await loadChargesMark(host.commands, task.workspaceId);
  const isLate = (await monitoringShown(host, task)).isLate || (await ledgerShown(host, task));
  // A partial read would pay only a part, in another order; the months are paid later.
  if (isLate) return 'tried';
  const key = monitoringWorkKey(task.workspaceId);
  const work = await host.readModels.get(monitoringWork, key);
  const retryDueAt = work?.retryDueAt ?? null;
  // Read before the ledger: a later event is a reason to retry.
  part.seen = { wakes: work?.wakes ?? 0, reasons: work?.reasons ?? 0 };
  if (work !== null && retryDueAt !== null && retryDueAt <= host.clock.now().toISOString()) {
    const ended = await retryMonths(part, work);
    if (ended !== 'tried') return ended;
  }
  return payDueMonths(part);
}

/**
 * Pays the due months of a workspace, in the order of time, company and business unit, as far as the balance allows
 * (OP-27); the rest is not covered from then on. Idempotent.
 */
async function payDueMonths(part: MonthsPart): Promise<Ended> {
  for await (const units of unitsDue(part, 'monitored')) {
    if (units === 'late') return 'continues';
    const tried = await payUnits(part, units, `due:${units[0]?.unit}`);
    if (tried === 'moved') return tried;
    await refuseUnits(part, tried);
    if (part.left <= 0) return 'continues';
  }
  return 'tried';
}

/**
 * Retries uncovered units, the longest uncovered first, until the balance is spent. A blocked workspace waits until it
 * is unblocked.
 */
async function retryMonths(part: MonthsPart, { refusals }: MonitoringWorkDocument): Promise<Ended> {
  const { host, task } = part;
  const ended = await tryUncovered(part);
  if (ended === 'moved' || ended === 'continues') return ended;
  const [isCapped, isLeft] = [ended === 'capped', ended !== 'covered'];
  const now = host.clock.now().toISOString();
  await host.commands.handle(
    accountMonitoring,
    String(task.workspaceId),
    retried({ isLeft, isCapped, refusals, ...part.seen, now }),
    { context: contextOfStep(task.context, 'retried') },
  );
  return 'tried';
}

/**
 * Pays uncovered units in their order; `left`: some stay uncovered, `capped`: because of a cap. A unit that is not tried
 * now is left as well: its list may be archived for a moment, or the read model may not show its company yet. Units of a
 * blocked workspace are not counted.
 */
async function tryUncovered(
  part: MonthsPart,
): Promise<'covered' | 'left' | 'capped' | 'continues' | 'moved'> {
  let isSkipped = false;
  for await (const units of unitsDue(part, 'not_covered')) {
    if (units === 'late') return 'continues';
    const tried = await payUnits(part, units, `retry:${units[0]?.unit}`);
    if (tried === 'moved') return tried;
    await refuseUnits(part, tried.filter(hasNewReason(units)));
    if (tried.some(({ outcome }) => outcome === 'cap')) return 'capped';
    if (tried.some(({ outcome }) => TRIED_AGAIN.has(outcome))) return 'left';
    // If the balance does not cover one, no later one is covered.
    if (tried.some(({ outcome }) => outcome === 'blocked')) return 'covered';
    isSkipped ||= tried.length < units.length;
    if (part.left <= 0) return 'continues';
  }
  return isSkipped ? 'left' : 'covered';
}

/** Reasons that end a round: if one month is not paid for such a reason, no later one is. */
const TRIED_AGAIN: ReadonlySet<Tried['outcome']> = new Set(['credits', 'cap', 'price']);

/**
 * Whether a unit was refused for another reason than the last time. In a blocked workspace it keeps its earlier
 * reason.
 */
const hasNewReason =
  (units: readonly MonitoredUnitDocument[]) =>
  ({ companyId, personaId, outcome }: Tried): boolean => {
    const unit = units.find((each) => each.companyId === companyId && each.personaId === personaId);
    // A waiting unit that was retried has to be recorded as waiting again.
    return outcome === 'not_observable' || (outcome !== 'blocked' && outcome !== unit?.refusal);
  };
