import { createHash, type Hash } from 'node:crypto';
import { toJsonNumber } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { canonicalJson, type JsonObject } from '#kernel/values/json.js';
import { available } from '#ledger/domain/books.js';
import { totalsView } from '../answers/statement.answer.js';
import {
  copySpending,
  spentAmounts,
  toStoredSums,
  type LedgerSums,
  type Spending,
} from '#ledger/history/ledger-sums.js';
import { walkPeriod } from '#ledger/history/walk-period.js';
import type { ExportedLedger } from './exported-ledger.js';

export const FORMAT = 'credit-ledger/1';

/**
 * Every ledger entry with all members that its seal covers, one JSON object per line. A header says where the export
 * begins and gives the sums of everything before (open holds on lines of their own); a footer says where it ends. The
 * footer's `sha256` covers all bytes before it. `ledger.verify --file` verifies the export without any store.
 */
export async function* ledgerJsonLines({
  workspaceId,
  range,
  history,
  sums,
}: ExportedLedger): AsyncGenerator<string, void, undefined> {
  const file = createHash('sha256');
  const written = (record: JsonObject): string => {
    const line = `${canonicalJson(record)}\n`;
    file.update(line);
    return line;
  };
  let opening = openingOf(sums);
  let entries = 0;
  for await (const step of walkPeriod(history, range, sums)) {
    switch (step.step) {
      case 'opening': {
        opening = openingOf(sums);
        // No line of an export depends on who paid the months.
        const { openHolds, ownMonths: _ownMonths, ...before } = toStoredSums(sums);
        const { from, to } = range;
        const header = { record: 'header', format: FORMAT, workspace_id: workspaceId, from, to };
        yield written({ ...header, opening: opening.balance, before });
        for (const hold of openHolds) yield written({ record: 'open hold', ...hold });
        break;
      }
      case 'entry':
        entries += 1;
        yield written(entryRecord(step.stored, sums));
        break;
      case 'end':
        yield `${canonicalJson(footerRecord(entries, opening, sums, file))}\n`;
        break;
    }
  }
}

/** The state of the books when the export began. */
export type Opening = { readonly balance: number; readonly spending: Spending };

export const openingOf = (sums: LedgerSums): Opening => ({
  balance: balanceAfter(sums),
  spending: copySpending(sums.spending),
});

export const balanceAfter = ({ books }: LedgerSums): number => toJsonNumber(available(books));

function entryRecord({ revision, type, data, metadata }: StoredEvent, sums: LedgerSums): JsonObject {
  return { record: 'entry', revision: Number(revision), type, data, metadata, balance: balanceAfter(sums) };
}

/** The last line; `file` has hashed every byte before it. */
export function footerRecord(entries: number, opening: Opening, sums: LedgerSums, file: Hash): JsonObject {
  return {
    record: 'footer',
    entries,
    opening: opening.balance,
    closing: balanceAfter(sums),
    totals: totalsView(spentAmounts(sums.spending, opening.spending)),
    revision: sums.revision === null ? null : Number(sums.revision),
    hash: sums.hash,
    sha256: file.copy().digest('hex'),
  };
}
