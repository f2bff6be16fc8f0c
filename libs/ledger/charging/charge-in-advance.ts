import { allocatedId } from '#kernel/commands/ids.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { answeredDecisionTime } from '#ledger/domain/books.js';
import { chargesMark, creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import type { Cause, creditEvents } from '#ledger/domain/credits.events.js';
import { chargeBatch, ownKey, shortageOf, type Hold } from '#ledger/domain/hold-credits.js';
import { askCharge, requireRemembered } from '#ledger/domain/ledger-memory.js';
import type { Charge, ChargeHost, PaidWork } from './charges.js';

/** A charge that is captured in the append that holds it. */
export type AdvanceCharge = {
  readonly charge: Charge;
  /** A charge of the same kind under any of these keys has paid for this one as well. */
  readonly paidAs: readonly string[];
};

/**
 * `paid`: paid now or before; `free`: the workspace is not billed; `credits`: the balance does not cover it; `cap`: a cap
 * does not allow it.
 */
export type AdvanceOutcome = 'paid' | 'free' | 'credits' | 'cap';

/**
 * Pays charges in their order, as far as the balance allows: each is held and captured in the same append. The ledger
 * alone decides what is already paid, even if the caller's data is old. Null if the ledger has a newer entry than
 * `mark`, which must be read before all other data: nothing is paid, and the caller reads again which charges are
 * due.
 */
export async function chargeInAdvance(
  host: ChargeHost,
  work: PaidWork,
  step: string,
  wanted: readonly AdvanceCharge[],
  mark: bigint,
): Promise<readonly AdvanceOutcome[] | null> {
  const movementIds = await host.ids.nextMany('movement', wanted.length);
  const holds = wanted.map(({ charge, paidAs }, index) => ({
    hold: { ...charge, movementId: allocatedId(movementIds, index) },
    paidAs,
  }));
  const isPaid = (account: CreditAccount, { hold: { cause }, paidAs }: (typeof holds)[number]): boolean =>
    paidAs.some((key) => account.charges.byKey.has(keyOf(account, key, cause.kind)));
  const unpaidOf = (account: CreditAccount): readonly Hold[] =>
    holds
      .filter((each) => !isPaid(account, each))
      .map(({ hold }) => ({ ...hold, key: keyOf(account, hold.key, hold.cause.kind) }));
  let decidedAt: string | null = null;
  const decision: CreditDecision = (account, at) => {
    decidedAt = at;
    if (chargesMark(account) !== mark) return [];
    requireRemembered(
      account,
      wanted.flatMap(({ paidAs }) => paidAs.map(askCharge)),
    );
    return chargeBatch(unpaidOf(account))(account, at);
  };
  type Outcomes = readonly AdvanceOutcome[] | null;
  const { answer } = await host.commands.handle<CreditAccount, typeof creditEvents, Outcomes>(
    creditAccount,
    String(work.workspaceId),
    decision,
    {
      context: work.context(step),
      answer(account) {
        if (chargesMark(account) !== mark) return null;
        const at = answeredDecisionTime(account.books, decidedAt);
        const unpaid =
          account.books.billing?.mode === 'exempt' ? 'free' : refusedFor(account, unpaidOf(account), at);
        return holds.map((each): AdvanceOutcome => (isPaid(account, each) ? 'paid' : unpaid));
      },
      waitForReadModels: work.waitForReadModels ?? false,
    },
  );
  return answer;
}

/** The key of a charge: a released hold, and a charge of another kind, which an operator may have made, is no payment. */
const keyOf = (account: CreditAccount, key: string, kind: Cause['kind']): string =>
  ownKey(account, key, (charge) => charge.kind !== kind || charge.status === 'released');

/** The reason why charges are not paid. */
const refusedFor = (account: CreditAccount, unpaid: readonly Hold[], at: string): 'credits' | 'cap' =>
  unpaid.length > 0 && shortageOf(account, unpaid, at) === 'cap' ? 'cap' : 'credits';
