import type { LedgerHistory } from '#ledger/domain/ledger-entry.js';
import type { LedgerSums } from '#ledger/history/ledger-sums.js';
import type { StatementRange } from '#ledger/history/statement.js';

/** The source of an export: the entries of a period, and the sums of the entries before them. */
export type ExportedLedger = {
  readonly workspaceId: number;
  readonly range: StatementRange;
  readonly history: LedgerHistory;
  readonly sums: LedgerSums;
  /** True if a grant of the exported entries, or of those before them, had terms. */
  readonly hasLots: boolean;
};

/** Joins small pieces of text into chunks, because one piece per row would cause one write per row. */
export async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let chunk = '';
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

const CHUNK_CHARACTERS = 64 * 1024;
