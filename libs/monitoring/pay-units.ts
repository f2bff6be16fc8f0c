import { contextOfStep, workspaceScoped } from '#kernel/commands/decider.js';
import { workspace } from '#access/domain/workspaces/workspace.js';
import { accountMonitoring, refuseMonths } from './domain/account-monitoring.js';
import { REFUSAL_REASONS, type RefusalReason } from './domain/account-monitoring.events.js';
import { monitoredAccount, takeFreeMonth } from './domain/monitored-account.js';
import type { MonitoredUnitDocument } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { monthPrice } from './month-price.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { chargeMonths, type MonthCharge } from './charge-months.js';
import { monthsPaidElsewhere } from './months-elsewhere.js';
import { monthsOf } from './months-of-units.js';
import type { MonthsPart } from './months-part.js';
import { separateObservable } from './separate-observable.js';

/** The result for a unit's month. */
export type Tried = MonthCharge & { readonly outcome: 'paid' | RefusalReason };

/**
 * Pays the months of these units in order and returns the outcome of each tried one; `moved` if the ledger has a new
 * entry that has to be read first: nothing was paid.
 */
export async function payUnits(
  part: MonthsPart,
  units: readonly MonitoredUnitDocument[],
  step: string,
): Promise<readonly Tried[] | 'moved'> {
  const { host, task, mark } = part;
  const { workspaceId } = task;
  const due = await monthsOf(host, workspaceId, units);
  if (due.length === 0) return [];
  const isBlocked = await host.commands.load(workspace, String(workspaceId), ({ blocked }) => blocked);
  if (isBlocked) return due.map((month) => ({ ...month, outcome: 'blocked' }));
  // Companies that the read model does not show yet are tried in the next run.
  const { observable: seen, hidden } = await separateObservable(host, workspaceId, due);
  const { unpaid: months, paid } = await monthsPaidElsewhere(host, workspaceId, seen);
  const settled = [
    ...(await Promise.all(paid.map((month) => takenFree(host, task, month)))),
    ...hidden.map(unseen),
  ];
  if (months.length === 0) return settled;
  const price = await monthPrice(host, workspaceId);
  if (price === null) return [...months.map((month): Tried => ({ ...month, outcome: 'price' })), ...settled];
  part.hasCharged ||= price > 0n;
  const outcomes =
    price === 0n
      ? months.map(() => 'free' as const)
      : await chargeMonths(host, workOf(task), step, price, months, mark);
  if (outcomes === null) return 'moved';
  const tried = await Promise.all(
    months.map(async (month, index): Promise<Tried> => {
      const outcome = outcomes[index] ?? 'credits';
      return outcome === 'free' ? takenFree(host, task, month) : { ...month, outcome };
    }),
  );
  return [...tried, ...settled];
}

/** A month that needs no movement: it is recorded on the stream of its account. */
async function takenFree(
  { commands }: MonitoringHost,
  task: MonitoringTask,
  charge: MonthCharge,
): Promise<Tried> {
  const { companyId, personaId, month, notCoveredSince } = charge;
  await commands.handle(
    monitoredAccount,
    workspaceScoped(task.workspaceId, companyId),
    takeFreeMonth(personaId, month, notCoveredSince),
    { context: contextOfStep(task.context, `free:${companyId}:${personaId}:${month.from}`) },
  );
  return { ...charge, outcome: 'paid' };
}

/** A month of which nothing can be observed is not paid (MON-62). */
const unseen = (month: MonthCharge): Tried => ({ ...month, outcome: 'not_observable' });

const workOf = (task: MonitoringTask) => ({
  workspaceId: task.workspaceId,
  context: (step: string) => contextOfStep(task.context, step),
});

/** Records the unpaid months by reason. */
export async function refuseUnits(part: MonthsPart, tried: readonly Tried[]): Promise<void> {
  for (const reason of REFUSAL_REASONS) {
    const refused = tried.filter(({ outcome }) => outcome === reason);
    if (refused.length > 0) await refuseFor(part, reason, refused);
  }
}

async function refuseFor(
  { host: { commands, clock }, task, seen }: MonthsPart,
  reason: RefusalReason,
  tried: readonly Tried[],
): Promise<void> {
  const [first] = tried;
  const units = tried.map(({ companyId, personaId, lapsesAt }) => ({
    companyId,
    personaId,
    since: lapsesAt,
  }));
  const refused = { units, reason, triedAt: clock.now().toISOString() };
  await commands.handle(accountMonitoring, String(task.workspaceId), refuseMonths(refused, seen), {
    context: contextOfStep(
      task.context,
      `refuse:${reason}:${first?.companyId}:${first?.personaId}:${first?.lapsesAt}`,
    ),
  });
}
