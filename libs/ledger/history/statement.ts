import { fromStored, toJsonNumber, type Credits } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { actorOf, type Actor } from '#ledger/domain/actor.js';
import { available, type OpenHold } from '#ledger/domain/books.js';
import type { Cause, CreditPayloads, Payer, StoredShare } from '#ledger/domain/credits.events.js';
import { handleEntry, type EntryHandlers, type LedgerHistory } from '#ledger/domain/ledger-entry.js';
import { shareOf, withShares, type Lot } from '#ledger/domain/lots.js';
import { forNotes } from '#ledger/domain/notes-facts.js';
import { termsOf, type LotTerms } from '#ledger/domain/lot-facts.js';
import {
  addEntry,
  type AddedEntry,
  copySpending,
  emptySums,
  spentAmounts,
  type LedgerSums,
  type SpentAmounts,
} from './ledger-sums.js';
import { walkPeriod, type Period } from './walk-period.js';

/** The period of a statement, and whether its rows name their actors. */
export type StatementRange = Period & { readonly withActor?: boolean };

/**
 * One row per entry that moves credits. `credits` is the change of the available credits, so opening + rows =
 * closing. A capture does not change them and has its amount in `spend`. A movement that a partner pays does not
 * change them either. `balance` is the available credits after the row.
 */
export type StatementRow = {
  readonly movementId: number;
  /** The ledger entry of the row. */
  readonly revision: number;
  readonly at: string;
  readonly kind: PostingKind | 'hold' | 'capture' | 'release';
  readonly credits: number;
  readonly spend: number;
  readonly balance: number;
  readonly key: string | null;
  readonly cause: RowCause;
  readonly product: string | null;
  readonly payer: Payer;
  /** The parts of it that belong to lots with terms; the rest is credit without terms. Absent if there are none. */
  readonly lots?: readonly StoredShare[];
  /** For a grant or adjustment with terms. */
  readonly terms?: LotTerms;
  /** The actor of the entry, if actors were requested. */
  readonly actor?: Actor;
};

/** Entries that change the available credits and are no charge. */
type PostingKind = 'grant' | 'withdrawal' | 'adjustment' | 'expiry' | 'import' | 'reversal';

/** Grants, withdrawals and adjustments have a reason; an adjustment may name the movement that was wrong. */
export type RowCause = Cause & { readonly reason?: string; readonly corrects?: number };

export type StatementEnd = {
  /**
   * Spending (captured credits) of the period, for every payer; that of the payer `workspace` is the workspace's own.
   */
  readonly totals: SpentAmounts;
  readonly closing: number;
  /** The last entry that was read; null for an empty ledger. With its seal it proves the printed statement. */
  readonly revision: number | null;
  readonly hash: string | null;
  /** Credits expired by then, and the lots open then; absent if no lot had terms. */
  readonly withLots?: { readonly expired: Credits; readonly open: readonly Lot[] };
};

export type StatementSummary = StatementEnd & {
  readonly from: string | null;
  readonly to: string | null;
  readonly opening: number;
};

export type Statement = StatementSummary & {
  readonly workspaceId: number;
  readonly rows: readonly StatementRow[];
};

/**
 * A part of a statement: one opening, the rows, one end. No row is kept in memory. `sums` are the sums of the ledger
 * at that place; they change when the next part is requested.
 */
export type StatementPart =
  | { readonly part: 'opening'; readonly credits: number; readonly sums: LedgerSums }
  /** `amount` is the entry's own: what a partner pays changes nothing in the row, but moves that much. */
  | { readonly part: 'row'; readonly row: StatementRow; readonly amount: Credits }
  | { readonly part: 'end'; readonly end: StatementEnd; readonly sums: LedgerSums };

/**
 * Yields the parts of a statement from the history of a ledger, in order and in bounded memory. A history that does
 * not begin with the first entry comes with the `sums` of the entries before it.
 */
export async function* statementParts(
  history: LedgerHistory,
  range: StatementRange,
  sums: LedgerSums = emptySums(),
): AsyncGenerator<StatementPart, void, undefined> {
  let spentBefore = sums.spending;
  for await (const step of walkPeriod(history, range, sums)) {
    switch (step.step) {
      case 'opening':
        spentBefore = copySpending(sums.spending);
        yield { part: 'opening', credits: toJsonNumber(available(sums.books)), sums };
        break;
      case 'entry': {
        const next = rowOf(step, step.stored, sums);
        if (next === null) break;
        const actor = range.withActor === true ? { actor: actorOf(step.stored) } : {};
        yield { part: 'row', ...next, row: { ...next.row, ...actor } };
        break;
      }
      case 'end':
        yield { part: 'end', end: statementEnd(sums, spentBefore), sums };
        break;
    }
  }
}

