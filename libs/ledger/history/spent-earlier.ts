import { fromStored, type Credits } from '#kernel/values/credits.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import type { Clock } from '#kernel/ports/clock.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { periodStart } from '#ledger/domain/cap-periods.js';
import { isCounted } from '#ledger/domain/caps.js';
import { readEntry } from '#ledger/domain/ledger-entry.js';
import type { EarlierSpending, WantedCap } from '#ledger/domain/set-caps.js';
import type { LedgerReader } from './ledger-reader.js';

type Host = { readonly ledgers: LedgerReader; readonly clock: Clock };

/**
 * Reads from the ledger what a cap counts that begins within a period: credits that were held in the period and are
 * captured. Each call reads only the entries since the last one.
 */
export function earlierSpendingReader(
  { ledgers, clock }: Host,
  workspaceId: number,
  cap: Pick<WantedCap, 'scope' | 'scopeId' | 'period'>,
): () => Promise<EarlierSpending> {
  let from: string | null = null;
  let next = 0n;
  let captured = 0n;
  /** The open holds of the period, by movement; 0 if the cap does not count them. */
  const open = new Map<number, Credits>();

  function add(stored: StoredEvent): void {
    next = stored.revision + 1n;
    const entry = readEntry(stored);
    if (entry.type === 'CreditsHeld') {
      const { movementId, cause, credits } = entry.data;
      open.set(movementId, isCounted(cap, cause) ? fromStored(credits) : 0n);
    } else if (entry.type === 'CreditsCaptured' || entry.type === 'CreditsReleased') {
      const credits = open.get(entry.data.movementId) ?? 0n;
      if (entry.type === 'CreditsCaptured') captured += credits;
      open.delete(entry.data.movementId);
    }
  }

  return async () => {
    const head = await ledgers.head(workspaceId);
    const now = clock.now().toISOString();
    const last = head === null ? now : recordedAtOf(head);
    const begin = periodStart(cap.period, last > now ? last : now);
    if (begin !== from) {
      from = begin;
      next = head === null ? 0n : await ledgers.firstAt(workspaceId, begin, head);
      captured = 0n;
      open.clear();
    }
    for await (const batch of ledgers.entriesFrom(workspaceId, next)) batch.forEach(add);
    return { from, upTo: next - 1n, captured };
  };
}
