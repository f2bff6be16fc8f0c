import { fromStored, MAX_CREDITS, toStored, type Credits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import type { CreditAccount, RecurringRule } from './account-state.js';
import { granted } from './books.js';
import { billingOf, type CreditDecision } from './credit-account.js';
import type { CreditEvent, CreditPayloads } from './credits.events.js';
import { MOST_OPEN_LOTS } from './lots.js';
import { countDue, dueAt, expiryOfDue, type Recurrence } from './recurring-facts.js';

/** A recurring grant to add: its entry without the number. */
export type NewRule = Omit<RecurringRule, 'rule' | 'passed'>;

export const MOST_RECURRING = 100;

export const recurringGrantUnknown = refusal({
  code: 'recurring-grant-not-found',
  kind: 'missing',
  detail: 'There is no such recurring grant.',
});

export const recurringGrantRepeated = refusal({
  code: 'recurring-grant-repeated',
  kind: 'conflicting',
  detail: 'A recurring grant with the same terms is already active.',
});

export const recurringKeyTaken = refusal({
  code: 'recurring-key-taken',
  kind: 'conflicting',
  detail: 'This key was used for another recurring grant before.',
});

export const tooManyRecurringGrants = refusal({
  code: 'too-many-recurring-grants',
  kind: 'conflicting',
  detail: `A workspace has ${MOST_RECURRING} active recurring grants at most.`,
});

/** The key of a grant that was due at a time, so that it is given only once. */
const recurringKey = (rule: number, due: string): string => `${RECURRING_KEYS}${rule}:${due}`;

/** The prefix of posting keys of recurring grants. */
export const RECURRING_KEYS = 'recurring:';

/**
 * Adds a recurring grant. `again`: even if one with the same terms is running. `beginsNow`: `from` is the current
 * time and not a chosen term. Idempotent for a key.
 */
export const addRecurring =
  (wanted: NewRule, again: boolean, beginsNow = false): CreditDecision =>
  (account) => {
    billingOf(account);
    const earlier = ruleOfKey(account, wanted.key);
    if (earlier !== null) return requireSame(earlier, wanted, beginsNow);
    const { open, last } = account.recurring;
    const same = [...open.values()].find((rule) => isSame(rule, wanted));
    if (same !== undefined && !again) {
      const found = `the recurring grant ${same.rule} has the same terms`;
      throw recurringGrantRepeated({ errors: fieldError('again', found), members: { rule_id: same.rule } });
    }
    if (open.size >= MOST_RECURRING) throw tooManyRecurringGrants();
    return [{ type: 'RecurringGrantAdded', data: { rule: last + 1, ...wanted } }];
  };

/** The recurring grant that was added with a key, even if it has ended; null if none is remembered. */
export function ruleOfKey(
  { recurring: { open, over } }: CreditAccount,
  key: string | undefined,
): RecurringRule | null {
  if (key === undefined) return null;
  return [...open.values()].find((rule) => rule.key === key) ?? over.get(key) ?? null;
}

/** A key names one recurring grant: with other terms it is refused. */
function requireSame(earlier: RecurringRule, wanted: NewRule, beginsNow: boolean): [] {
  const other =
    TERMS.find((term) => earlier[term] !== wanted[term]) ??
    (isSameLifetime(earlier, wanted) ? null : 'expires_after') ??
    (beginsNow || earlier.from === wanted.from ? null : 'from');
  if (other === null) return [];
  throw recurringKeyTaken({ errors: fieldError(other, 'is not what this key was used with') });
}

/**
 * Makes the due grants of a recurring grant, oldest first, as many as there are movement ids. Each is a separate lot,
 * whose lifetime starts at its due time. A grant of no credits is skipped with an entry.
 */
export const giveDue =
  (ruleId: number, movementIds: readonly number[]): CreditDecision =>
  (account, at) => {
    const rule = account.recurring.open.get(ruleId);
    if (rule === undefined) return [];
    const remaining = remainingOf(account, rule);
    const events: CreditEvent[] = [];
    for (const movementId of movementIds) {
      const due = dueAt(rule, rule.passed + events.length);
      if (due === null || due > at) break;
      events.push(given(rule, due, movementId, remaining, at));
    }
    return events;
  };

/** A grant fell due after the due grants of its rule were made, so that it has to be made before the rule ends. */
export class GrantFellDue extends Error {
  constructor() {
    super('a grant fell due while its rule was stopped');
    this.name = 'GrantFellDue';
  }
}

/** Stops a recurring grant; lots that it gave stay. Idempotent. Throws `GrantFellDue` if a grant is due. */
export const stopRecurring =
  (ruleId: number, reason?: string): CreditDecision =>
  ({ recurring: { open, last } }, at) => {
    const rule = open.get(ruleId);
    if (rule !== undefined) {
      if (countDue(rule, rule.passed, at, 1) > 0) throw new GrantFellDue();
      return [{ type: 'RecurringGrantStopped', data: { rule: ruleId, reason } }];
    }
    if (ruleId > last) throw recurringGrantUnknown();
    return [];
  };

/** What may still be granted: credits below the ceiling and in total, and lots. */
type Remaining = { ceiling: Credits | null; total: Credits; lots: number };

function remainingOf({ books }: CreditAccount, { rule, ceiling }: RecurringRule): Remaining {
  let inUse = 0n;
  for (const lot of books.lots.values()) if (lot.rule === rule) inUse += lot.free + lot.held;
  return {
    ceiling: ceiling === undefined ? null : fromStored(ceiling) - inUse,
    total: MAX_CREDITS - granted(books),
    lots: MOST_OPEN_LOTS - books.lots.size,
  };
}

function given(
  terms: RecurringRule,
  due: string,
  movementId: number,
  remaining: Remaining,
  at: string,
): CreditEvent {
  const { rule, reason, priority, promotional } = terms;
  const skipped = (why: CreditPayloads['RecurringGrantSkipped']['why']): CreditEvent => ({
    type: 'RecurringGrantSkipped',
    data: { rule, due, why },
  });
  const expiresAt = expiryOfDue(terms, due);
  if (expiresAt !== null && expiresAt <= at) return skipped('over');
  const full = fromStored(terms.credits);
  const credits = remaining.ceiling !== null && remaining.ceiling < full ? remaining.ceiling : full;
  if (credits <= 0n) return skipped('ceiling');
  if (credits > remaining.total) return skipped('total');
  if (remaining.lots <= 0) return skipped('lots');
  remaining.lots -= 1;
  remaining.total -= credits;
  if (remaining.ceiling !== null) remaining.ceiling -= credits;
  return {
    type: 'LotGranted',
    data: {
      movementId,
      key: recurringKey(rule, due),
      credits: toStored(credits),
      reason,
      ...(expiresAt === null ? {} : { expiresAt }),
      priority,
      promotional,
      recurring: { rule, due },
    },
  };
}

const TERMS = ['credits', 'reason', 'every', 'until', 'priority', 'promotional', 'ceiling'] as const;

const isSame = (rule: RecurringRule, wanted: NewRule): boolean =>
  TERMS.every((term) => rule[term] === wanted[term]) && isSameLifetime(rule, wanted);

const isSameLifetime = ({ lifetime }: Recurrence, wanted: Recurrence): boolean =>
  lifetime?.unit === wanted.lifetime?.unit && lifetime?.count === wanted.lifetime?.count;
