import { contextOfStep, workspaceScoped } from '#kernel/commands/decider.js';
import { ReadModelUnavailable } from '#kernel/ports/read-store.port.js';
import { chargeMonths, type MonthCharge } from './months.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { loadChargesMark } from '#ledger/charging/charges.js';
import { accountMonitoring, refuseMonths, retried, type ReasonsSeen } from './domain/account-monitoring.js';
import {
  MAX_UNITS_AT_ONCE,
  REFUSAL_REASONS,
  type RefusalReason,
} from './domain/account-monitoring.events.js';
import { monitoredAccount, takeFreeMonth } from './domain/monitored-account.js';
import type { MonitoringSource } from './domain/monitoring.events.js';
import { anchorAt, monthToPay } from './domain/months-facts.js';
import { workspace } from '#access/domain/workspaces/workspace.js';
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
import { monthPrice } from './month-price.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { monthsPaidElsewhere } from './months-elsewhere.js';
import { separateObservable } from './separate-observable.js';
import { standingSources } from './standing-sources.js';

/** The result for a unit's month. */
type Tried = MonthCharge & { readonly outcome: 'paid' | RefusalReason };

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
  const part: Part = { ...partOf(host, task), signal, step, left: most };
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
  const part: Part = { ...partOf(host, task), signal };
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
 * Waits until the read models have applied the monitoring events of the workspace; `late` if they have not in time.
 */
async function monitoringShown({ commands }: MonitoringHost, task: MonitoringTask) {
  const { answer, late = false } = await commands.look(
    accountMonitoring,
    String(task.workspaceId),
    ({ retryAt, beginning, beginnings }) => ({
      retryAt,
      beginnings,
      openSince: beginning.map(({ beginsAt }) => beginsAt).sort()[0] ?? null,
    }),
    { waitForReadModels: true },
  );
  return { ...answer, isLate: late };
}

/**
 * The end of a part of the work: every unit was tried, or the work continues, or it begins again because the ledger has
 * changed.
 */
type Ended = 'tried' | 'continues' | 'moved';

