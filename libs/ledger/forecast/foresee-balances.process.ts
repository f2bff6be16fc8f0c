import type { CommandContext } from '#kernel/commands/decider.js';
import { toStored } from '#kernel/values/credits.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { creditOutlook, recordOutlook } from '#ledger/domain/credit-outlook.js';
import { expiringFrom, tellDaysLeft, tellExpiring, thresholdsOf } from '#ledger/domain/set-thresholds.js';
import {
  creditOutlooks,
  type CreditOutlookDocument,
} from '#projections/ledger/credit-outlooks/credit-outlooks.projection.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';
import { foreseeCredits, type Foreseen, type MonthsDue } from './foresee-credits.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Foresees balances and records the day on which each ends; tells of thresholds in days and of lots that end soon
 * (LOW-01). Every hour where credits are used or thresholds in days are set; once a day where a balance only lies there;
 * after the next grant where there is none, or nobody's balance pays.
 */
export const foreseeBalances = (monthsDue: MonthsDue): Process<CreditOutlookDocument> => ({
  name: NAME,
  lane: 'timers',
  atOnce: 6,
  toDo: timedToDo(creditOutlooks, { dueAt: 'lookAt', thenBy: 'workspaceId' }),
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
      answer: (account) => nextLook(account, foreseen),
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
  { now, burn, balance }: Foreseen,
): string | null {
  if (account.books.billing?.mode !== 'self' || balance <= 0n) return expiringFrom(account, now);
  const isHourly = burn > 0n || thresholdsOf(account).days.length > 0;
  const next = new Date(Date.parse(now) + (isHourly ? HOUR_MS : DAY_MS)).toISOString();
  const expiring = expiringFrom(account, now);
  return expiring !== null && expiring < next ? expiring : next;
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
