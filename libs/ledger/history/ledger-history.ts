import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { creditAccountUnknown } from '#ledger/domain/credit-account.js';
import type { LedgerHistory } from '#ledger/domain/ledger-entry.js';
import { smaller, type LedgerReader } from './ledger-reader.js';
import type { LedgerSums } from './ledger-sums.js';
import type { Moment } from './moment.js';

/** What reading a ledger needs. */
export type LedgerHost = {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly ledgers: LedgerReader;
};

/** The last entry of a workspace's ledger. Throws `creditAccountUnknown` if there is none. */
export async function ledgerHead({ ledgers }: LedgerHost, workspaceId: number): Promise<StoredEvent> {
  const last = await ledgers.head(workspaceId);
  if (last === null) throw creditAccountUnknown();
  return last;
}

/** The entries of a ledger between two revisions, in batches. Other work may run between batches. */
export async function* ledgerHistory(
  { eventStore }: LedgerHost,
  head: StoredEvent,
  onProgress: OnProgress,
  from = 0n,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const startedAt = performance.now();
  const total = Number(head.revision - from) + 1;
  for await (const batch of eventStore.readStream(head.stream, { from })) {
    yield batch.filter(({ revision }) => revision <= head.revision);
    const read = batch.at(-1)?.revision ?? 0n;
    const done = Number(read - from) + 1;
    onProgress({ done, total, perSecond: (done / (performance.now() - startedAt)) * 1_000 });
    if (read >= head.revision) return;
    await nextTurn();
  }
}

/**
 * The entries of a ledger from a time on (null: from the first), and the sums of the entries before them. Empty if
 * the moment is before that time.
 */
export async function ledgerPeriod(
  host: LedgerHost,
  head: StoredEvent,
  period: { readonly workspaceId: number; readonly from: string | null; readonly asOf: Moment },
  onProgress: OnProgress,
): Promise<{ readonly history: LedgerHistory; readonly sums: LedgerSums }> {
  const { workspaceId, from, asOf } = period;
  const end = await momentEnd(host, workspaceId, asOf, head);
  const begun = from === null ? 0n : await host.ledgers.firstAt(workspaceId, from, head);
  const first = smaller(begun, end);
  const sums = await host.ledgers.sumsBefore(workspaceId, first);
  return { history: ledgerHistory(host, head, onProgress, first), sums };
}

/** The first revision that did not exist yet at a moment. */
export async function momentEnd(
  { ledgers }: LedgerHost,
  workspaceId: number,
  { at, revision }: Moment,
  head: StoredEvent,
): Promise<bigint> {
  const last = (revision ?? head.revision) + 1n;
  if (at === undefined) return last;
  return smaller(await ledgers.firstAt(workspaceId, at, head), last);
}
