import { MAX_CREDITS, toStored, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal, type Refusal } from '#kernel/values/refusal.js';
import { available, availableAt, type OpenHold } from './books.js';
import { budgetLeft, type LaunchBudget } from './budgets.js';
import { capMeter, refusedBy, type Cap } from './caps.js';
import { numberedKey, type RecordedCharge, type MovementStatus } from './charges.js';
import { billingOf, creditLimitExceeded, insufficient, type CreditDecision } from './credit-account.js';
import type { CreditAccount } from './account-state.js';
import type { CreditEvent, Payer } from './credits.events.js';
import { askCharge, requireRemembered } from './ledger-memory.js';
import { lotSpender, withShares } from './lots.js';
import { endOf } from './settle-credits.js';

/**
 * A charge to hold. `movementId` is allocated beforehand and used only if the key is new. `key` is derived from the
 * cause and is never random. A price of 0 needs no movement.
 */
export type Hold = Pick<OpenHold, 'movementId' | 'key' | 'credits' | 'product' | 'cause'>;

/**
 * The outcome of a requested hold: its movement, or the reason why there is none: `exempt` (the workspace is not
 * billed), `free` (price 0), `refused` (not affordable; a retry is decided on the new state).
 */
export type HoldOutcome =
  | {
      readonly key: string;
      readonly movementId: number;
      readonly status: MovementStatus;
      /** True if the movement existed before this command. */
      readonly replayed: boolean;
    }
  | {
      readonly key: string;
      readonly movementId: null;
      readonly status: 'exempt' | 'free' | 'refused';
      readonly replayed: false;
    };

export const chargeKeyTaken = refusal({
  code: 'charge-key-taken',
  kind: 'conflicting',
  detail: 'This key was used for another charge before.',
});

type WhenOver = 'refuse' | 'leave out';

/** What did not cover a charge. */
export type Shortage = 'credits' | 'cap' | 'budget';

type Selection = {
  readonly holds: readonly Hold[];
  readonly refused: readonly Hold[];
  /** What did not cover the first refused charge; null if none is refused. */
  readonly shortage: Shortage | null;
  /** The caps that refuse it, narrowest first. */
  readonly caps: readonly Cap[];
  /** Entries for the caps that are reached. */
  readonly reached: readonly CreditEvent[];
};

type SelectionTerms = {
  readonly at: string;
  readonly whenOver?: WhenOver;
  /** The budget of the launch. */
  readonly budget?: LaunchBudget;
};

/** Holds one charge, or refuses with 402. */
export const hold = (wanted: Hold): CreditDecision => holdAll([wanted]);

/** Holds all charges, or refuses with 402 and holds none. */
export const holdAll =
  (wanted: readonly Hold[]): CreditDecision =>
  (account, at) => {
    const selection = selectAffordable(account, wanted, { at });
    const { holds, refused, caps } = selection;
    if (refused.length > 0) throw unaffordable(account, total([...holds, ...refused]), caps, at);
    return [...heldEvents(account, selection), ...selection.reached];
  };

/** The refusal of charges of `required` credits in total, by caps if any cap refuses them. */
export function unaffordable(
  account: CreditAccount,
  required: Credits,
  caps: readonly Cap[],
  at: string,
): Refusal {
  const refused = insufficient(account, required, availableAt(account.books, at));
  return caps.length === 0 ? refused : refusedBy(caps, at, refused.details.members ?? {});
}

/**
 * Holds the affordable prefix of the new charges: the first uncovered charge and every priced charge after it are
 * left out, even if a cheaper one would fit. `holdOutcomes` gives the result of each charge.
 */
export const holdBatch =
  (wanted: readonly Hold[], budget?: LaunchBudget): CreditDecision =>
  (account, at) => {
    const selection = selectAffordable(account, wanted, { at, ...(budget && { budget }) });
    return [
      ...openedBudget(account, selection, budget),
      ...heldEvents(account, selection),
      ...selection.reached,
    ];
  };

/** Opens the budget of a launch with its first hold. */
function openedBudget(
  { limits }: CreditAccount,
  { holds }: Selection,
  budget: LaunchBudget | undefined,
): readonly CreditEvent[] {
  if (budget === undefined || holds.length === 0 || limits.budgets.has(budget.launchId)) return [];
  const { launchId, limit, quote } = budget;
  const data = { launchId, credits: toStored(limit), ...(quote === undefined ? {} : { quote }) };
  return [{ type: 'BudgetOpened', data }];
}

