import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { toJsonNumber } from '#kernel/values/credits.js';
import { actorOf } from '#ledger/domain/actor.js';
import { available } from '#ledger/domain/books.js';
import { smaller, type LedgerReader } from './ledger-reader.js';
import type { LedgerSums } from './ledger-sums.js';
import { nextRow, statementEnd, type StatementRow, type StatementSummary } from './statement.js';

/**
 * The entries of a statement: from `first`, and before `end`. Fixed once, so that all pages belong to one statement.
 */
export type StatementBounds = { readonly first: bigint; readonly end: bigint };

export type StatementPeriod = { readonly from: string | null; readonly to: string | null };

/**
 * Finds the entries of a period (RFC 3339, UTC, milliseconds; null is unbounded) in the ledger at `revision`. `head`
 * is the last entry of the ledger.
 */
export async function statementBounds(
  ledgers: LedgerReader,
  workspaceId: number,
  { from, to }: StatementPeriod,
  revision: bigint,
  head: StoredEvent,
): Promise<StatementBounds> {
  const last = smaller(revision, head.revision) + 1n;
  const end = to === null ? last : smaller(await ledgers.firstAt(workspaceId, to, head), last);
  const first = from === null ? 0n : smaller(await ledgers.firstAt(workspaceId, from, head), end);
  return { first, end };
}

/**
 * The first row and the size of a page, and whether the rows name their actors. `known` are sums that the caller
 * already has; they are used if they are the sums at the end.
 */
export type StatementPlace = {
  readonly start: bigint;
  readonly limit: number;
  readonly withActor?: boolean;
  readonly known?: LedgerSums;
};

/** A page of a statement; `next` is the entry of the row after it. */
export type StatementPage = {
  readonly summary: StatementSummary;
  readonly rows: readonly StatementRow[];
  readonly next: bigint | null;
};

/**
 * A page of a statement: everything except the rows, and at most `limit` rows from the entry `start` on. The cost
 * does not grow with the ledger or the period.
 */
export async function statementPage(
  ledgers: LedgerReader,
  workspaceId: number,
  { from, to }: StatementPeriod,
  { first, end }: StatementBounds,
  { start, limit, withActor = false, known }: StatementPlace,
): Promise<StatementPage> {
  const before = await ledgers.sumsBefore(workspaceId, first);
  const opening = toJsonNumber(available(before.books));
  const isKnown = known !== undefined && (known.revision ?? -1n) + 1n === end;
  const after = isKnown ? known : await ledgers.sumsBefore(workspaceId, end);
  const summary = { from, to, opening, ...statementEnd(after, before.spending) };
  // The opening sums are copied; from here on `sums` change with each row.
  const sums = start === first ? before : await ledgers.sumsBefore(workspaceId, start);
  return { summary, ...(await rowsFrom(ledgers, workspaceId, { start, end, limit, withActor }, sums)) };
}

async function rowsFrom(
  ledgers: LedgerReader,
  workspaceId: number,
  { start, end, limit, withActor }: Required<Omit<StatementPlace, 'known'>> & { readonly end: bigint },
  sums: LedgerSums,
): Promise<Pick<StatementPage, 'rows' | 'next'>> {
  const rows: StatementRow[] = [];
  for (let from = start; from < end; from = (sums.revision ?? from) + 1n) {
    // One more than the limit, to know whether another row follows.
    const most = Number(smaller(end - from, BigInt(limit - rows.length + 1)));
    const before = sums.revision;
    for await (const batch of ledgers.entriesFrom(workspaceId, from, most)) {
      for (const stored of batch) {
        const next = nextRow(sums, stored);
        if (next === null) continue;
        if (rows.length === limit) return { rows, next: stored.revision };
        rows.push(withActor ? { ...next.row, actor: actorOf(stored) } : next.row);
      }
    }
    if (sums.revision === before) break;
  }
  return { rows, next: null };
}
