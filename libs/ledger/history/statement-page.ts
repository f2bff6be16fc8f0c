import { toJsonNumber } from '#kernel/values/credits.js';
import { available } from '#ledger/domain/books.js';
import type { LedgerReader } from './ledger-reader.js';
import { spentAmounts } from './ledger-sums.js';
import { lotsAtEnd, nextRow, type StatementRow, type StatementSummary } from './statement.js';

/** The entries of a statement: from `first`, and before `end`. Fixed once, so that it stays one statement. */
export type StatementBounds = { readonly first: bigint; readonly end: bigint };

export type StatementPeriod = { readonly from: string | null; readonly to: string | null };

/**
 * Finds the entries of a period (RFC 3339, UTC, milliseconds; null is unbounded) in the ledger as it stood after
 * the entry `revision`.
 */
export async function statementBounds(
  ledgers: LedgerReader,
  workspaceId: number,
  { from, to }: StatementPeriod,
  revision: bigint,
): Promise<StatementBounds> {
  const head = await ledgers.head(workspaceId);
  if (head === null) return { first: 0n, end: 0n };
  const last = smaller(revision, head.revision) + 1n;
  const end = to === null ? last : smaller(await ledgers.firstAt(workspaceId, to, head), last);
  const first = from === null ? 0n : smaller(await ledgers.firstAt(workspaceId, from, head), end);
  return { first, end };
}

/** Everything of a statement but its rows. Costs the same for every length of ledger and period. */
export async function statementSummary(
  ledgers: LedgerReader,
  workspaceId: number,
  { from, to }: StatementPeriod,
  { first, end }: StatementBounds,
): Promise<StatementSummary> {
  const before = await ledgers.sumsBefore(workspaceId, first);
  const after = await ledgers.sumsBefore(workspaceId, end);
  return {
    from,
    to,
    opening: toJsonNumber(available(before.books)),
    totals: spentAmounts(after.spending, before.spending),
    closing: toJsonNumber(available(after.books)),
    revision: after.revision === null ? null : Number(after.revision),
    hash: after.hash,
    ...lotsAtEnd(after),
  };
}

/** The rows from an entry on, at most `limit`; `next` is the entry of the row after them. */
export async function statementRows(
  ledgers: LedgerReader,
  workspaceId: number,
  { first, end }: StatementBounds,
  limit: number,
): Promise<{ readonly rows: readonly StatementRow[]; readonly next: bigint | null }> {
  const rows: StatementRow[] = [];
  const sums = await ledgers.sumsBefore(workspaceId, first);
  for (let from = first; from < end; from = (sums.revision ?? from) + 1n) {
    // One more than asked for tells whether something follows.
    const most = Number(smaller(end - from, BigInt(limit - rows.length + 1)));
    const before = sums.revision;
    for await (const batch of ledgers.entriesFrom(workspaceId, from, most)) {
      for (const stored of batch) {
        const next = nextRow(sums, stored);
        if (next === null) continue;
        if (rows.length === limit) return { rows, next: stored.revision };
        rows.push(next.row);
      }
    }
    if (sums.revision === before) break;
  }
  return { rows, next: null };
}

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);