async function retryAndPay(part: Part): Promise<Ended> {
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

const NOTHING_SEEN: ReasonsSeen = { wakes: 0, reasons: 0 };

/** The state of a part of the work: the months left, and whether it has used the ledger. */
type Part = {
  readonly host: MonitoringHost;
  readonly task: MonitoringTask;
  readonly signal: AbortSignal | undefined;
  readonly step: number;
  /**
   * The ledger entry after which the payments are prepared, read before the requests and their order. A later stop or
   * grant makes the part begin again.
   */
  mark: bigint;
  seen: ReasonsSeen;
  left: number;
  hasCharged: boolean;
  /** Whether due units were left out because of an incomplete beginning. */
  isWithheld: boolean;
};

const partOf = (host: MonitoringHost, task: MonitoringTask): Part => ({
  host,
  task,
  signal: undefined,
  step: MAX_UNITS_AT_ONCE,
  mark: -1n,
  seen: NOTHING_SEEN,
  left: Number.POSITIVE_INFINITY,
  hasCharged: false,
  isWithheld: false,
});

/**
 * Pays the due months of a workspace, in the order of time, company and business unit, as far as the balance allows
 * (OP-27); the rest is not covered from then on. Idempotent.
 */
async function payDueMonths(part: Part): Promise<Ended> {
  for await (const units of unitsDue(part, 'monitored')) {
    if (units === 'late') return 'continues';
    const tried = await pay(part, units, `due:${units[0]?.unit}`);
    if (tried === 'moved') return tried;
    await refuse(part, tried);
    if (part.left <= 0) return 'continues';
  }
  return 'tried';
}

/**
 * Retries uncovered units, the longest uncovered first, until the balance is spent. A blocked workspace waits until it
 * is unblocked.
 */
async function retryMonths(part: Part, { refusals }: MonitoringWorkDocument): Promise<Ended> {
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
async function tryUncovered(part: Part): Promise<'covered' | 'left' | 'capped' | 'continues' | 'moved'> {
  let isSkipped = false;
  for await (const units of unitsDue(part, 'not_covered')) {
    if (units === 'late') return 'continues';
    const tried = await pay(part, units, `retry:${units[0]?.unit}`);
    if (tried === 'moved') return tried;
    await refuse(part, tried.filter(hasNewReason(units)));
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

/**
 * Due units of a workspace, in pages read one after the other; `late` if the read models are late, and then no more
 * pages.
 */
async function* unitsDue(
  part: Part,
  status: 'monitored' | 'not_covered',
): AsyncGenerator<readonly MonitoredUnitDocument[] | 'late'> {
  const now = part.host.clock.now().toISOString();
  for (let after: readonly string[] | null = null; ;) {
    part.signal?.throwIfAborted();
    const page: readonly MonitoredUnitDocument[] | null = await wholePage(part, { status, now, after });
    if (page === null) yield 'late';
    const last = page?.at(-1);
    if (page === null || last === undefined) return;
    part.left -= page.length;
    yield page;
    after = [last.lapsesAt ?? '', last.unit];
  }
}

type Page = {
  readonly status: 'monitored' | 'not_covered';
  readonly now: string;
  readonly after: readonly string[] | null;
};

/**
 * A page of due units. Of units not tried yet it excludes those of an incomplete beginning, and those that fell due
 * after it. Null if the read models are late, because they may show only a part of a beginning.
 */
async function wholePage(
  part: Part,
  { status, now, after }: Page,
): Promise<readonly MonitoredUnitDocument[] | null> {
  const { host, task, step } = part;
  for (;;) {
    const before = await monitoringShown(host, task);
    if (before.isLate) return null;
    const page = await host.readModels.find(monitoredUnits, {
      where: { workspaceId: task.workspaceId, status, rests: null, lapsesAt: { lte: now } },
      sort: [
        ['lapsesAt', 'asc'],
        ['unit', 'asc'],
      ],
      limit: step,
      ...(after === null ? {} : { after }),
    });
    const isSame = await host.commands.load(
      accountMonitoring,
      String(task.workspaceId),
      ({ beginnings }) => beginnings === before.beginnings,
    );
    // A beginning started or was completed while the page was read.
    if (!isSame) continue;
    const { openSince } = before;
    if (status === 'not_covered') return page;
    const payable = page.filter(({ lapsesAt }) => openSince === null || (lapsesAt ?? '') < openSince);
    part.isWithheld ||= payable.length < page.length;
    return payable;
  }
}

/** Waits until the read models show the current ledger; true if they are late. */
async function ledgerShown({ commands }: MonitoringHost, task: MonitoringTask): Promise<boolean> {
  const { late = false } = await commands.look(creditAccount, String(task.workspaceId), () => null, {
    waitForReadModels: true,
  });
  return late;
}

/**
 * Pays the months of these units in order and returns the outcome of each tried one; `moved` if the ledger has a new
 * entry that has to be read first: nothing was paid.
 */
async function pay(
  part: Part,
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
    ...(await Promise.all(paid.map((month) => paidFor(host, task, month)))),
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
      return outcome === 'free' ? paidFor(host, task, month) : { ...month, outcome };
    }),
  );
  return [...tried, ...settled];
}

/** A free month: it is recorded on the stream of its account. */
async function paidFor(host: MonitoringHost, task: MonitoringTask, month: MonthCharge): Promise<Tried> {
  await takeFree(host, task, month);
  return { ...month, outcome: 'paid' };
}

/** A month of which nothing can be observed is not paid (MON-62). */
const unseen = (month: MonthCharge): Tried => ({ ...month, outcome: 'not_observable' });

const workOf = (task: MonitoringTask) => ({
  workspaceId: task.workspaceId,
  context: (step: string) => contextOfStep(task.context, step),
});

/** A unit as its account's stream has it. */
type Wished = { readonly unit: MonitoredUnitDocument; readonly wish: CurrentWish };
type CurrentWish = {
  readonly wantedSince: string | null;
  readonly freeUntil: string | null;
  readonly sources: readonly MonitoringSource[];
};

/** The months that units need now; none for a unit that was stopped or covered since it was read. */
async function monthsOf(
  host: MonitoringHost,
  workspaceId: number,
  units: readonly MonitoredUnitDocument[],
): Promise<readonly MonthCharge[]> {
  const now = host.clock.now().toISOString();
  const wished = await wishesOf(host, workspaceId, units);
  const sources = wished.flatMap(({ wish }) => wish.sources);
  const isStanding = await standingSources(host, workspaceId, sources);
  return wished
    .filter(({ unit, wish }) => wish.sources.some((source) => isStanding(source, unit.personaId)))
    .flatMap((each) => monthOf(each, now));
}

async function wishesOf(
  { commands }: MonitoringHost,
  workspaceId: number,
  units: readonly MonitoredUnitDocument[],
): Promise<readonly Wished[]> {
  const companyIds = [...new Set(units.map(({ companyId }) => companyId))];
  const accounts = await commands.loadEach(
    monitoredAccount,
    companyIds.map((companyId) => workspaceScoped(workspaceId, companyId)),
    ({ wishes }) =>
      [...wishes].map(([personaId, { wantedSince, freeUntil, sources }]) => ({
        personaId,
        wish: { wantedSince, freeUntil, sources: [...sources.values()] },
      })),
  );
  const byCompany = new Map(
    companyIds.map((companyId, index) => [companyId, accounts[index] ?? []] as const),
  );
  return units.map((unit) => {
    const wishes = byCompany.get(unit.companyId) ?? [];
    return { unit, wish: wishes.find(({ personaId }) => personaId === unit.personaId)?.wish ?? NO_WISH };
  });
}

const NO_WISH: CurrentWish = { wantedSince: null, freeUntil: null, sources: [] };

function monthOf({ unit, wish }: Wished, now: string): readonly MonthCharge[] {
  const { companyId, personaId, lapsesAt, refusal } = unit;
  if (lapsesAt === null) return [];
  if (wish.wantedSince === null || wish.wantedSince > lapsesAt) return [];
  if (wish.freeUntil !== null && wish.freeUntil > lapsesAt) return [];
  const lapse = {
    lapsesAt,
    anchorDay: anchorAt(lapsesAt, unit),
    // A month that waited for the end of a block was not refused: no payment was tried.
    wasRefused: refusal !== null && refusal !== 'blocked',
  };
  const notCoveredSince = refusal === null ? null : lapsesAt;
  return [{ companyId, personaId, lapsesAt, notCoveredSince, month: monthToPay(lapse, now) }];
}

async function takeFree(
  { commands }: MonitoringHost,
  task: MonitoringTask,
  { companyId, personaId, month, notCoveredSince }: MonthCharge,
): Promise<void> {
  await commands.handle(
    monitoredAccount,
    workspaceScoped(task.workspaceId, companyId),
    takeFreeMonth(personaId, month, notCoveredSince),
    { context: contextOfStep(task.context, `free:${companyId}:${personaId}:${month.from}`) },
  );
}

/** Records the unpaid months by reason. */
async function refuse(part: Part, tried: readonly Tried[]): Promise<void> {
  for (const reason of REFUSAL_REASONS) {
    const refused = tried.filter(({ outcome }) => outcome === reason);
    if (refused.length > 0) await refuseFor(part, reason, refused);
  }
}

async function refuseFor(
  { host: { commands, clock }, task, seen }: Part,
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
