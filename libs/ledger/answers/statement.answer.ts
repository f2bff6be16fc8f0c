import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { PeriodSeal } from '#ledger/domain/account-state.js';
import { PayerSchema } from '#ledger/domain/credits.events.js';
import { Amount, AmountsByName } from '#kernel/values/amounts.js';
import { Hash, Revision } from './answer-fields.js';
import type { SpendGroup } from '#ledger/history/spend-groups.js';
import type { SpentAmounts } from '#ledger/history/ledger-sums.js';
import type { Statement, StatementEnd, StatementRow, StatementSummary } from '#ledger/history/statement.js';
import { CauseAnswer, causeView } from './cause.answer.js';
import { ActorAnswer } from './entry.answer.js';
import { LotAnswer, LotShareAnswer, lotTermsAnswer, lotView, shareViews, termsView } from './lots.answer.js';

export const StatementRowAnswer = Type.Object(
  {
    movement_id: Id,
    revision: Type.Integer({ minimum: 0 }),
    at: Timestamp,
    kind: OneOf(
      'grant',
      'withdrawal',
      'hold',
      'capture',
      'release',
      'adjustment',
      'expiry',
      'import',
      'reversal',
    ),
    credits: Amount,
    spend: Amount,
    balance: Amount,
    key: Nullable(Type.String()),
    cause: CauseAnswer,
    product: Nullable(Type.String()),
    payer: PayerSchema,
    /**
     * The parts of the amount that belong to lots with terms; the rest is credit without terms. Absent if there are
     * no such parts.
     */
    lots: Type.Optional(Type.Array(LotShareAnswer)),
    /** For a grant or adjustment with terms. */
    terms: Type.Optional(Type.Object(lotTermsAnswer, { title: 'LotTerms' })),
  },
  { title: 'StatementRow' },
);
export type StatementRowView = Immutable<Static<typeof StatementRowAnswer>>;

const statementEnd = {
  totals: Type.Object(
    { by_product: AmountsByName, by_cause: AmountsByName, by_payer: AmountsByName },
    { title: 'StatementTotals' },
  ),
  closing: Amount,
  revision: Revision,
  hash: Hash,
  /** Credits expired by the end of the period, and the lots open then; absent if no lot had terms. */
  expired: Type.Optional(Amount),
  lots: Type.Optional(Type.Array(LotAnswer)),
};
/** A statement without its rows. */
export const StatementSummaryAnswer = Type.Object(
  {
    from: Nullable(Timestamp),
    to: Nullable(Timestamp),
    opening: Amount,
    ...statementEnd,
  },
  { title: 'StatementSummary' },
);
export type StatementSummaryView = Immutable<Static<typeof StatementSummaryAnswer>>;

/** The seal of a closed month; it never changes. */
export const PeriodSealAnswer = Type.Object({
  month: Type.String(),
  closing: Amount,
  revision: Type.Integer({ minimum: 0 }),
  hash: Type.String(),
});
export type PeriodSealView = Immutable<Static<typeof PeriodSealAnswer>>;

/** Credits spent on one account, business unit and month. Only the members that the groups are formed by are set. */
const SpendGroupAnswer = Type.Object({
  account: Type.Optional(Nullable(Id)),
  persona: Type.Optional(Nullable(Id)),
  month: Type.Optional(Nullable(Type.String())),
  movements: Type.Integer({ minimum: 1 }),
  spend: Amount,
});

/** A row of a statement as it is answered. */
const PrintedRowAnswer = Type.Object({
  ...StatementRowAnswer.properties,
  /** The actor of the entry; present if actors were requested. */
  actor: Type.Optional(ActorAnswer),
});

export const StatementAnswer = Type.Object({
  workspace_id: Id,
  from: Nullable(Timestamp),
  to: Nullable(Timestamp),
  opening: Amount,
  rows: Type.Array(PrintedRowAnswer),
  ...statementEnd,
  /** Present if a limit was given: the number of ledger entries in the period, also those that move no credits. */
  entries: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Present if a limit was given: the revision of the row after the last one; null if there is none. */
  next: Type.Optional(Revision),
  /** Present if the period is exactly one closed month. */
  seal: Type.Optional(PeriodSealAnswer),
  /** Present if groups were requested; they add up to the spending of the period. */
  groups: Type.Optional(Type.Array(SpendGroupAnswer)),
});
export type StatementView = Immutable<Static<typeof StatementAnswer>>;

export const spendGroupView = ({ of, movements, spend }: SpendGroup) => ({
  ...of,
  movements,
  spend: toJsonNumber(spend),
});

/** The seal of a month as it is answered. */
export const sealView = ({ month, closing, revision, hash }: PeriodSeal): PeriodSealView => ({
  month,
  closing: toJsonNumber(fromStored(closing)),
  revision,
  hash,
});

/** Spending as it is answered and exported. */
export const totalsView = ({ byProduct, byCause, byPayer }: SpentAmounts) => ({
  by_product: byProduct,
  by_cause: byCause,
  by_payer: byPayer,
});

export const statementRowView = (row: StatementRow): StatementRowView => ({
  movement_id: row.movementId,
  revision: row.revision,
  at: row.at,
  kind: row.kind,
  credits: row.credits,
  spend: row.spend,
  balance: row.balance,
  key: row.key,
  cause: causeView(row.cause.kind, row.cause),
  product: row.product,
  payer: row.payer,
  ...(row.lots === undefined ? {} : { lots: shareViews(row.lots) }),
  ...(row.terms === undefined ? {} : { terms: termsView(row.terms) }),
});

const endView = ({ totals, closing, revision, hash, withLots }: StatementEnd) => ({
  totals: totalsView(totals),
  closing,
  revision,
  hash,
  ...(withLots === undefined
    ? {}
    : { expired: toJsonNumber(withLots.expired), lots: withLots.open.map(lotView) }),
});

export const statementSummaryView = (summary: StatementSummary): StatementSummaryView => ({
  from: summary.from,
  to: summary.to,
  opening: summary.opening,
  ...endView(summary),
});

/** The whole statement in the form of the answer. Equal statements have equal bytes. */
export const statementView = (statement: Statement): StatementView => ({
  workspace_id: statement.workspaceId,
  from: statement.from,
  to: statement.to,
  opening: statement.opening,
  rows: statement.rows.map((row) => ({
    ...statementRowView(row),
    ...(row.actor === undefined ? {} : { actor: row.actor }),
  })),
  ...endView(statement),
});
