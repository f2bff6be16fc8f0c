import { toStored } from '#kernel/values/credits.js';
import { DAY_MS, HOUR_MS } from '#kernel/values/durations.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { creditOutlook, recordOutlook } from '#ledger/domain/credit-outlook.js';
import {
  expiringFrom,
  isForecastOld,
  notifyDaysLeft,
  notifyExpiring,
} from '#ledger/domain/set-thresholds.js';
import {
  creditOutlooks,
  type CreditOutlookDocument,
} from '#projections/ledger/credit-outlooks/credit-outlooks.projection.js';
import type { Process } from '#process-engine/process.js';
import { processContext } from '#kernel/commands/process-context.js';
import { timedToDo } from '#process-engine/to-do.js';
import { foreseeCredits, type Foreseen, type MonthsDue } from './foresee-credits.js';

const DAILY_SLOTS = 4;

/**
 * Forecasts balances and records the day on which each ends; notifies thresholds in days and lots that expire soon
 * (LOW-01). A forecast is made within an hour after an entry that changes the balance, and in the first hour of each
 * day (UTC). Without an entry the use only decreases, so that no threshold in days is crossed within a day. Without a
 * balance, or if the workspace does not pay, the next forecast follows the next grant.
 */
export const foreseeBalances = (monthsDue: MonthsDue): Process<CreditOutlookDocument> => ({
  name: NAME,
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(creditOutlooks, { dueAt: 'lookAt', thenBy: 'workspaceId', isUnhurried: true }),
  key: ({ workspaceId }) => `outlook:${workspaceId}`,
  waitsFor: [creditOutlooks.name],

  async act(host, { workspaceId, lookAt }) {
    const work = `outlook:${workspaceId}:${lookAt}`;
    const foreseen = await foreseeCredits(host, monthsDue, workspaceId);
    const { now, endsOn, balance, burn, mark } = foreseen;
    const daysLeft = endsOn === null ? null : Math.round((Date.parse(endsOn) - startOfDay(now)) / DAY_MS);
    const notify: CreditDecision = (account, at) => [
      ...notifyDaysLeft({ endsOn, daysLeft, mark })(account, at),
      ...notifyExpiring(account, at),
    ];
    const stream = String(workspaceId);
    const handled = await host.commands.handle(creditAccount, stream, notify, {
      context: processContext(NAME, workspaceId, work, 'tell'),
      answer: (account) => nextLook(account, foreseen, workspaceId),
      waitForReadModels: false,
    });
    const data = {
      at: now,
      balance: toStored(balance),
      burn: toStored(burn),
      endsOn,
      lookAt: handled.answer,
    };
    await host.commands.handle(creditOutlook, stream, recordOutlook(data), {
      context: processContext(NAME, workspaceId, work, 'record'),
    });
  },
});

const NAME = 'foresee-balances';

const startOfDay = (now: string): number => Date.parse(`${now.slice(0, 10)}T00:00:00.000Z`);

/** When the balance is forecast again; null: after the next grant or similar entry. */
function nextLook(
  account: Pick<CreditAccount, 'books' | 'watch' | 'memory'>,
  foreseen: Pick<Foreseen, 'now' | 'balance' | 'mark'>,
  workspaceId: number,
): string | null {
  const { now, balance } = foreseen;
  // An old forecast has notified no threshold in days.
  if (isForecastOld(account, foreseen)) return new Date(Date.parse(now) + HOUR_MS).toISOString();
  if (account.books.billing?.mode !== 'self' || balance <= 0n) return expiringFrom(account, now);
  const next = dailyLook(now, workspaceId);
  const expiring = expiringFrom(account, now);
  return expiring !== null && expiring < next ? expiring : next;
}

/**
 * The daily forecast of the workspace after `now`. Workspaces are spread over the hour, so that they are not all due
 * at midnight.
 */
function dailyLook(now: string, workspaceId: number): string {
  const today = startOfDay(now) + (workspaceId % DAILY_SLOTS) * (HOUR_MS / DAILY_SLOTS);
  return new Date(today > Date.parse(now) ? today : today + DAY_MS).toISOString();
}
