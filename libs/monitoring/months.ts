import type { Credits } from '#kernel/values/credits.js';
import { allocatedId } from '#kernel/commands/ids.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import type { creditEvents } from '#ledger/domain/credits.events.js';
import { chargeBatch, shortageOf, type Hold } from '#ledger/domain/hold-credits.js';
import { chargesMark } from '#ledger/domain/stop-charges.js';
import { askCharge, requireRemembered } from '#ledger/domain/ledger-memory.js';
import { calendarMonthOf, calendarMonthsBetween, monthKey, type Month } from './domain/months-facts.js';
import type { ChargeHost, PaidWork } from '#ledger/charging/charges.js';
import { productOf } from '#catalogue/products.js';

/** A month of one account and business unit that is to be paid. */
export type MonthCharge = {
  readonly companyId: number;
  readonly personaId: number;
  readonly month: Month;
  /** Since when a month is missing: any that was paid from here on is this one. */
  readonly lapsesAt: string;
  /** Since when the account is recorded as not covered; null where it is not. */
  readonly notCoveredSince: string | null;
};

/**
 * `paid`: paid now or before; `free`: the workspace is not billed; `credits`: the balance does not cover it; `cap`: a cap
 * does not allow it.
 */
export type MonthOutcome = 'paid' | 'free' | 'credits' | 'cap';

/**
 * Pays months in advance, in their order, as far as the balance goes: each is held and captured in the same append.
 * What is paid is decided in the ledger alone: a month that was paid since the last one ended is not paid again,
 * however old the caller's knowledge is, whatever it cost then and whenever it began. Null where the ledger has moved
 * past `mark`, which was read before anything else was: nothing is paid, and the caller looks again at what is wanted.
 */
export async function chargeMonths(
  host: ChargeHost,
  work: PaidWork,
  step: string,
  price: Credits,
  months: readonly MonthCharge[],
  mark: bigint,
): Promise<readonly MonthOutcome[] | null> {
  const movementIds = await host.ids.nextMany('movement', months.length);
  const wanted = months.map((charge, index) => ({
    hold: holdOf(charge, price, allocatedId(movementIds, index)),
    keys: keysSince(charge),
  }));
  const isPaid = ({ charges }: CreditAccount, keys: readonly string[]): boolean =>
    keys.some((key) => charges.byKey.has(key));
  let decidedAt: string | null = null;
  const decision: CreditDecision = (account, at) => {
    decidedAt = at;
    if (chargesMark(account) !== mark) return [];
    requireRemembered(
      account,
      wanted.flatMap(({ keys }) => keys.map(askCharge)),
    );
    return chargeBatch(unpaidOf(account), 'leave out')(account, at);
  };
  const unpaidOf = (account: CreditAccount): readonly Hold[] =>
    wanted.filter(({ keys }) => !isPaid(account, keys)).map(({ hold }) => hold);
  type Outcomes = readonly MonthOutcome[] | null;
  const { answer } = await host.commands.handle<CreditAccount, typeof creditEvents, Outcomes>(
    creditAccount,
    String(work.workspaceId),
    decision,
    {
      context: work.context(step),
      answer(account) {
        if (chargesMark(account) !== mark) return null;
        // An earlier attempt was decided when the last entry was recorded, or before.
        const at = decidedAt ?? account.books.updatedAt ?? '';
        const unpaid =
          account.books.billing?.mode === 'exempt' ? 'free' : refusedFor(account, unpaidOf(account), at);
        return wanted.map(({ keys }): MonthOutcome => (isPaid(account, keys) ? 'paid' : unpaid));
      },
      waitForReadModels: work.waitForReadModels ?? false,
    },
  );
  return answer;
}

/** Why months are not paid. */
const refusedFor = (account: CreditAccount, unpaid: readonly Hold[], at: string): 'credits' | 'cap' =>
  unpaid.length > 0 && shortageOf(account, unpaid, at) === 'cap' ? 'cap' : 'credits';

function holdOf(
  { companyId, personaId, month: { from, until, anchorDay }, notCoveredSince }: MonthCharge,
  credits: Credits,
  movementId: number,
): Hold {
  const month = calendarMonthOf(from);
  const again = notCoveredSince === null ? {} : { notCoveredSince };
  return {
    movementId,
    key: monthKey(companyId, personaId, month),
    credits,
    product: productOf('bucket:essential', credits),
    cause: { kind: 'monitoring', companyId, personaId, month, from, until, anchorDay, ...again },
  };
}

/**
 * The keys under which the month may have been paid already: a month begins when it is paid, and another process may
 * have paid it later than the time asked here, in the next calendar month.
 */
const keysSince = ({ companyId, personaId, lapsesAt, month }: MonthCharge): readonly string[] =>
  calendarMonthsBetween(lapsesAt, month.until).map((calendarMonth) =>
    monthKey(companyId, personaId, calendarMonth),
  );
