import { workspaceScoped } from '#kernel/commands/decider.js';
import { chargeMonths, type MonthCharge, type MonthOutcome } from '#charging/months.js';
import { pricesToCharge } from '#charging/workspace-prices.js';
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

/**
 * Tries once more what is not covered, where that is due, and pays then what is due for the first time (OP-27): in
 * this order whoever does it, so that it is always the same accounts for which the balance suffices.
 */
export async function workOffMonths(
  host: MonitoringHost,
  task: MonitoringTask,
  signal?: AbortSignal,
): Promise<void> {
  const key = monitoringWorkKey(task.workspaceId);
  const work = await host.readModels.get<MonitoringWorkDocument>(monitoringWork, key);
  const retryDueAt = work?.retryDueAt ?? null;
  if (work !== null && retryDueAt !== null && retryDueAt <= host.clock.now().toISOString()) {
    await retryMonths(host, task, work, signal);
  }
  await payDueMonths(host, task, signal);
}

/**
 * Pays the months of a workspace that are due, in the order of their time, company and business unit, as far as the
 * balance goes (OP-27); the rest is not covered from here on. Done twice nothing is paid twice.
 */
async function payDueMonths(
  host: MonitoringHost,
  task: MonitoringTask,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const units of unitsDue(host, task.workspaceId, 'monitored')) {
    signal?.throwIfAborted();
    const tried = await pay(host, task, units, `due:${units[0]?.unit}`);
    for (const reason of ['credits', 'price', 'blocked'] as const) {
      await refuse(
        host,
        task,
        reason,
        tried.filter(({ outcome }) => outcome === reason),
      );
    }
  }
}

/**
 * Tries to pay once more what is not covered, who is without for longest first, until the balance is out. What a
 * blocked workspace wants rests until it is unblocked.
 */
async function retryMonths(
  host: MonitoringHost,
  task: MonitoringTask,
  { wakes, refusals }: MonitoringWorkDocument,
  signal: AbortSignal | undefined,
): Promise<void> {
  let isLeft = false;
  for await (const units of unitsDue(host, task.workspaceId, 'not_covered')) {
    signal?.throwIfAborted();
    const tried = await pay(host, task, units, `retry:${units[0]?.unit}`);
    isLeft = tried.some(({ outcome }) => outcome === 'credits' || outcome === 'price');
    // Where one is not covered by the balance, none after it is.
    if (isLeft || tried.some(({ outcome }) => outcome === 'blocked')) break;
  }
  const now = host.clock.now().toISOString();
  await host.commands.handle(
    accountMonitoring,
    String(task.workspaceId),
    retried({ isLeft, refusals, wakes, now }),
    { context: stepOf(task, 'retried'), answer: () => null },
  );
}

/** Units of a workspace whose month is due, page by page as they were when the page was asked for. */
async function* unitsDue(
  { readModels, clock }: MonitoringHost,
  workspaceId: number,
  status: 'monitored' | 'not_covered',
): AsyncGenerator<readonly MonitoredUnitDocument[]> {
  const now = clock.now().toISOString();
  for (let after: readonly string[] | null = null; ;) {
    const page: readonly MonitoredUnitDocument[] = await readModels.find<MonitoredUnitDocument>(
      monitoredUnits,
      {
        where: { workspaceId, status, lapsesAt: { lte: now } },
        sort: [
          ['lapsesAt', 'asc'],
          ['unit', 'asc'],
        ],
        limit: MAX_UNITS_AT_ONCE,
        ...(after === null ? {} : { after }),
      },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = [last.lapsesAt ?? '', last.unit];
  }
}

/** Pays the months of these units, in their order, and tells of each that was tried what became of it. */
async function pay(
  host: MonitoringHost,
  task: MonitoringTask,
  units: readonly MonitoredUnitDocument[],
  step: string,
): Promise<readonly Tried[]> {
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
  // Whoever looks next for what is due must not find what is paid.
  waitForReadModels: true,
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
  { commands, readModels, clock }: MonitoringHost,
  task: MonitoringTask,
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