/** Closes the budget of an ended launch. */
export const endBudget =
  (launchId: number): CreditDecision =>
  ({ limits }) =>
    limits.budgets.get(launchId)?.closedAt === null ? [{ type: 'BudgetClosed', data: { launchId } }] : [];

/**
 * Reserves the affordable prefix and captures it in the same append, for charges paid in advance. A charge that would
 * exceed the maximum of a partner's receivable is left out, like one that the balance does not cover.
 */
export const chargeBatch =
  (wanted: readonly Hold[]): CreditDecision =>
  (account, at) => {
    const selection = selectAffordable(account, wanted, { at, whenOver: 'leave out' });
    const { holds, reached } = selection;
    const known = wanted.flatMap(({ key }) => account.charges.byKey.get(key) ?? []);
    const open = [...new Set(known)].flatMap(
      ({ movementId }) => account.books.openHolds.get(movementId) ?? [],
    );
    const payer = payerOf(account);
    // The events are not folded into the books yet.
    const made =
      payer === null ? [] : holds.map((each) => ({ ...each, payer, endCarriesAmount: true as const }));
    return [
      ...heldEvents(account, selection),
      ...[...open, ...made].map((each) => endOf(each, 'captured', undefined)),
      ...reached,
    ];
  };

/** By key, the movement of each held or captured charge; a released hold is no payment. */
export function paidAmong(account: CreditAccount, keys: readonly string[]): ReadonlyMap<string, number> {
  const own = ownKeys(account, keys);
  return new Map(
    keys.flatMap((key) => {
      const charge = account.charges.byKey.get(own.get(key) ?? key);
      return charge === undefined || charge.status === 'released' ? [] : [[key, charge.movementId] as const];
    }),
  );
}

/**
 * By key of the service, the key of its own charge, where that is another one. An operator may have used any key for work
 * elsewhere: that charge keeps its key, and a number follows the key of the service's own charge.
 */
export function ownKeys(account: CreditAccount, keys: readonly string[]): ReadonlyMap<string, string> {
  requireRemembered(account, keys.map(askCharge));
  const used = keys.filter((key) => isOfOperator(account.charges.byKey.get(key)));
  return new Map(used.map((key) => [key, ownKey(account, key)]));
}

const isOfOperator = (charge: RecordedCharge | undefined): boolean => charge?.kind === 'operator';

/** This key, or the first one with a number whose charge, if there is any, is not passed over. */
export function ownKey(
  account: CreditAccount,
  first: string,
  isPassedOver: (charge: RecordedCharge) => boolean = isOfOperator,
): string {
  for (let number = 0; ; number += 1) {
    const key = numberedKey(first, number);
    requireRemembered(account, [askCharge(key)]);
    const charge = account.charges.byKey.get(key);
    if (charge === undefined || !isPassedOver(charge)) return key;
  }
}

/** The same holds under their own keys. Those of operators have any key. */
export function underOwnKeys(account: CreditAccount, wanted: readonly Hold[]): readonly Hold[] {
  const own = ownKeys(
    account,
    wanted.flatMap(({ cause, key }) => (cause.kind === 'operator' ? [] : key)),
  );
  return own.size === 0 ? wanted : wanted.map((hold) => ({ ...hold, key: own.get(hold.key) ?? hold.key }));
}

/** The outcome of each requested hold, in the same order; read from the state right after the decision. */
export function holdOutcomes(account: CreditAccount, wanted: readonly Hold[]): readonly HoldOutcome[] {
  requireRemembered(
    account,
    wanted.map(({ key }) => askCharge(key)),
  );
  return wanted.map(({ key, credits, movementId }) => {
    const charge = account.charges.byKey.get(key);
    if (charge !== undefined) {
      const replayed = charge.movementId !== movementId;
      return { key, movementId: charge.movementId, status: charge.status, replayed };
    }
    const exempt = account.books.billing?.mode === 'exempt';
    const status = exempt ? 'exempt' : credits === 0n ? 'free' : 'refused';
    return { key, movementId: null, status, replayed: false };
  });
}

