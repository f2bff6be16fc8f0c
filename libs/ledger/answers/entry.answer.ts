import { Amount } from '#kernel/values/amounts.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { FIRST_OPERATOR } from '#kernel/values/operators.js';
import { isRequestId } from '#kernel/values/request-ids.js';
import type { Immutable } from '#kernel/events/event.js';
import { Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { actorOf } from '#ledger/domain/actor.js';
import { readEntry, sealOf } from '#ledger/domain/ledger-entry.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';

/** A ledger entry as customers see it: its time, type, actor, request and seal. */
export const EntryAnswer = Type.Object(
  {
    revision: Type.Integer({ minimum: 0 }),
    type: Type.String(),
    recorded_at: Timestamp,
    actor: Type.Object({ kind: Type.String(), id: Type.String() }, { title: 'Actor' }),
    command_id: Nullable(Type.String()),
    /** X-Request-Id of the call that caused the entry; null if background work did it by itself. */
    request_id: Nullable(Type.String()),
    reason: Nullable(Type.String()),
    /** The credits of an expiry, which may be a part of the grant; absent in other entries. */
    credits: Type.Optional(Amount),
    hash: Type.String(),
  },
  { title: 'LedgerEntry' },
);
export type EntryView = Immutable<Static<typeof EntryAnswer>>;

/** The actor of an entry, for operators. `via` is set if the id was asserted at the command line. */
export const ActorAnswer = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  via: Type.Optional(Type.Literal('cli')),
});

/** A ledger entry as operators see it. */
export const OperatorEntryAnswer = Type.Object({ ...EntryAnswer.properties, actor: ActorAnswer });
type OperatorEntryView = Immutable<Static<typeof OperatorEntryAnswer>>;

/** A ledger entry as a customer sees it: without the name of an operator. */
export const customerEntry = ({ actor: { kind, id }, ...entry }: OperatorEntryView): EntryView => ({
  ...entry,
  actor: { kind, id: kind === 'operator' ? FIRST_OPERATOR.name : id },
});

/** The ledger entries at these revisions, read from the ledger. */
export async function movementEntries(
  ledgers: LedgerReader,
  workspaceId: number,
  revisions: readonly number[],
): Promise<readonly OperatorEntryView[]> {
  const found = await Promise.all(
    revisions.map((revision) => ledgers.entryAt(workspaceId, BigInt(revision))),
  );
  return found.flatMap((entry) => {
    if (entry === null) return [];
    const { commandId = null, correlationId = '' } = entry.metadata;
    const { reason } = entry.data;
    return [
      {
        revision: Number(entry.revision),
        type: entry.type,
        recorded_at: recordedAtOf(entry),
        actor: actorOf(entry),
        command_id: commandId,
        request_id: isRequestId(correlationId) ? correlationId : null,
        reason: typeof reason === 'string' ? reason : null,
        ...expiredCredits(entry),
        hash: sealOf(entry),
      },
    ];
  });
}

function expiredCredits(stored: StoredEvent): { readonly credits?: number } {
  const entry = readEntry(stored);
  return entry.type === 'LotExpired' ? { credits: toJsonNumber(fromStored(entry.data.credits)) } : {};
}
