import { toStored } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import type { CreditAccount } from './account-state.js';
import { MOST_CAPS, type Cap } from './caps.js';
import { billingOf, type CreditDecision } from './credit-account.js';

/** A requested cap; `capId` is allocated beforehand for a new cap. */
export type WantedCap = Pick<Cap, 'scope' | 'scopeId' | 'period' | 'limit'> & { readonly capId: number };

/** Who sets a cap: an operator, or an API key of the workspace. */
export type CapAuthor = 'operator' | { readonly keyId: number };

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

/** Sets a new cap. */
export const addCap =
  (wanted: WantedCap, author: CapAuthor): CreditDecision =>
  (account) => {
    billingOf(account);
    const { caps } = account.limits;
    if (isUnderOwnCap(account, author)) throw keyIsCapped();
    if (caps.size >= MOST_CAPS) throw tooManyCaps();
    return [capSet(wanted, author === 'operator' ? 'operator' : 'workspace')];
  };

/** Replaces the cap with this id. Idempotent. */
export const replaceCap =
  (wanted: WantedCap, author: CapAuthor): CreditDecision =>
  (account) => {
    const before = capToChange(account, wanted.capId, author);
    if (isUnderOwnCap(account, author) && !isLowered(before, wanted, author)) throw keyIsCapped();
    const isSame = isOfSameThing(before, wanted) && before.limit === wanted.limit;
    return isSame ? [] : [capSet(wanted, before.setBy)];
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

const isOfKey = ({ scope, scopeId }: Cap, author: CapAuthor): boolean =>
  author !== 'operator' && scope === 'key' && scopeId === author.keyId;

const isUnderOwnCap = ({ limits }: CreditAccount, author: CapAuthor): boolean =>
  [...limits.caps.values()].some((cap) => isOfKey(cap, author));

/** Whether a key only lowers its own cap. */
const isLowered = (before: Cap, wanted: WantedCap, author: CapAuthor): boolean =>
  isOfKey(before, author) && isOfSameThing(before, wanted) && wanted.limit <= before.limit;

const isOfSameThing = (before: Cap, { scope, scopeId, period }: WantedCap): boolean =>
  before.scope === scope && before.scopeId === scopeId && before.period === period;

const capSet = ({ capId, scope, scopeId, period, limit }: WantedCap, setBy: Cap['setBy']) =>
  ({
    type: 'CapSet',
    data: {
      capId,
      scope,
      ...(scopeId === null ? {} : { scopeId }),
      period,
      limit: toStored(limit),
      setBy,
    },
  }) as const;

/** The scope names no object of the workspace. */
export const unknownScope = refusal({
  code: 'unknown-cap-scope',
  kind: 'unprocessable',
  detail: 'The cap names something that the workspace does not have.',
});

/** The fault of a scope id that names no object. */
export const noSuchScope = (field: string) =>
  unknownScope({ errors: fieldError(field, 'is not in this workspace') });