/** The payer of a new movement; null if the workspace has no movements. */
function payerOf(account: CreditAccount): Payer | null {
  const billing = billingOf(account);
  switch (billing.mode) {
    case 'self':
      return 'workspace';
    case 'partner':
      return `partner:${billing.partnerId}`;
    case 'exempt':
      return null;
  }
}

/** Splits the charges that need a new movement: the covered ones, and those from the first uncovered one on. */
function selectAffordable(
  account: CreditAccount,
  wanted: readonly Hold[],
  { at, whenOver = 'refuse', budget }: SelectionTerms,
): Selection {
  const payer = payerOf(account);
  requireRemembered(
    account,
    wanted.map(({ key }) => askCharge(key)),
  );
  const seen = new Map<string, Hold>();
  const holds: Hold[] = [];
  const refused: Hold[] = [];
  let free = payer === 'workspace' ? available(account.books) : headroom(account, payer);
  let left = budget === undefined ? null : budgetLeft(account.limits.budgets, budget);
  const meter = capMeter(account.limits.caps, at);
  let shortage: Shortage | null = null;
  let caps: readonly Cap[] = [];
  for (const next of wanted) {
    if (next.credits < 0n) throw new Error(`the charge ${next.key} is negative`);
    const earlier = account.charges.byKey.get(next.key) ?? seen.get(next.key);
    if (earlier !== undefined) {
      requireSameCharge(earlier, next);
      continue;
    }
    if (account.charges.byMovement.has(next.movementId))
      throw new Error(`the movement ${next.movementId} exists under another key`);
    seen.set(next.key, next);
    if (payer === null || next.credits === 0n) continue;
    if (shortage === null && next.credits > free) {
      if (payer !== 'workspace' && whenOver === 'refuse') throw creditLimitExceeded();
      shortage = 'credits';
    }
    if (shortage === null) {
      caps = meter.refusing(next);
      if (caps.length > 0) shortage = 'cap';
      else if (left !== null && next.credits > left) shortage = 'budget';
    }
    if (shortage !== null) {
      refused.push(next);
      continue;
    }
    free -= next.credits;
    if (left !== null) left -= next.credits;
    meter.take(next);
    holds.push(next);
  }
  return { holds, refused, shortage, caps, reached: meter.entries(caps) };
}

/**
 * What does not cover these charges at `at`, in the state right after their decision; null if every charge that needs
 * a movement has one.
 */
export function shortageOf(
  account: CreditAccount,
  wanted: readonly Hold[],
  at: string,
  budget?: LaunchBudget,
): Shortage | null {
  const terms = { at, whenOver: 'leave out' as const, ...(budget && { budget }) };
  return selectAffordable(account, wanted, terms).shortage;
}

/** No balance limits a partner's receivable, only the size of a number. */
export function headroom(account: CreditAccount, payer: Payer | null): Credits {
  const receivable = payer === null ? undefined : account.books.accounts.get(payer);
  return MAX_CREDITS - (receivable?.held ?? 0n) - (receivable?.captured ?? 0n);
}

function requireSameCharge(earlier: RecordedCharge | Hold, wanted: Hold): void {
  if (earlier.credits !== wanted.credits) {
    throw chargeKeyTaken({ errors: fieldError('credits', 'is not the amount this key was used for') });
  }
  if (earlier.product !== wanted.product) {
    throw chargeKeyTaken({ errors: fieldError('product', 'is not the product this key was used for') });
  }
}

function heldEvents(account: CreditAccount, { holds }: Selection): readonly CreditEvent[] {
  const payer = payerOf(account);
  if (payer === null) return [];
  // Charges that a partner pays come from no lot.
  const sharesOf =
    payer === 'workspace' ? lotSpender(account.books.lots, available(account.books)) : (): readonly [] => [];
  return holds.map(({ movementId, key, credits, product, cause }) => {
    const held = { movementId, key, credits: toStored(credits), product, payer, cause };
    return {
      type: 'CreditsHeld',
      data: { ...held, endCarriesAmount: true, ...withShares(sharesOf(credits)) },
    };
  });
}

function total(holds: readonly Hold[]): Credits {
  return holds.reduce((sum, { credits }) => sum + credits, 0n);
}
