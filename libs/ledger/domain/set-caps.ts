import { toStored, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import type { CreditAccount } from './account-state.js';
import { periodStart } from './cap-periods.js';
import { isCounted, MOST_CAPS, type Cap } from './caps.js';
import { LedgerMoved } from './ledger-moved.js';
import { billingOf, type CreditDecision } from './credit-account.js';

/** A requested cap; `capId` is allocated beforehand for a new cap. */
export type WantedCap = Pick<Cap, 'scope' | 'scopeId' | 'period' | 'limit'> & { readonly capId: number };

/** Who sets a cap: an operator, or an API key of the workspace. */
export type CapAuthor = 'operator' | { readonly keyId: number };

/**
 * What a cap counts of the movements that were held in the period that begins at `from`, and captured up to the entry
 * with revision `upTo`.
 */
export type EarlierSpending = {
  readonly from: string;
  readonly upTo: bigint;
  readonly captured: Credits;
};

export const unknownCap = refusal({
  code: 'unknown-cap',
  kind: 'missing',
  detail: 'The workspace has no cap with this id.',
});

export const tooManyCaps = refusal({
  code: 'too-many-caps',
  kind: 'conflicting',
  detail: `A workspace has ${MOST_CAPS} caps at most.`,
});

export const capOfOperator = refusal({
  code: 'cap-of-operator',
  kind: 'forbidden',
  detail: 'This cap was set by an operator: only operators can change it.',
});

export const keyIsCapped = refusal({
  code: 'key-is-capped',
  kind: 'forbidden',
  detail: 'This API key has a cap of its own: it can lower that cap and change no other.',
});

/**
 * Sets a new cap. Throws `LedgerMoved` if the credits that it has to count from the start were not read, or not up to
 * now.
 */
export const addCap =
  (wanted: WantedCap, author: CapAuthor, earlier: EarlierSpending | null = null): CreditDecision =>
  (account, at) => {
    billingOf(account);
    const { caps } = account.limits;
    // Two calls with one key at the same time.
    if (caps.has(wanted.capId)) return [];
    if (isUnderOwnCap(account, author)) throw keyIsCapped();
    if (caps.size >= MOST_CAPS) throw tooManyCaps();
    const setBy = author === 'operator' ? 'operator' : 'workspace';
    return [capSet(wanted, setBy, spentBefore(account, wanted, at, earlier))];
  };

/** Replaces the cap with this id. Idempotent. Throws `LedgerMoved` as `addCap` does. */
export const replaceCap =
  (wanted: WantedCap, author: CapAuthor, earlier: EarlierSpending | null = null): CreditDecision =>
  (account, at) => {
    const before = capToChange(account, wanted.capId, author);
    if (isUnderOwnCap(account, author) && !isLowered(before, wanted, author)) throw keyIsCapped();
    // It counts on as before.
    if (isOfSameThing(before, wanted))
      return before.limit === wanted.limit ? [] : [capSet(wanted, before.setBy, 0n)];
    return [capSet(wanted, before.setBy, spentBefore(account, wanted, at, earlier))];
  };

/** Removes the cap with this id. */
export const removeCap =
  (capId: number, author: CapAuthor): CreditDecision =>
  (account) => {
    capToChange(account, capId, author);
    if (isUnderOwnCap(account, author)) throw keyIsCapped();
    return [{ type: 'CapRemoved', data: { capId } }];
  };

/** The cap with this id. Throws `unknownCap`. */
function capOf({ limits }: Pick<CreditAccount, 'limits'>, capId: number): Cap {
  const cap = limits.caps.get(capId);
  if (cap === undefined) throw unknownCap();
  return cap;
}

function capToChange(account: CreditAccount, capId: number, author: CapAuthor): Cap {
  billingOf(account);
  const cap = capOf(account, capId);
  if (cap.setBy === 'operator' && author !== 'operator') throw capOfOperator();
  return cap;
}

/** Credits of the running period that were captured before the cap counts. Throws `LedgerMoved` if they are not known. */
function spentBefore(
  { books, charges, memory: { forgotten } }: CreditAccount,
  wanted: WantedCap,
  at: string,
  earlier: EarlierSpending | null,
): Credits {
  if ([...books.accounts.values()].every(({ captured }) => captured === 0n)) return 0n;
  if (earlier === null || earlier.from !== periodStart(wanted.period, at)) throw new LedgerMoved();
  if (forgotten !== null && forgotten.revision > earlier.upTo) throw new LedgerMoved();
  let credits = earlier.captured;
  // Not read again: in a ledger that is charged all the time the cap would never be set.
  for (const { status, changedAt, heldFor, credits: amount } of charges.byMovement.values()) {
    if (status !== 'captured' || changedAt === null || changedAt <= earlier.upTo) continue;
    if (heldFor !== null && heldFor.heldAt >= earlier.from && isCounted(wanted, heldFor)) credits += amount;
  }
  return credits;
}

const isOfKey = ({ scope, scopeId }: Cap, author: CapAuthor): boolean =>
  author !== 'operator' && scope === 'key' && scopeId === author.keyId;

const isUnderOwnCap = ({ limits }: CreditAccount, author: CapAuthor): boolean =>
  [...limits.caps.values()].some((cap) => isOfKey(cap, author));

/** Whether a key only lowers its own cap. */
const isLowered = (before: Cap, wanted: WantedCap, author: CapAuthor): boolean =>
  isOfKey(before, author) && isOfSameThing(before, wanted) && wanted.limit <= before.limit;

const isOfSameThing = (before: Cap, { scope, scopeId, period }: WantedCap): boolean =>
  before.scope === scope && before.scopeId === scopeId && before.period === period;

const capSet = (
  { capId, scope, scopeId, period, limit }: WantedCap,
  setBy: Cap['setBy'],
  spentBefore: Credits,
) =>
  ({
    type: 'CapSet',
    data: {
      capId,
      scope,
      ...(scopeId === null ? {} : { scopeId }),
      period,
      limit: toStored(limit),
      setBy,
      ...(spentBefore === 0n ? {} : { spentBefore: toStored(spentBefore) }),
    },
  }) as const;

/** The scope names no object of the workspace. */
export const unknownScope = refusal({
  code: 'unknown-cap-scope',
  kind: 'unprocessable',
  detail: 'The cap names something that the workspace does not have.',
});

/** The fault of a scope id that names no object. */
export const noSuchScope = () => unknownScope({ errors: fieldError('scope_id', 'is not in this workspace') });
