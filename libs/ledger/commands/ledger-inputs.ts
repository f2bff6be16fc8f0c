import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Id, OneOf, Type } from '#kernel/values/schema.js';
import type { LotTerms } from '#ledger/domain/lot-facts.js';
import { PLAIN_TERMS } from '#ledger/domain/lots.js';
import { RECURRING_KEYS } from '#ledger/domain/recurring-grants.js';
import type { Moment } from '#ledger/history/moment.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described } from '#ops/support/inputs.js';
import { readInstant } from '#ops/support/read-instant.js';

/** A date (midnight UTC) or timestamp; or a ledger revision, as a number or as digits. */
export const MomentInput = described(
  'state before this date or timestamp, or after this ledger revision; default: now',
  Type.Union([Type.Integer({ minimum: 0 }), Type.String()]),
);

/** Additional columns of a statement or export. */
export const WithInput = described('actor: show who made the entry of each row', OneOf('actor'));

/** The place of a granted lot in the order of spending. */
export const spendingOrderInput = {
  priority: Type.Optional(
    described('0 to 100, lower is spent first; default: 50', Type.Integer({ minimum: 0, maximum: 100 })),
  ),
  promotional: Type.Optional(described('not paid for: spent before paid credits', Type.Boolean())),
};

type SpendingOrder = { readonly priority?: number; readonly promotional?: boolean };

/** The place of a lot in the order of spending, that of plain credits where it is not given. */
export const spendingOrderOf = ({
  priority = PLAIN_TERMS.priority,
  promotional = PLAIN_TERMS.promotional,
}: SpendingOrder): Omit<LotTerms, 'expiresAt'> => ({ priority, promotional });

/** The terms of added credits. Throws `invalidInput` with the field name. */
export const termsGiven = (input: SpendingOrder & { readonly expires_at?: string }): LotTerms => ({
  expiresAt: input.expires_at === undefined ? null : readInstant(input.expires_at, 'expires_at'),
  ...spendingOrderOf(input),
});

/** The lot that credits are taken back from. */
export const TakenLot = described(
  'id of the grant whose lot the credits are taken from; default: in the order of spending',
  Id,
);

/** Refuses a posting key that belongs to a recurring grant. Throws `invalidInput` with the field name. */
export function requireOperatorsKey(key: string | undefined): void {
  if (key?.startsWith(RECURRING_KEYS) !== true) return;
  const fault = `must not begin with ${RECURRING_KEYS}, as keys of recurring grants do`;
  throw invalidInput({ errors: fieldError('grant_key', fault) });
}

/** Reads the period of a statement or export. Throws `invalidInput` with the field name. */
export function readPeriod(input: { readonly from?: string; readonly to?: string }): {
  readonly from: string | null;
  readonly to: string | null;
} {
  const from = input.from === undefined ? null : readInstant(input.from, 'from');
  const to = input.to === undefined ? null : readInstant(input.to, 'to');
  if (from !== null && to !== null && from > to) {
    throw invalidInput({ errors: fieldError('from', 'must not be after to') });
  }
  return { from, to };
}

/**
 * Reads a moment of this ledger; now, if none is given. A future time is refused: more entries could still be
 * recorded before it, and the same question must always have the same answer.
 */
export function readMoment(input: number | string | undefined, head: StoredEvent, now: Date): Moment {
  if (input === undefined) return {};
  if (typeof input === 'number' || /^\d{1,15}$/.test(input)) {
    const revision = BigInt(input);
    if (revision <= head.revision) return { revision };
    throw invalidInput({ errors: fieldError('at', `the ledger is at revision ${head.revision}`) });
  }
  const at = readInstant(input, 'at');
  if (at > now.toISOString() && at > (head.metadata['recordedAt'] ?? '')) {
    throw invalidInput({ errors: fieldError('at', 'must not lie in the future') });
  }
  return { at };
}
