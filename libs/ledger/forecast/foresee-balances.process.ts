import type { CommandContext } from '#kernel/commands/decider.js';
import { toStored } from '#kernel/values/credits.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { creditOutlook, recordOutlook } from '#ledger/domain/credit-outlook.js';
import { expiringFrom, tellDaysLeft, tellExpiring } from '#ledger/domain/set-thresholds.js';
import {
  creditOutlooks,
  type CreditOutlookDocument,
} from '#projections/ledger/credit-outlooks/credit-outlooks.projection.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';
import { foreseeCredits, type Foreseen, type MonthsDue } from './foresee-credits.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAILY_SLOTS = 4;

/**
 * Foresees balances and records the day on which each ends; tells of thresholds in days and of lots that end soon
 * (LOW-01). Within an hour of an entry that changes the balance, and in the first hour of each day (UTC): without an entry
 * what is used only becomes less, so no threshold in days is crossed within a day. After the next grant where there is no
 * balance, or nobody's balance pays.
 */
export const foreseeBalances = (monthsDue: MonthsDue): Process<CreditOutlookDocument> => ({
  name: NAME,
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(creditOutlooks, { dueAt: 'lookAt', thenBy: 'workspaceId', isUnhurried: true }),
  key: ({ workspaceId }) => `outlook:${workspaceId}`,
  waitsFor: [creditOutlooks.name],

  async act(host, outlook) {
    const { workspaceId } = outlook;
    const foreseen = await foreseeCredits(host, monthsDue, workspaceId);
    const { now, endsOn, balance, burn } = foreseen;
    const daysLeft = endsOn === null ? null : Math.round((Date.parse(endsOn) - startOfDay(now)) / DAY_MS);
    const tell: CreditDecision = (account, at) => [
      ...tellDaysLeft({ endsOn, daysLeft })(account, at),
      ...tellExpiring(account, at),
    ];
    const stream = String(workspaceId);
    const handled = await host.commands.handle(creditAccount, stream, tell, {
      context: contextOf(outlook, 'tell'),
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
      context: contextOf(outlook, 'record'),
      answer: () => null,
    });
  },
});

const NAME = 'foresee-balances';

const startOfDay = (now: string): number => Date.parse(`${now.slice(0, 10)}T00:00:00.000Z`);

/** When a balance is looked at again; null: after the next grant and the like. */
function nextLook(
  account: Pick<CreditAccount, 'books' | 'watch'>,
  { now, balance }: Pick<Foreseen, 'now' | 'balance'>,
  workspaceId: number,
): string | null {
  if (account.books.billing?.mode !== 'self' || balance <= 0n) return expiringFrom(account, now);
  const next = dailyLook(now, workspaceId);
  const expiring = expiringFrom(account, now);
  return expiring !== null && expiring < next ? expiring : next;
}

/** The first time after `now` at which the workspace is looked at however little happens: not all of them at midnight. */
function dailyLook(now: string, workspaceId: number): string {
  const today = startOfDay(now) + (workspaceId % DAILY_SLOTS) * (HOUR_MS / DAILY_SLOTS);
  return new Date(today > Date.parse(now) ? today : today + DAY_MS).toISOString();
}

function contextOf({ workspaceId, lookAt }: CreditOutlookDocument, step: string): CommandContext {
  const correlationId = `outlook:${workspaceId}:${lookAt}`;
  return {
    commandId: `${correlationId}:${step}`,
    actor: { kind: 'process', id: NAME },
    workspaceId,
    correlationId,
  };
}
