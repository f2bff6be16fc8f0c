import { streamName } from '#kernel/commands/decider.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { sealOf } from '#ledger/domain/ledger-entry.js';
import type { LedgerVerification } from '#ledger/answers/verification.answer.js';
import type { Statement } from './statement.js';

/** A printed entry that the ledger no longer has, with the difference. */
export type GoneEntry = LedgerVerification['differences'][number];

const WHAT = 'entry of the ledger as it is now';

/** Compares printed entries with the current ledger, which may have been restored from a backup. */
export function standingCheck(eventStore: Pick<EventStore, 'readStream'>, workspaceId: number) {
  let reading: AsyncGenerator<StoredEvent, undefined> | null = null;
  let gone: GoneEntry | null = null;
  return {
    /** The next entries in ledger order; after the first missing entry nothing more is read. */
    compare: async (printed: readonly StoredEvent[]): Promise<void> => {
      for (const entry of printed) {
        if (gone !== null) return;
        reading ??= entriesFrom(eventStore, workspaceId, entry.revision);
        const { value: now } = await reading.next();
        if (now !== undefined && now.revision === entry.revision && sealOf(now) === sealOf(entry)) continue;
        gone = goneEntry(entry.revision, sealOf(entry), now === undefined ? null : sealOf(now));
      }
    },
    /** The first entry that the ledger no longer has; null if there is none. */
    firstGone: (): GoneEntry | null => gone,
    end: async (): Promise<void> => void (await reading?.return(undefined)),
  };
}

/**
 * Compares a printed statement with the current ledger: its last entry by the seal, its rows by their movements.
 * Returns the first revision that the ledger no longer has.
 */
export async function compareStatement(
  eventStore: Pick<EventStore, 'readStream'>,
  { workspaceId, rows, revision, hash }: Omit<PrintedStatement, 'charges'>,
): Promise<GoneEntry | null> {
  const wanted = new Map(rows.map((row) => [BigInt(row.revision), row]));
  let last = -1n;
  for await (const entry of entriesFrom(eventStore, workspaceId, 0n)) {
    last = entry.revision;
    const row = wanted.get(entry.revision);
    if (row !== undefined && entry.data['movementId'] !== row.movementId) {
      return goneEntry(entry.revision, `movement ${row.movementId}`, sealOf(entry));
    }
    if (revision !== null && entry.revision === BigInt(revision)) {
      return sealOf(entry) === hash ? null : goneEntry(entry.revision, hash, sealOf(entry));
    }
  }
  return revision === null ? null : goneEntry(last + 1n, hash, null);
}

/** The members of a statement that are compared, and the number of charges among its rows. */
export type PrintedStatement = Pick<Statement, 'workspaceId' | 'revision' | 'hash'> & {
  readonly rows: readonly Pick<Statement['rows'][number], 'revision' | 'movementId'>[];
  readonly charges: number;
};

function goneEntry(revision: bigint, expected: string | null, found: string | null): GoneEntry {
  return { revision: Number(revision), what: WHAT, expected, found };
}

async function* entriesFrom(
  eventStore: Pick<EventStore, 'readStream'>,
  workspaceId: number,
  from: bigint,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const batch of eventStore.readStream(streamName(creditAccount, String(workspaceId)), { from })) {
    yield* batch;
  }
  return undefined;
}
