import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Amount } from '#kernel/values/amounts.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { DAY_MS, HOUR_MS } from '#kernel/values/durations.js';
import { CauseAnswer, causeView } from '#ledger/answers/cause.answer.js';
import type { OpenHold } from '#ledger/domain/books.js';
import { PayerSchema } from '#ledger/domain/credits.events.js';
import { compareText } from '#ledger/domain/lots.js';
import { ledgerHead } from '#ledger/history/ledger-history.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import {
  creditMovementKey,
  creditMovements,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';

const AT_MOST = 200;

/** A hold that is still open after a day is swept (ledger rule 7). */
const AGES = ['hour', 'day', 'older'] as const;
const ageOf = (ms: number): (typeof AGES)[number] => (ms < HOUR_MS ? 'hour' : ms < DAY_MS ? 'day' : 'older');

export const holdList = operatorCommand({
  name: 'hold.list',
  forFinance: true,
  summary:
    'List the open holds of a workspace, oldest first, with their owners; after: continue after this movement',
  input: Type.Object({
    workspace_id: WorkspaceId,
    after: Type.Optional(described('continue after this movement', Id)),
    limit: Type.Optional(
      described('largest number of rows; default: 100', Type.Integer({ minimum: 1, maximum: AT_MOST })),
    ),
  }),
  output: Type.Object({
    total: Type.Integer({ minimum: 0 }),
    credits: Amount,
    /** Holds by age: under an hour, under a day, and older. Older holds are swept. */
    ages: Type.Array(
      Type.Object({ age: OneOf(...AGES), holds: Type.Integer({ minimum: 0 }), credits: Amount }),
    ),
    holds: Type.Array(
      Type.Object({
        movement_id: Id,
        created_at: Timestamp,
        age_seconds: Type.Integer({ minimum: 0 }),
        credits: Amount,
        product: Type.String(),
        payer: PayerSchema,
        key: Type.String(),
        /** The work that owns the hold; null while the read model of movements does not show the movement. */
        cause: Nullable(CauseAnswer),
      }),
    ),
    /** The value for `after` on the next page; null on the last page. */
    next: Nullable(Id),
  }),
  async run(host, { workspace_id: workspaceId, after, limit = 100 }) {
    // An expiry ends no hold, so that none has to be recorded first.
    const head = await ledgerHead(host, workspaceId);
    const sums = await host.ledgers.sumsBefore(workspaceId, head.revision + 1n);
    const now = host.clock.now().getTime();
    const open = [...sums.books.openHolds.values()]
      .map((hold) => ({ ...hold, ageMs: Math.max(0, now - Date.parse(hold.heldAt)) }))
      .toSorted(inOrder);
    const last = after === undefined ? null : await heldBefore(host.readModels, workspaceId, open, after);
    const left = last === null ? open : open.filter((hold) => inOrder(hold, last) > 0);
    const rows = left.slice(0, limit);
    const movements = await host.readModels.getMany(
      creditMovements,
      rows.map(({ movementId }) => creditMovementKey(movementId)),
    );
    return {
      total: open.length,
      credits: toJsonNumber(sumOf(open)),
      ages: AGES.map((age) => {
        const ofAge = open.filter(({ ageMs }) => ageOf(ageMs) === age);
        return { age, holds: ofAge.length, credits: toJsonNumber(sumOf(ofAge)) };
      }),
      holds: rows.map(({ movementId, heldAt, ageMs, credits, product, payer, key }) => {
        const movement = movements.get(creditMovementKey(movementId));
        return {
          movement_id: movementId,
          created_at: heldAt,
          age_seconds: Math.floor(ageMs / 1_000),
          credits: toJsonNumber(credits),
          product,
          payer,
          key,
          cause: movement === undefined ? null : causeView(movement.causeKind, movement),
        };
      }),
      next: left.length > limit ? (rows.at(-1)?.movementId ?? null) : null,
    };
  },
});

type Place = Pick<OpenHold, 'heldAt' | 'movementId'>;

/** Oldest first. */
const inOrder = (left: Place, right: Place): number =>
  compareText(left.heldAt, right.heldAt) || left.movementId - right.movementId;

/** The place of the last hold of a page in the order of the list; it may have ended since. */
async function heldBefore(
  readModels: Pick<ReadModels, 'get'>,
  workspaceId: number,
  open: readonly Place[],
  after: number,
): Promise<Place> {
  const known = open.find(({ movementId }) => movementId === after);
  if (known !== undefined) return known;
  const ended = await readModels.get(creditMovements, creditMovementKey(after));
  if (ended?.workspaceId === workspaceId) return { heldAt: ended.createdAt, movementId: after };
  throw invalidInput({ errors: fieldError('after', 'is not a hold of this workspace') });
}

const sumOf = (holds: readonly { readonly credits: Credits }[]): Credits =>
  holds.reduce((sum, { credits }) => sum + credits, 0n);
