import { fromStored, toJsonNumber, type Credits } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { available, type Books, type OpenHold } from '#domain/credits/books.js';
import { causeView } from './answers/cause.answer.js';
import type { CauseView } from './answers/cause.answer.js';
import type { Statement, StatementEnd, StatementRow } from './answers/statement.answer.js';
import type { CreditPayloads, Payer } from '#domain/credits/credits.events.js';
import {
  handleEntry,
  readEntry,
  type EntryHandlers,
  type LedgerHistory,
} from '#domain/credits/ledger-entry.js';
import { addEntry, copySpending, emptySums, spendingView, type LedgerSums } from './ledger-sums.js';
import { isAfter, type Moment } from './moment.js';

/**
 * What a statement covers: entries recorded at or after `from` and before `to` (RFC 3339, UTC, milliseconds;
 * null is unbounded), of the ledger as it stood `asOf` a moment.
 */
export type StatementRange = {
  readonly from: string | null;
  readonly to: string | null;
  readonly asOf?: Moment;
};

/**
 * A statement as it is read off the ledger: one opening, the rows, one end. Needs memory for no row. `sums` are
 * those of the ledger at that place; they are read before the next part is asked for.
 */
export type StatementPart =
  | { readonly part: 'opening'; readonly credits: number; readonly sums: LedgerSums }
  /** `amount` is the entry's own: what a partner pays changes nothing in the row, but moves that much. */
  | { readonly part: 'row'; readonly row: StatementRow; readonly amount: Credits }
  | { readonly part: 'end'; readonly end: StatementEnd; readonly sums: LedgerSums };

/**
 * Reads the parts of a statement off the history of a ledger, in order and in bounded memory. A history that
 * does not begin with the first entry comes with the `sums` of those before it.
 */
export async function* statementParts(
  history: LedgerHistory,
  { from, to, asOf = {} }: StatementRange,
  sums: LedgerSums = emptySums(),
): AsyncGenerator<StatementPart, void, undefined> {
  let spentBefore: LedgerSums['spending'] | null = null;
  const opening = (): StatementPart => {
    spentBefore = copySpending(sums.spending);
    return { part: 'opening', credits: toJsonNumber(available(sums.books)), sums };
  };
  reading: for await (const batch of history) {
    for (const stored of batch) {
      const at = recordedAtOf(stored);
      if ((to !== null && at >= to) || isAfter(stored, asOf)) break reading;
      if (spentBefore === null && (from === null || at >= from)) yield opening();
      const row = nextRow(sums, stored);
      if (spentBefore !== null && row !== null) yield { part: 'row', ...row };
    }
  }
  if (spentBefore === null) yield opening();
  const totals = spendingView(sums.spending, spentBefore ?? sums.spending);
  const closing = toJsonNumber(available(sums.books));
  const revision = sums.revision === null ? null : Number(sums.revision);
  yield { part: 'end', end: { totals, closing, revision, hash: sums.hash }, sums };
}

/** Adds the next entry to the sums and gives its row; null for one that concerns no money. */
export function nextRow(
  sums: LedgerSums,
  stored: StoredEvent,
): { readonly row: StatementRow; readonly amount: Credits } | null {
  const line = handleEntry(lines, sums.books, readEntry(stored));
  addEntry(sums, stored);
  if (line === null) return null;
  return { row: rowOf(line, stored, available(sums.books)), amount: line.amount };
}

/**
 * The whole statement (ledger.statement). The same range at the same revision is the same bytes for ever;
 * the opening of a period is the closing of the one before.
 */
export async function readStatement(
  workspaceId: number,
  history: LedgerHistory,
  range: StatementRange,
  sums?: LedgerSums,
): Promise<Statement> {
  const rows: StatementRow[] = [];
  let opening = 0;
  for await (const part of statementParts(history, range, sums)) {
    switch (part.part) {
      case 'opening':
        opening = part.credits;
        break;
      case 'row':
        rows.push(part.row);
        break;
      case 'end':
        return { workspace_id: workspaceId, from: range.from, to: range.to, opening, rows, ...part.end };
    }
  }
  throw new Error('a statement has an end');
}

type Line = {
  readonly movementId: number;
  /** Of the movement, whoever pays; a posting's change. */
  readonly amount: Credits;
  readonly change: Credits;
  readonly spend: Credits;
  readonly key: string | null;
  readonly cause: CauseView;
  readonly payer: Payer;
} & (
  | { readonly kind: 'grant' | 'withdrawal' | 'adjustment'; readonly product: null }
  | { readonly kind: 'hold' | 'capture' | 'release'; readonly product: string }
);

/** What an entry says on a statement, given the books before it. */
const lines: EntryHandlers<Books, Line | null> = {
  BillingModeSet: () => null,
  CreditsGranted: (_books, { data }) => postingLine('grant', data, fromStored(data.credits)),
  CreditsWithdrawn: (_books, { data }) => postingLine('withdrawal', data, -fromStored(data.credits)),
  CreditsAdjusted: (_books, { data }) => postingLine('adjustment', data, fromStored(data.credits)),
  CreditsHeld: (_books, { data }) => {
    const credits = fromStored(data.credits);
    return movementLine('hold', { ...data, credits }, -credits, 0n);
  },
  CreditsCaptured: (books, { data }) => {
    const hold = openHold(books, data.movementId);
    return movementLine('capture', hold, 0n, hold.credits);
  },
  CreditsReleased: (books, { data }) => {
    const hold = openHold(books, data.movementId);
    return movementLine('release', hold, hold.credits, 0n);
  },
  PeriodSealed: () => null,
};

function postingLine(
  kind: 'grant' | 'withdrawal' | 'adjustment',
  data: CreditPayloads['CreditsAdjusted'],
  change: Credits,
): Line {
  const { movementId, key = null, reason, corrects } = data;
  const cause = { kind: 'operator', reason, corrects } as const;
  return {
    kind,
    movementId,
    amount: change,
    change,
    spend: 0n,
    key,
    cause,
    product: null,
    payer: 'workspace',
  };
}

function movementLine(
  kind: 'hold' | 'capture' | 'release',
  { movementId, credits, key, cause, product, payer }: Omit<OpenHold, 'heldAt'>,
  change: Credits,
  spend: Credits,
): Line {
  const own = payer === 'workspace' ? change : 0n;
  return {
    kind,
    movementId,
    amount: credits,
    change: own,
    spend,
    key,
    cause: causeView(cause),
    product,
    payer,
  };
}

function openHold(books: Books, movementId: number): OpenHold {
  const hold = books.openHolds.get(movementId);
  if (hold === undefined) throw new Error(`movement ${movementId} is not open`);
  return hold;
}

function rowOf(line: Line, stored: StoredEvent, balance: Credits): StatementRow {
  return {
    movement_id: line.movementId,
    revision: Number(stored.revision),
    at: recordedAtOf(stored),
    kind: line.kind,
    credits: toJsonNumber(line.change),
    spend: toJsonNumber(line.spend),
    balance: toJsonNumber(balance),
    key: line.key,
    cause: line.cause,
    product: line.product,
    payer: line.payer,
  };
}
