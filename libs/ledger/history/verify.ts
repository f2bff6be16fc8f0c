import { toStored } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { inPieces } from '#kernel/values/pieces.js';
import { canonicalJson, type JsonObject } from '#kernel/values/json.js';
import { available, granted, ownAccount } from '#ledger/domain/books.js';
import { monthOf } from '#ledger/domain/close-month.js';
import { forNotes } from '#ledger/domain/notes-facts.js';
import type { MovementStatus } from '#ledger/domain/charges.js';
import type { LedgerEntry, Payer } from '#ledger/domain/credits.events.js';
import { handleEntry, sealOf, type EntryHandlers, type LedgerHistory } from '#ledger/domain/ledger-entry.js';
import type { LedgerVerification } from '#ledger/answers/verification.answer.js';
import { ENTRIES_A_MARK } from './ledger-reader.js';
import { addEntry, emptySums, toStoredSums, type LedgerSums, type StoredSums } from './ledger-sums.js';
import { sealEntry } from '#ledger/domain/seal.js';

/** The members of a movements row that the ledger determines. */
export type MovementRow = {
  readonly id: number;
  readonly key: string;
  /** Micro-credits as stored text, here and below. */
  readonly credits: string;
  readonly product: string;
  readonly payer: Payer;
  readonly createdAt: string;
  readonly status: MovementStatus;
};

/**
 * The read models of this ledger at the last entry of its history; the balance may be of a later entry. They are read
 * while the history is read, so that nothing is held in memory.
 */
export type LedgerReadModels = {
  rows(movementIds: readonly number[]): Promise<ReadonlyMap<number, MovementRow>>;
  countRows(): Promise<number>;
  /** The mark of an entry (`ledger-reader.ts`); null if there is none. */
  mark?(revision: bigint): Promise<StoredSums | null>;
  /** Entries recorded while the ledger was read, for a balance that includes some of them. */
  later?(from: bigint): LedgerHistory;
  balance(): Promise<{
    readonly granted: string;
    readonly held: string;
    readonly captured: string;
    readonly revision: number;
  } | null>;
};

/** A head printed on an earlier statement or export. */
export type PrintedHead = { readonly revision: number; readonly hash: string };

export const MAX_DIFFERENCES = 100;

/**
 * Verifies a ledger (ledger.verify): recomputes the hash chain, folds every entry under the rules of the books, and
 * compares the read models row by row. An exported ledger is verified the same way, without read models. `printed` is
 * a head from an earlier statement: only that shows a history that was rewritten as a whole.
 */
export async function verifyLedger(
  history: LedgerHistory,
  readModels: LedgerReadModels | null,
  printed: PrintedHead | null = null,
): Promise<LedgerVerification> {
  const proof = newProof();
  for await (const batch of history) {
    const entries: LedgerEntry[] = [];
    for (const stored of batch) {
      const entry = proveEntry(proof, stored, printed);
      if (entry !== null) entries.push(entry);
      if (mayCarryMark(stored.revision)) await compareMark(proof, stored.revision, readModels);
    }
    if (readModels !== null) await compareRows(proof, entries, readModels);
  }
  comparePrinted(proof, printed);
  if (readModels !== null) {
    await compareOpenHolds(proof, readModels);
    compare(proof, null, 'read model rows', String(proof.movements), String(await readModels.countRows()));
    await compareBalance(proof, readModels);
  }
  return verificationOf(proof);
}

/** A running verification: the sums so far, the last entry, and the differences found. */
export type Proof = {
  readonly sums: LedgerSums;
  readonly differences: LedgerVerification['differences'][number][];
  /** Position and seal of the last entry read. */
  head: { readonly revision: bigint; readonly hash: string; readonly recordedAt: string } | null;
  movements: number;
  /** The end of each month with entries, so far. */
  readonly monthEnds: Map<string, MonthEndFacts>;
  /** The month of the entry before the first entry verified; null if the verification begins with the ledger. */
  readonly begunIn: string | null;
};
type MonthEndFacts = { readonly closing: string; readonly revision: number; readonly hash: string };

