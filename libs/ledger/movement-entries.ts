import { recordedAtOf } from '#kernel/events/recorded-at.js';
import type { EntryView } from '#domain/credits/ledger-answers.js';
import { sealOf } from '#domain/credits/ledger-entry.js';
import type { LedgerReader } from './ledger-reader.js';

/** The ledger entries at these revisions, as they stand in the ledger itself. */
export async function movementEntries(
  ledgers: LedgerReader,
  workspaceId: number,
  revisions: readonly number[],
): Promise<readonly EntryView[]> {
  const found = await Promise.all(
    revisions.map((revision) => ledgers.entryAt(workspaceId, BigInt(revision))),
  );
  return found.flatMap((entry) => {
    if (entry === null) return [];
    const { actorKind = '', actorId = '', commandId = null, correlationId = null } = entry.metadata;
    const { reason } = entry.data;
    return [
      {
        revision: Number(entry.revision),
        type: entry.type,
        recorded_at: recordedAtOf(entry),
        actor: { kind: actorKind, id: actorId },
        command_id: commandId,
        request_id: correlationId,
        reason: typeof reason === 'string' ? reason : null,
        hash: sealOf(entry),
      },
    ];
  });
}