/** The end of a statement; `spentBefore` is the spending at its opening. */
export function statementEnd(sums: LedgerSums, spentBefore: LedgerSums['spending']): StatementEnd {
  const { books, spending, revision, hash } = sums;
  return {
    totals: spentAmounts(spending, spentBefore),
    closing: toJsonNumber(available(books)),
    revision: revision === null ? null : Number(revision),
    hash,
    ...(books.expired === null
      ? {}
      : { withLots: { expired: books.expired, open: [...books.lots.values()] } }),
  };
}

type NextRow = { readonly row: StatementRow; readonly amount: Credits };

/** Adds the next entry to the sums and returns its row; null for an entry that moves no credits. */
export function nextRow(sums: LedgerSums, stored: StoredEvent): NextRow | null {
  return rowOf(addEntry(sums, stored), stored, sums);
}

/**
 * The whole statement (ledger.statement). The same range at the same revision always has the same bytes; the
 * opening of a period is the closing of the previous one.
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
        return { workspaceId, from: range.from, to: range.to, opening, rows, ...part.end };
    }
  }
  throw new Error('a statement has an end');
}

type Line = Pick<StatementRow, 'movementId' | 'key' | 'cause' | 'payer' | 'lots' | 'terms'> & {
  /** The amount of the movement, for every payer; for a posting, its change. */
  readonly amount: Credits;
  readonly change: Credits;
  readonly spend: Credits;
} & (
    | { readonly kind: PostingKind; readonly product: null }
    | { readonly kind: 'hold' | 'capture' | 'release'; readonly product: string }
  );

/** The statement row of each type of entry, given the hold that the entry ended. */
const lines: EntryHandlers<OpenHold | null, Line | null> = {
  BillingModeSet: () => null,
  CreditsGranted: (_ended, { data }) => postingLine('grant', data, fromStored(data.credits)),
  LotGranted: (_ended, { data }) => lotLine('grant', data),
  LotExpired: (_ended, { data: { movementId, credits, expiresAt } }) =>
    postingLine(
      'expiry',
      { movementId, credits, reason: 'expired', lots: [{ lot: movementId, credits, expiresAt }] },
      -fromStored(credits),
    ),
  OpeningImported: (_ended, { data: { movementId, credits, reason, lots = [] } }) => {
    const shares = lots.map(({ lot, expiresAt = null, ...each }) =>
      shareOf({ id: lot, expiresAt }, fromStored(each.credits)),
    );
    return postingLine('import', { movementId, credits, reason, lots: shares }, fromStored(credits));
  },
  OpeningReversed: (_ended, { data }) =>
    postingLine('reversal', { ...data, corrects: data.reverses }, -fromStored(data.credits)),
  CreditsWithdrawn: (_ended, { data }) => postingLine('withdrawal', data, -fromStored(data.credits)),
  CreditsAdjusted: (_ended, { data }) => postingLine('adjustment', data, fromStored(data.credits)),
  LotAdjusted: (_ended, { data }) => lotLine('adjustment', data),
  CreditsHeld: (_ended, { data }) => {
    const credits = fromStored(data.credits);
    return movementLine('hold', { ...data, credits }, -credits, 0n);
  },
  CreditsCaptured: (ended) => (ended === null ? null : movementLine('capture', ended, 0n, ended.credits)),
  CreditsReleased: (ended) => (ended === null ? null : movementLine('release', ended, ended.credits, 0n)),
  ...forNotes(() => null),
};

function postingLine(kind: PostingKind, data: CreditPayloads['CreditsAdjusted'], change: Credits): Line {
  const { movementId, key = null, reason, corrects, lots = [] } = data;
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
    ...withShares(lots),
  };
}

/** The line of an entry that adds a lot. */
function lotLine(kind: PostingKind, data: CreditPayloads['LotGranted' | 'LotAdjusted']): Line {
  const terms = termsOf(data);
  const credits = fromStored(data.credits);
  const lots = [shareOf({ id: data.movementId, ...terms }, credits)];
  return { ...postingLine(kind, { ...data, lots }, credits), terms };
}

function movementLine(
  kind: 'hold' | 'capture' | 'release',
  { movementId, credits, key, cause, product, payer, lots = [] }: Omit<OpenHold, 'heldAt'>,
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
    cause,
    product,
    payer,
    ...withShares(lots),
  };
}

/** The row of an entry that was added to the sums; null for an entry that moves no credits. */
function rowOf({ entry, ended }: AddedEntry, stored: StoredEvent, { books }: LedgerSums): NextRow | null {
  const line = handleEntry(lines, ended, entry);
  if (line === null) return null;
  const row = {
    movementId: line.movementId,
    revision: Number(stored.revision),
    at: recordedAtOf(stored),
    kind: line.kind,
    credits: toJsonNumber(line.change),
    spend: toJsonNumber(line.spend),
    balance: toJsonNumber(available(books)),
    key: line.key,
    cause: line.cause,
    product: line.product,
    payer: line.payer,
    ...(line.lots === undefined ? {} : { lots: line.lots }),
    ...(line.terms === undefined ? {} : { terms: line.terms }),
  };
  return { row, amount: line.amount };
}