/** Starts a verification at the first entry of a ledger, or after the entries with these sums. */
export function newProof(start: LedgerSums = emptySums()): Proof {
  const { books, revision, hash } = start;
  const recordedAt = books.updatedAt ?? '';
  const head = revision === null ? null : { revision, hash: hash ?? '', recordedAt };
  const proof: Proof = {
    sums: start,
    differences: [],
    head,
    movements: 0,
    monthEnds: new Map(),
    begunIn: head === null ? null : monthOf(recordedAt),
  };
  noteMonthEnd(proof);
  return proof;
}

export function verificationOf({ differences, head, movements }: Proof): LedgerVerification {
  return {
    ok: differences.length === 0,
    revision: head === null ? null : Number(head.revision),
    movements,
    hash: head === null ? null : head.hash,
    differences,
  };
}

/** Reports a printed head that the ledger has not reached. */
export function comparePrinted(proof: Proof, printed: PrintedHead | null): void {
  const reached = Number(proof.head?.revision ?? -1n);
  if (printed === null || printed.revision <= reached) return;
  const found = proof.head === null ? 'null' : String(reached);
  compare(proof, null, 'revision printed earlier', String(printed.revision), found);
}

/** Records a difference, up to `MAX_DIFFERENCES`. */
export function compare(
  { differences }: Proof,
  revision: bigint | null,
  what: string,
  expected: string | null,
  found: string | null,
): void {
  if (expected === found || differences.length >= MAX_DIFFERENCES) return;
  differences.push({ revision: revision === null ? null : Number(revision), what, expected, found });
}

/** Checks position, seal, time and sums of the next entry; null for one that cannot be folded. */
export function proveEntry(
  proof: Proof,
  stored: StoredEvent,
  printed: PrintedHead | null,
): LedgerEntry | null {
  const { head } = proof;
  const { revision } = stored;
  compare(proof, revision, 'revision', String((head?.revision ?? -1n) + 1n), String(revision));
  compare(proof, revision, 'hash', sealEntry(head?.hash ?? '', stored), sealOf(stored));
  if (head !== null && recordedAt(stored) < head.recordedAt) {
    compare(proof, revision, 'recordedAt', `not before ${head.recordedAt}`, recordedAt(stored));
  }
  if (printed !== null && BigInt(printed.revision) === revision) {
    compare(proof, revision, 'hash printed earlier', printed.hash, sealOf(stored));
  }
  try {
    const { entry } = addEntry(proof.sums, stored);
    if (entry.type === 'PeriodSealed') compareSeal(proof, entry);
    if (entry.type === 'CreditsHeld') proof.movements += 1;
    const free = available(proof.sums.books);
    if (free < 0n) compare(proof, revision, 'available', 'at least 0', toStored(free));
    return entry;
  } catch (error) {
    // An entry that does not fold is reported as a difference.
    const found = error instanceof Error ? error.message : String(error);
    compare(proof, revision, 'entry', 'one that follows from those before it', found);
    return null;
  } finally {
    proof.head = { revision, hash: sealOf(stored), recordedAt: recordedAt(stored) };
    noteMonthEnd(proof);
  }
}

function noteMonthEnd({ head, monthEnds, sums }: Proof): void {
  if (head === null) return;
  const closing = toStored(available(sums.books));
  const { hash } = head;
  monthEnds.set(monthOf(head.recordedAt), { closing, revision: Number(head.revision), hash });
}

const mayCarryMark = (revision: bigint): boolean => (revision + 1n) % BigInt(ENTRIES_A_MARK) === 0n;

/** Statements begin with the sums of a mark, so the mark must equal the sums of the entries before it. */
async function compareMark(
  proof: Proof,
  revision: bigint,
  readModels: LedgerReadModels | null,
): Promise<void> {
  const mark = (await readModels?.mark?.(revision)) ?? null;
  // A mark of another history is ignored by its readers too.
  if (mark === null || mark.hash !== proof.sums.hash) return;
  compare(proof, revision, 'mark', canonicalJson(toStoredSums(proof.sums)), canonicalJson(mark));
}

