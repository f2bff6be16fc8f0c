import type { LedgerHistory } from '#ledger/domain/ledger-entry.js';
import type { LedgerSums } from '#ledger/history/ledger-sums.js';
import type { StatementRange } from '#ledger/history/statement.js';

/** What an export is written from: the entries of a period on, and the sums of those before them. */
export type ExportedLedger = {
  readonly workspaceId: number;
  readonly range: StatementRange;
  readonly history: LedgerHistory;
  readonly sums: LedgerSums;
  /** True where a grant of the exported entries, or of those before them, had terms. */
  readonly hasLots: boolean;
};

/** Pieces of text in pieces worth writing: one piece a row would be one write a row. */
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
