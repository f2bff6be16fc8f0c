import { toJsonNumber } from '#kernel/credits.js';
import { balanceOf, emptyBooks, post, type BalanceView } from './books.js';
import type { Payer } from './credits.events.js';
import { readEntry, recordedAt, type LedgerHistory } from './ledger-entry.js';
import { addSpend, spendView, type SpendTotals } from './spend-totals.js';

/** A moment of a ledger: what was recorded before `at` (RFC 3339, UTC, milliseconds), or up to a revision. */
export type Moment = { readonly at?: string; readonly revision?: bigint };

/** A ledger as it stood. The same revision gives the same answer for ever. */
export type AsOf = {
  readonly at: string | null;
  /** The last entry in it; null before the first. */
  readonly revision: number | null;
  readonly balance: BalanceView;
  readonly open_holds: readonly {
    readonly movement_id: number;
    readonly key: string;
    readonly credits: number;
    readonly product: string;
    readonly payer: Payer;
    readonly created_at: string;
  }[];
  /** What was captured until then, whoever pays. */
  readonly spend_by_product: { readonly [product: string]: number };
};

/** Reads a ledger as it stood at a moment (ledger.as_of); now, where none is named. */
export async function readAsOf(history: LedgerHistory, { at, revision: last }: Moment): Promise<AsOf> {
  const books = emptyBooks();
  const spending: SpendTotals = new Map();
  let revision: bigint | null = null;
  reading: for await (const batch of history) {
    for (const stored of batch) {
      if (at !== undefined && recordedAt(stored) >= at) break reading;
      if (last !== undefined && stored.revision > last) break reading;
      const entry = readEntry(stored);
      if (entry.type === 'CreditsCaptured') {
        const hold = books.openHolds.get(entry.data.movementId);
        if (hold !== undefined) addSpend(spending, hold.product, hold.credits);
      }
      post(books, entry.type, entry);
      revision = stored.revision;
    }
  }
  return {
    at: at ?? books.updatedAt,
    revision: revision === null ? null : Number(revision),
    balance: balanceOf(books),
    open_holds: [...books.openHolds.values()].map((hold) => ({
      movement_id: hold.movementId,
      key: hold.key,
      credits: toJsonNumber(hold.credits),
      product: hold.product,
      payer: hold.payer,
      created_at: hold.heldAt,
    })),
    spend_by_product: spendView(spending),
  };
}