/** A seal must agree with the folded end of its month; a month without entries ends like the one before. */
function compareSeal(proof: Proof, { data, revision }: LedgerEntry<'PeriodSealed'>): void {
  const { month, ...sealed } = data;
  // Months before the start of this verification are not checked.
  if (proof.begunIn !== null && month < proof.begunIn) return;
  const last = [...proof.monthEnds.keys()].filter((earlier) => earlier <= month).at(-1);
  const expected = last === undefined ? null : canonicalJson(proof.monthEnds.get(last));
  compare(proof, revision, `seal of ${month}`, expected, canonicalJson(sealed));
}

/** The members that an entry requires in the row of its movement; `status` if the entry ends the movement. */
type ExpectedRow = { readonly movementId: number; readonly fields: JsonObject };

const expectedRows: EntryHandlers<null, ExpectedRow | null> = {
  BillingModeSet: () => null,
  CreditsGranted: () => null,
  LotGranted: () => null,
  LotExpired: () => null,
  OpeningImported: () => null,
  OpeningReversed: () => null,
  CreditsWithdrawn: () => null,
  CreditsAdjusted: () => null,
  LotAdjusted: () => null,
  CreditsHeld: (_, entry) => {
    const { movementId, key, credits, product, payer } = entry.data;
    const createdAt = recordedAt(entry);
    return { movementId, fields: { id: movementId, key, credits, product, payer, createdAt } };
  },
  CreditsCaptured: (_, { data }) => ({ movementId: data.movementId, fields: { status: 'captured' } }),
  CreditsReleased: (_, { data }) => ({ movementId: data.movementId, fields: { status: 'released' } }),
  ...forNotes(() => null),
};

async function compareRows(
  proof: Proof,
  entries: readonly LedgerEntry[],
  readModels: LedgerReadModels,
): Promise<void> {
  const expectations = entries.flatMap((entry) => {
    const expected = handleEntry(expectedRows, null, entry);
    return expected === null ? [] : [{ ...expected, revision: entry.revision }];
  });
  const rows = await readModels.rows([...new Set(expectations.map(({ movementId }) => movementId))]);
  for (const { movementId, fields, revision } of expectations) {
    const row = rows.get(movementId);
    const found = row === undefined ? null : canonicalJson(pick(row, Object.keys(fields)));
    compare(proof, revision, `read model row of movement ${movementId}`, canonicalJson(fields), found);
  }
}

async function compareOpenHolds(proof: Proof, readModels: LedgerReadModels): Promise<void> {
  const open = [...proof.sums.books.openHolds.keys()];
  for (const movementIds of inPieces(open, ROWS_AT_ONCE)) {
    const rows = await readModels.rows(movementIds);
    for (const movementId of movementIds) {
      const found = rows.get(movementId)?.status ?? null;
      compare(proof, null, `read model row of movement ${movementId}`, 'held', found);
    }
  }
}

async function compareBalance(proof: Proof, readModels: LedgerReadModels): Promise<void> {
  const shown = await readModels.balance();
  const revision = await addLater(proof, readModels, BigInt(shown?.revision ?? -1));
  const { held, captured } = ownAccount(proof.sums.books);
  const sums = {
    granted: toStored(granted(proof.sums.books)),
    held: toStored(held),
    captured: toStored(captured),
    revision: Number(revision),
  };
  const found = shown === null ? null : canonicalJson(pick(shown, Object.keys(sums)));
  compare(proof, null, 'read model balance', proof.head === null ? null : canonicalJson(sums), found);
}

/** Adds the entries after the verified ones up to a revision to the sums, and returns the revision reached. */
async function addLater(proof: Proof, { later }: LedgerReadModels, upTo: bigint): Promise<bigint> {
  let revision = proof.head?.revision ?? -1n;
  if (later === undefined || upTo <= revision || proof.differences.length > 0) return revision;
  for await (const batch of later(revision + 1n)) {
    for (const stored of batch) {
      if (stored.revision > upTo) return revision;
      addEntry(proof.sums, stored);
      revision = stored.revision;
    }
  }
  return revision;
}

const ROWS_AT_ONCE = 500;

/** Tolerant, because the history may be damaged: an entry without its time has another seal as well. */
function recordedAt({ metadata }: Pick<StoredEvent, 'metadata'>): string {
  return metadata['recordedAt'] ?? '';
}

function pick(from: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, from[field]]));
}
