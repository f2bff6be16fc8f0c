import { workspaceScoped } from '#kernel/commands/decider.js';
import { chargeMonths, type MonthCharge, type MonthOutcome } from '#charging/months.js';
import { pricesToCharge } from '#charging/workspace-prices.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { accountMonitoring, refuseMonths, retried } from '#domain/monitoring/account-monitoring.js';
import { MAX_UNITS_AT_ONCE, type RefusalReason } from '#domain/monitoring/account-monitoring.events.js';
import { monitoredAccount, takeFreeMonth } from '#domain/monitoring/monitored-account.js';
import { monthToPay } from '#domain/monitoring/months-facts.js';
import { workspace } from '#domain/workspaces/workspace.js';
import {
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitored-units/monitored-units.projection.js';
import {
  monitoringWork,
  monitoringWorkKey,
  type MonitoringWorkDocument,
} from '#projections/monitoring-work/monitoring-work.projection.js';
import { stepOf, type MonitoringHost, type MonitoringTask } from './monitoring-host.js';

/** What became of a unit's month. */
type Tried = MonthCharge & { readonly outcome: 'paid' | RefusalReason };

/** How far the work goes. */
type Bounds = {
  readonly signal?: AbortSignal;
  /** About so many months; absent: all. */
  readonly most?: number;
  /** Months that are paid in one step; absent: as many as one may have. */
  readonly step?: number;
};

/**
 * One turn of work that nobody waits for: about so many months before another workspace has its turn, in steps so small
 * that requests, which somebody waits for, come between two of them.
 */
export const BACKGROUND_TURN = { most: 500, step: 25 } as const satisfies Bounds;

/**
 * Tries once more what is not covered, where that is due, and pays then what is due for the first time (OP-27): in
 * this order whoever does it, so that it is always the same accounts for which the balance suffices. True where it
 * ended before all was tried. Ends when the read models know what was paid.
 */
export async function workOffMonths(
  host: MonitoringHost,
  task: MonitoringTask,
  { signal, most = Number.POSITIVE_INFINITY, step = MAX_UNITS_AT_ONCE }: Bounds = {},
): Promise<boolean> {
  const key = monitoringWorkKey(task.workspaceId);
  const work = await host.readModels.get<MonitoringWorkDocument>(monitoringWork, key);
  const retryDueAt = work?.retryDueAt ?? null;
  const turn = { host, task, signal, step, left: most, hasCharged: false };
  const isToRetry = work !== null && retryDueAt !== null && retryDueAt <= host.clock.now().toISOString();
  const goesOn = (isToRetry && (await retryMonths(turn, work))) || (await payDueMonths(turn));
  // Whoever looks next for what is due must not find what is paid.
  if (turn.hasCharged) await ledgerShown(host, task);
  return goesOn;
}

/** What is left of a turn, and whether it has asked the ledger for anything. */
type Turn = {
  readonly host: MonitoringHost;
  readonly task: MonitoringTask;
  readonly signal: AbortSignal | undefined;
  readonly step: number;
  left: number;
  hasCharged: boolean;
};

/**
 * Pays the months of a workspace that are due, in the order of their time, company and business unit, as far as the
 * balance goes (OP-27); the rest is not covered from here on. Done twice nothing is paid twice. True where the turn
 * was over before.
 */
async function payDueMonths(turn: Turn): Promise<boolean> {
  for await (const units of unitsDue(turn, 'monitored')) {
    const tried = await pay(turn, units, `due:${units[0]?.unit}`);
    for (const reason of ['credits', 'price', 'blocked'] as const) {
      await refuse(
        turn,
        reason,
        tried.filter(({ outcome }) => outcome === reason),
      );
    }
    if (turn.left <= 0) return true;
  }
  return false;
}

/**
 * Tries to pay once more what is not covered, who is without for longest first, until the balance is out. What a
 * blocked workspace wants rests until it is unblocked. True where the turn was over before.
 */
async function retryMonths(turn: Turn, { wakes, refusals }: MonitoringWorkDocument): Promise<boolean> {
  const { host, task } = turn;
  let isLeft = false;
  for await (const units of unitsDue(turn, 'not_covered')) {
    const tried = await pay(turn, units, `retry:${units[0]?.unit}`);
    isLeft = tried.some(({ outcome }) => outcome === 'credits' || outcome === 'price');
    // Where one is not covered by the balance, none after it is.
    if (isLeft || tried.some(({ outcome }) => outcome === 'blocked')) break;
    if (turn.left <= 0) return true;
  }
  const now = host.clock.now().toISOString();
  await host.commands.handle(
    accountMonitoring,
    String(task.workspaceId),
    retried({ isLeft, refusals, wakes, now }),
    { context: stepOf(task, 'retried'), answer: () => null },
  );
  return false;
}

/** Units of a workspace whose month is due, page by page as they were when the page was asked for. */
async function* unitsDue(
  turn: Turn,
  status: 'monitored' | 'not_covered',
): AsyncGenerator<readonly MonitoredUnitDocument[]> {
  const { host, task, signal } = turn;
  const now = host.clock.now().toISOString();
  for (let after: readonly string[] | null = null; ;) {
    signal?.throwIfAborted();
    const page: readonly MonitoredUnitDocument[] = await host.readModels.find<MonitoredUnitDocument>(
      monitoredUnits,
      {
        where: { workspaceId: task.workspaceId, status, lapsesAt: { lte: now } },
        sort: [
          ['lapsesAt', 'asc'],
          ['unit', 'asc'],
        ],
        limit: turn.step,
        ...(after === null ? {} : { after }),
      },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    turn.left -= page.length;
    yield page;
    after = [last.lapsesAt ?? '', last.unit];
  }
}

/** Waits until the read models have seen the ledger as it is now. */
async function ledgerShown({ commands }: MonitoringHost, task: MonitoringTask): Promise<void> {
  await commands.handle(creditAccount, String(task.workspaceId), () => [], {
    context: stepOf(task, 'shown'),
    answer: () => null,
  });
}

/** Pays the months of these units, in their order, and tells of each that was tried what became of it. */
async function pay(
  turn: Turn,
  units: readonly MonitoredUnitDocument[],
  step: string,
): Promise<readonly Tried[]> {
  const { host, task } = turn;
  const { commands, readModels } = host;
  const { workspaceId } = task;
  const now = host.clock.now().toISOString();
  const months = (await Promise.all(units.map((unit) => monthOf(host, unit, now)))).flat();
  if (months.length === 0) return [];
  const isBlocked = await commands.load(workspace, String(workspaceId), ({ blocked }) => blocked);
  if (isBlocked) return months.map((month) => ({ ...month, outcome: 'blocked' }));
  const { billing, chargeOf } = await pricesToCharge(commands, readModels, workspaceId);
  const price = billing.mode === 'exempt' ? 0n : chargeOf('bucket:essential')?.credits;
  if (price === undefined) return months.map((month) => ({ ...month, outcome: 'price' }));
  turn.hasCharged ||= price > 0n;
  const outcomes =
    price === 0n ? months.map(free) : await chargeMonths(host, workOf(task), step, price, months);
  const tried = await Promise.all(
    months.map(async (month, index): Promise<Tried> => {
      const outcome = outcomes[index] ?? 'refused';
      if (outcome === 'free') await takeFree(host, task, month);
      return { ...month, outcome: outcome === 'refused' ? 'credits' : 'paid' };
    }),
  );
  return tried;
}

const free = (): MonthOutcome => 'free';

const workOf = (task: MonitoringTask) => ({
  workspaceId: task.workspaceId,
  context: (step: string) => stepOf(task, step),
});

/** The month that a unit needs now, as its account's own stream says; none where it was stopped or covered since. */
async function monthOf(
  { commands }: MonitoringHost,
  { workspaceId, companyId, personaId, lapsesAt, anchorDay, refusal, coveredUntil }: MonitoredUnitDocument,
  now: string,
): Promise<readonly MonthCharge[]> {
  if (lapsesAt === null) return [];
  const wish = await commands.load(
    monitoredAccount,
    workspaceScoped(workspaceId, companyId),
    ({ wishes }) => {
      const { wantedSince = null, freeUntil = null } = wishes.get(personaId) ?? {};
      return { wantedSince, freeUntil };
    },
  );
  if (wish.wantedSince === null || wish.wantedSince > lapsesAt) return [];
  if (wish.freeUntil !== null && wish.freeUntil > lapsesAt) return [];
  const lapse = {
    lapsesAt,
    anchorDay: coveredUntil === lapsesAt ? anchorDay : null,
    // A month that waited for a block to end was not refused: nobody was asked to pay it.
    wasRefused: refusal !== null && refusal !== 'blocked',
  };
  return [{ companyId, personaId, lapsesAt, month: monthToPay(lapse, now) }];
}

async function takeFree(
  { commands }: MonitoringHost,
  task: MonitoringTask,
  { companyId, personaId, month }: MonthCharge,
): Promise<void> {
  await commands.handle(
    monitoredAccount,
    workspaceScoped(task.workspaceId, companyId),
    takeFreeMonth(personaId, month),
    {
      context: stepOf(task, `free:${companyId}:${personaId}:${month.from}`),
      answer: () => null,
    },
  );
}

async function refuse(
  { host: { commands, readModels, clock }, task }: Turn,
  reason: RefusalReason,
  tried: readonly Tried[],
): Promise<void> {
  const [first] = tried;
  if (first === undefined) return;
  const key = monitoringWorkKey(task.workspaceId);
  const work = await readModels.get<MonitoringWorkDocument>(monitoringWork, key);
  const units = tried.map(({ companyId, personaId, lapsesAt }) => ({
    companyId,
    personaId,
    since: lapsesAt,
  }));
  const refused = { units, reason, triedAt: clock.now().toISOString() };
  await commands.handle(
    accountMonitoring,
    String(task.workspaceId),
    refuseMonths(refused, work?.wakes ?? 0),
    {
      context: stepOf(task, `refuse:${first.companyId}:${first.personaId}:${first.lapsesAt}`),
      answer: () => null,
    },
  );
}
