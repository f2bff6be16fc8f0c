import { fromStored, toJsonNumber, type Credits } from '#kernel/credits.js';
import { recordedAtOf } from '#kernel/recorded-at.js';
import { available, emptyBooks, post, type Books, type OpenHold } from './books.js';
import { causeView } from './cause-view.js';
import type { CauseView, Statement, StatementEnd, StatementRow } from './ledger-answers.js';
import type { CreditPayloads, Payer } from './credits.events.js';
import { handleEntry, readEntry, sealOf, type EntryHandlers, type LedgerHistory } from './ledger-entry.js';
import { isAfter, type Moment } from './moment.js';
import { addSpend, spendView, type SpendTotals } from './spend-totals.js';

/**
 * What a statement covers: entries recorded at or after `from` and before `to` (RFC 3339, UTC, milliseconds;
 * null is unbounded), of the ledger as it stood `asOf` a moment.
 */
export type StatementRange = {
  readonly from: string | null;
  readonly to: string | null;
  readonly asOf?: Moment;
};

/** A statement as it is read off the ledger: one opening, the rows, one end. Needs memory for no row. */
export type StatementPart =
  | { readonly part: 'opening'; readonly credits: number }
  | { readonly part: 'row'; readonly row: StatementRow }
  | { readonly part: 'end'; readonly end: StatementEnd };

/** Reads the parts of a statement off the history of a ledger, in order and in bounded memory. */
export async function* statementParts(
  history: LedgerHistory,
  { from, to, asOf = {} }: StatementRange,
): AsyncGenerator<StatementPart, void, undefined> {
  const books = emptyBooks();
  const spending = { product: new Map(), cause: new Map(), payer: new Map() } satisfies Record<
    string,
    SpendTotals
  >;
  let balance: Credits | null = null;
  let revision: bigint | null = null;
  let hash: string | null = null;
  reading: for await (const batch of history) {
    for (const stored of batch) {
      const at = recordedAtOf(stored);
      if ((to !== null && at >= to) || isAfter(stored, asOf)) break reading;
      const entry = readEntry(stored);
      if (balance === null && (from === null || at >= from)) {
        balance = available(books);
        yield { part: 'opening', credits: toJsonNumber(balance) };
      }
      const line = handleEntry(lines, books, entry);
      post(books, entry.type, entry);
      revision = stored.revision;
      hash = sealOf(stored);
      if (balance === null || line === null) continue;
      balance += line.change;
      if (line.kind === 'capture') {
        addSpend(spending.product, line.product, line.spend);
        addSpend(spending.cause, line.cause.kind, line.spend);
        addSpend(spending.payer, line.payer, line.spend);
      }
      yield { part: 'row', row: rowOf(line, at, balance) };
    }
  }
  if (balance === null) yield { part: 'opening', credits: toJsonNumber(available(books)) };
  const totals = {
    by_product: spendView(spending.product),
    by_cause: spendView(spending.cause),
    by_payer: spendView(spending.payer),
  };
  const closing = toJsonNumber(available(books));
  yield {
    part: 'end',
    end: { totals, closing, revision: revision === null ? null : Number(revision), hash },
  };
}

/**
 * The whole statement (ledger.statement). The same range at the same revision is the same bytes for ever;
 * the opening of a period is the closing of the one before.
 */
export async function readStatement(
  workspaceId: number,
  history: LedgerHistory,
  range: StatementRange,
): Promise<Statement> {
  const rows: StatementRow[] = [];
  let opening = 0;
  for await (const part of statementParts(history, range)) {
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
  return { kind, movementId, change, spend: 0n, key, cause, product: null, payer: 'workspace' };
}

function movementLine(
  kind: 'hold' | 'capture' | 'release',
  { movementId, key, cause, product, payer }: Omit<OpenHold, 'heldAt'>,
  change: Credits,
  spend: Credits,
): Line {
  const own = payer === 'workspace' ? change : 0n;
  return { kind, movementId, change: own, spend, key, cause: causeView(cause), product, payer };
}

function openHold(books: Books, movementId: number): OpenHold {
  const hold = books.openHolds.get(movementId);
  if (hold === undefined) throw new Error(`movement ${movementId} is not open`);
  return hold;
}

function rowOf(line: Line, at: string, balance: Credits): StatementRow {
  return {
    movement_id: line.movementId,
    at,
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
