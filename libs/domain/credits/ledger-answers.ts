import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { CauseSchema, PayerSchema } from './credits.events.js';

/** Amounts in answers are JSON numbers of credits (OP-11). */
const Amount = Type.Number();
const AmountsByName = Type.Record(Type.String(), Amount);
const Revision = Nullable(Type.Integer({ minimum: 0 }));
const Hash = Nullable(Type.String());

/** The balance as it is answered everywhere (OP-22). */
export const BalanceAnswer = Type.Object({
  balance: Amount,
  held: Amount,
  captured: Amount,
  granted: Amount,
  is_billed: Type.Boolean(),
  billing: OneOf('self', 'partner', 'exempt'),
  updated_at: Nullable(Timestamp),
});
export type BalanceView = Immutable<Static<typeof BalanceAnswer>>;

/** Where a movement came from; only the ids that are known. */
export const CauseAnswer = Type.Object({
  kind: CauseSchema.properties.kind,
  launch_id: Type.Optional(Id),
  run_id: Type.Optional(Id),
  signal_setup_id: Type.Optional(Id),
  agent_id: Type.Optional(Id),
  subject: Type.Optional(Type.String()),
  request_id: Type.Optional(Id),
  company_id: Type.Optional(Id),
  persona_id: Type.Optional(Id),
  month: Type.Optional(Type.String()),
  /** Of grants, withdrawals and adjustments. */
  reason: Type.Optional(Type.String()),
  /** Of adjustments: the movement that was wrong. */
  corrects: Type.Optional(Id),
});
export type CauseView = Immutable<Static<typeof CauseAnswer>>;

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

/** A ledger as it stood. The same revision gives the same answer for ever. */
export const AsOfAnswer = Type.Object({
  at: Nullable(Timestamp),
  /** The last entry in it; null before the first. */
  revision: Revision,
  balance: BalanceAnswer,
  open_holds: Type.Array(
    Type.Object({
      movement_id: Id,
      key: Type.String(),
      credits: Amount,
      product: Type.String(),
      payer: PayerSchema,
      created_at: Timestamp,
    }),
  ),
  /** What was captured until then, whoever pays. */
  spend_by_product: AmountsByName,
});
export type AsOf = Immutable<Static<typeof AsOfAnswer>>;

/** What a proof came to. Differences stand in the order of the ledger; those of sums and counts come last. */
export const VerificationAnswer = Type.Object({
  ok: Type.Boolean(),
  revision: Revision,
  /** Movements held in the ledger, whatever became of them. */
  movements: Type.Integer({ minimum: 0 }),
  /** The head of the hash chain. */
  hash: Hash,
  differences: Type.Array(
    Type.Object({
      revision: Revision,
      what: Type.String(),
      expected: Nullable(Type.String()),
      found: Nullable(Type.String()),
    }),
  ),
});
export type Verification = Immutable<Static<typeof VerificationAnswer>>;

/** A charge as lists of movements show it. */
export const MovementRowAnswer = Type.Object({
  id: Id,
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
  status: OneOf('held', 'captured', 'released'),
  product: Type.String(),
  credits: Amount,
  payer: PayerSchema,
  key: Type.String(),
  cause: CauseAnswer,
});
export type MovementRowView = Immutable<Static<typeof MovementRowAnswer>>;

/** A ledger entry as far as a person asks for it: what, when, who, for which request, and its seal. */
export const EntryAnswer = Type.Object({
  revision: Type.Integer({ minimum: 0 }),
  type: Type.String(),
  recorded_at: Timestamp,
  actor: Type.Object({ kind: Type.String(), id: Type.String() }),
  command_id: Nullable(Type.String()),
  /** X-Request-Id of the call at the root of it. */
  request_id: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  hash: Type.String(),
});
export type EntryView = Immutable<Static<typeof EntryAnswer>>;

const named = { id: Id, name: Nullable(Type.String()) };

/** One movement with where it came from and every ledger entry of it. */
export const MovementDetailAnswer = Type.Object({
  id: Id,
  kind: OneOf('charge', 'grant', 'withdrawal', 'adjustment'),
  /** A posting is done when it is made. */
  status: OneOf('held', 'captured', 'released', 'posted'),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
  product: Nullable(Type.String()),
  /** The charge; of a posting its change of what can be spent. */
  credits: Amount,
  payer: PayerSchema,
  key: Nullable(Type.String()),
  cause: CauseAnswer,
  /** What the ids of the cause are now; null for what the cause does not name or what is gone. */
  origin: Type.Object({
    signal: Nullable(
      Type.Object({
        id: Id,
        signal_type: Type.String(),
        detected_at: Timestamp,
        source_url: Nullable(Type.String()),
      }),
    ),
    run: Nullable(Type.Object({ id: Id, stage: Type.String(), created_at: Timestamp })),
    signal_setup: Nullable(Type.Object(named)),
    agent: Nullable(Type.Object(named)),
    company: Nullable(Type.Object(named)),
    persona: Nullable(Type.Object(named)),
  }),
  /** Adjustments that name this movement, the first hundred. */
  corrections: Type.Array(
    Type.Object({ movement_id: Id, at: Timestamp, credits: Amount, reason: Type.String() }),
  ),
  entries: Type.Array(EntryAnswer),
});
export type MovementDetail = Immutable<Static<typeof MovementDetailAnswer>>;
