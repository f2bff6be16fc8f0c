import { compareLogs, type LogLoss, type ShortenedStream } from '#event-store/copy/compare-logs.js';
import { formatCredits, type Credits } from '#kernel/values/credits.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { addEntry, emptySums, type LedgerSums } from '#ledger/history/ledger-sums.js';

const LEDGER = `${creditAccount.category}-`;

/** A ledger with fewer entries in the backup than in the current log. */
export type ShortenedLedger = {
  readonly workspaceId: number;
  /** The last revision in the backup; null if it has none. */
  readonly lastRevision: number | null;
  readonly lostEntries: number;
  /** The credits captured in the lost entries, for any payer; exact. */
  readonly capturedCredits: string;
};

export type RestoreLoss = Omit<LogLoss, 'shortened'> & { readonly ledgers: readonly ShortenedLedger[] };

/** The data that is lost if the backup replaces the current log. */
export async function restoreLoss(
  backup: EventStore,
  present: EventStore,
  report: (done: number) => void,
): Promise<RestoreLoss> {
  const { shortened, ...loss } = await compareLogs(
    eachEvent(backup),
    eachEvent(present),
    (stream) => stream.startsWith(LEDGER),
    report,
  );
  const ledgers: ShortenedLedger[] = [];
  for (const stream of shortened) ledgers.push(await shortenedLedger(present, stream));
  return { ...loss, ledgers };
}

async function shortenedLedger(
  present: EventStore,
  { stream, kept, present: length }: ShortenedStream,
): Promise<ShortenedLedger> {
  const sums = emptySums();
  let keptCaptured: Credits = 0n;
  for await (const batch of present.readStream(stream)) {
    for (const entry of batch) {
      if (entry.revision === kept) keptCaptured = capturedIn(sums);
      addEntry(sums, entry);
    }
  }
  return {
    workspaceId: Number(stream.slice(LEDGER.length)),
    lastRevision: kept === 0n ? null : Number(kept - 1n),
    lostEntries: Number(length - kept),
    capturedCredits: formatCredits(capturedIn(sums) - keptCaptured),
  };
}

function capturedIn({ books }: LedgerSums): Credits {
  let captured: Credits = 0n;
  for (const [, account] of books.accounts) captured += account.captured;
  return captured;
}

/** Every event of a log, in its order. */
export async function* eachEvent(store: EventStore): AsyncGenerator<StoredEvent, undefined> {
  for await (const { events } of store.readAll()) yield* events;
  return undefined;
}
