import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { PayerSchema } from '#ledger/domain/credits.events.js';
import type { CreditMovementDocument } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { ShownProvenance } from '#projections/sources/sources/provenance.js';
import { Amount } from '#kernel/values/amounts.js';
import { CauseAnswer, causeView } from './cause.answer.js';
import { EntryAnswer } from './entry.answer.js';

/** A charge as a row of a list. */
export const MovementRowAnswer = Type.Object(
  {
    id: Id,
    created_at: Timestamp,
    ended_at: Nullable(Timestamp),
    status: OneOf('held', 'captured', 'released'),
    product: Type.String(),
    credits: Amount,
    payer: PayerSchema,
    key: Type.String(),
    cause: CauseAnswer,
  },
  { title: 'Movement' },
);
export type MovementRowView = Immutable<Static<typeof MovementRowAnswer>>;

/** The row of a charge. */
export const movementRow = (movement: CreditMovementDocument): MovementRowView => ({
  id: movement.id,
  created_at: movement.createdAt,
  ended_at: movement.endedAt,
  status: movement.status,
  product: movement.product,
  credits: toJsonNumber(fromStored(movement.credits)),
  payer: movement.payer,
  key: movement.key,
  cause: causeView(movement.causeKind, movement),
});

const Named = Type.Object({ id: Id, name: Nullable(Type.String()) }, { title: 'NamedThing' });

/** One movement with its origin and all of its ledger entries. */
export const MovementDetailAnswer = Type.Object(
  {
    id: Id,
    kind: OneOf('charge', 'grant', 'withdrawal', 'adjustment', 'import', 'reversal'),
    /** A posting has the status `posted` from the start. */
    status: OneOf('held', 'captured', 'released', 'posted'),
    created_at: Timestamp,
    ended_at: Nullable(Timestamp),
    product: Nullable(Type.String()),
    /** The amount of a charge; for a posting, the change of the available credits. */
    credits: Amount,
    payer: PayerSchema,
    key: Nullable(Type.String()),
    cause: CauseAnswer,
    /** What the ids of the cause name now; null if the cause has no such id or the object is gone. */
    origin: Type.Object(
      {
        signal: Nullable(
          Type.Object(
            {
              id: Id,
              signal_type: Type.String(),
              detected_at: Timestamp,
              source_url: Nullable(Type.String()),
              provenance: ShownProvenance,
            },
            { title: 'OriginSignal' },
          ),
        ),
        run: Nullable(
          Type.Object({ id: Id, stage: Type.String(), created_at: Timestamp }, { title: 'OriginRun' }),
        ),
        signal_setup: Nullable(Named),
        agent: Nullable(Named),
        company: Nullable(Named),
        persona: Nullable(Named),
        /** For a month of monitoring: the reasons of the business unit at that time, at most 100. */
        wanted_by: Nullable(
          Type.Array(
            Type.Object(
              {
                kind: OneOf('list', 'pick'),
                list: Nullable(Named),
                member_id: Nullable(Id),
                account_id: Nullable(Id),
              },
              { title: 'WantedBy' },
            ),
          ),
        ),
      },
      { title: 'MovementOrigin' },
    ),
    /** Adjustments that name this movement, the first 100. */
    corrections: Type.Array(
      Type.Object(
        { movement_id: Id, at: Timestamp, credits: Amount, reason: Type.String() },
        { title: 'MovementCorrection' },
      ),
    ),
    entries: Type.Array(EntryAnswer),
  },
  { title: 'MovementDetail' },
);
export type MovementDetail = Immutable<Static<typeof MovementDetailAnswer>>;
