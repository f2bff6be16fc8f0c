import { streamName } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { LedgerEntry } from '#ledger/domain/credits.events.js';
import { readEntry } from '#ledger/domain/ledger-entry.js';
import { decideOnceRead } from './decide-once-read.js';

/**
 * Decides about the opening of a ledger. If the ledger no longer remembers its adjustments, it is read from the start:
 * `judge` throws on an adjustment that refuses the decision.
 */
export function decideAfterReading<Result>(
  { eventStore }: { readonly eventStore: Pick<EventStore, 'readStream'> },
  workspaceId: number,
  judge: (adjustment: LedgerEntry<'CreditsAdjusted'>) => void,
  decide: (readUpTo: bigint) => Promise<Result>,
): Promise<Result> {
  return decideOnceRead(-1n, decide, async () => {
    let readUpTo = -1n;
    for await (const batch of eventStore.readStream(streamName(creditAccount, String(workspaceId)))) {
      for (const stored of batch) {
        if (stored.type !== 'CreditsAdjusted') continue;
        const entry = readEntry(stored);
        if (entry.type === 'CreditsAdjusted') judge(entry);
      }
      readUpTo = batch.at(-1)?.revision ?? readUpTo;
    }
    return readUpTo;
  });
}
