import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { PeriodSeal } from '#domain/credits/account-state.js';
import { PayerSchema } from '#domain/credits/credits.events.js';
import { Amount, AmountsByName, Hash, Revision } from './answer-fields.js';
import { CauseAnswer } from './cause.answer.js';

/**
 * One row an entry that concerns money. `credits` is the change of what can be spent, so opening + rows =
 * closing; a capture changes nothing there and shows what was spent in `spend`. A movement that a partner
 * pays changes nothing either. `balance` is what can be spent after the row.
 */
export const StatementRowAnswer = Type.Object({
  movement_id: Id,
  /** The ledger entry that the row shows. */
  revision: Type.Integer({ minimum: 0 }),
  at: Timestamp,
  kind: OneOf('grant', 'withdrawal', 'hold', 'capture', 'release', 'adjustment'),
  credits: Amount,
  spend: Amount,
  balance: Amount,
  key: Nullable(Type.String()),
  cause: CauseAnswer,
  product: Nullable(Type.String()),
  payer: PayerSchema,
});
export type StatementRow = Immutable<Static<typeof StatementRowAnswer>>;

const statementEnd = {
  /** Spending (what was captured) of the period, whoever pays; `by_payer.workspace` is the workspace's own. */
  totals: Type.Object({ by_product: AmountsByName, by_cause: AmountsByName, by_payer: AmountsByName }),
  closing: Amount,
  /** The last entry that was looked at; null for an empty ledger. With its seal it proves what was printed. */
  revision: Revision,
  hash: Hash,
};
const StatementEndAnswer = Type.Object(statementEnd);
/** A statement without its rows. */
export const StatementSummaryAnswer = Type.Object({
  from: Nullable(Timestamp),
  to: Nullable(Timestamp),
  opening: Amount,
  ...statementEnd,
});
export type StatementSummary = Immutable<Static<typeof StatementSummaryAnswer>>;
export type StatementEnd = Immutable<Static<typeof StatementEndAnswer>>;

/** What a closed month was sealed with; it never changes again. */
export const PeriodSealAnswer = Type.Object({
  month: Type.String(),
  closing: Amount,
  revision: Type.Integer({ minimum: 0 }),
  hash: Type.String(),
});
export type PeriodSealView = Immutable<Static<typeof PeriodSealAnswer>>;

export const StatementAnswer = Type.Object({
  workspace_id: Id,
  from: Nullable(Timestamp),
  to: Nullable(Timestamp),
  opening: Amount,
  rows: Type.Array(StatementRowAnswer),
  ...statementEnd,
  /** There when the statement is of one whole month that is closed. */
  seal: Type.Optional(PeriodSealAnswer),
});
export type Statement = Immutable<Static<typeof StatementAnswer>>;

/** What a month was sealed with, as it is answered. */
export const sealView = ({ month, closing, revision, hash }: PeriodSeal): PeriodSealView => ({
  month,
  closing: toJsonNumber(fromStored(closing)),
  revision,
  hash,
});
