import { streamName } from '#kernel/commands/decider.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import type { JsonValue } from '#kernel/values/json.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { pause } from '#kernel/commands/retry.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { sealOf } from '#ledger/domain/ledger-entry.js';
import type { KeptDays } from './kept-days.js';
import {
  addEntry,
  emptySums,
  fromStoredSums,
  hasOwnMonths,
  toStoredSums,
  type LedgerSums,
  type StoredSums,
} from './ledger-sums.js';

/** Entries between two marks: the most that a question about any moment of a ledger reads. */
export const ENTRIES_A_MARK = 64;

/**
 * Reads ledgers of any length at about the same cost. The sums at a moment are a fold over all earlier entries, so
 * they are stored as marks, one every `ENTRIES_A_MARK` entries. Marks are records in the read store that can be
 * deleted and rebuilt from the ledger. A mark is used only if it carries the seal of its entry.
 */
export type LedgerReader = {
  /** The last entry of a workspace's ledger; null if there is none. */
  head(workspaceId: number): Promise<StoredEvent | null>;
  /** The entries from a revision on, in batches; all of them, if `maxCount` is absent. */
  entriesFrom(
    workspaceId: number,
    revision: bigint,
    maxCount?: number,
  ): AsyncIterable<readonly StoredEvent[]>;
  entryAt(workspaceId: number, revision: bigint): Promise<StoredEvent | null>;
  /**
   * The revision of the first entry recorded at or after a time (RFC 3339, UTC, milliseconds), up to `head`; the next
   * revision if there is none. Recorded times never decrease, so a binary search finds it, starting from the ends of
   * the stored days: a midnight is usually found with the first read.
   */
  firstAt(workspaceId: number, at: string, head: StoredEvent): Promise<bigint>;
  /** The sums of all entries before a revision. The caller may change them. */
  sumsBefore(workspaceId: number, revision: bigint): Promise<LedgerSums>;
  /** The stored mark of an entry, for verification; null if there is none. */
  markAt(workspaceId: number, revision: bigint): Promise<StoredSums | null>;
};

/** Small records in the read store. */
export type MarkRecords = {
  getRecord<T>(kind: string, key: string): Promise<T | null>;
  putRecord(kind: string, key: string, value: JsonValue): Promise<void>;
};

/**
 * Optional sources that reduce the number of reads. They are never trusted without a check against the ledger. Measured on a
 * ledger of 100,000 entries: the first byte of its page comes after 26 ms at p95, before after 81 ms (`npm run bench -- console`,
 * docs/adr/0141).
 */
export type LedgerAids = {
  readonly daysOf?: KeptDays;
  /**
   * A bounded cache of sums, because a page asks for the same sums several times. Only sums with few open holds are
   * cached.
   */
  readonly memory?: {
    readonly get: (key: string) => StoredSums | undefined;
    readonly set: (key: string, sums: StoredSums) => unknown;
  };
};

const MARKS = 'ledger-mark-1';
const NEWEST = 'ledger-mark-1-newest';
const MOST_AT_ONCE = 500n;
const NO_MEMORY: NonNullable<LedgerAids['memory']> = { get: () => undefined, set: () => undefined };

export function ledgerReader(
  eventStore: Pick<EventStore, 'readStream'>,
  records: MarkRecords,
  entriesAMark: number = ENTRIES_A_MARK,
  { daysOf = async () => [], memory = NO_MEMORY }: LedgerAids = {},
): LedgerReader {
  const every = BigInt(entriesAMark);
  const streamOf = (workspaceId: number): string => streamName(creditAccount, String(workspaceId));

  function entriesFrom(workspaceId: number, revision: bigint, maxCount?: number) {
    return eventStore.readStream(streamOf(workspaceId), { from: revision, maxCount });
  }

  async function entryAt(workspaceId: number, revision: bigint): Promise<StoredEvent | null> {
    for await (const [entry] of entriesFrom(workspaceId, revision, 1)) return entry ?? null;
    return null;
  }

  async function head(workspaceId: number): Promise<StoredEvent | null> {
    const read = { direction: 'backwards', maxCount: 1 } as const;
    for await (const [last] of eventStore.readStream(streamOf(workspaceId), read)) return last ?? null;
    return null;
  }

  async function firstAt(workspaceId: number, at: string, last: StoredEvent): Promise<bigint> {
    if (recordedAtOf(last) < at) return last.revision + 1n;
    let low = 0n;
    let high = last.revision;
    const look = async (revision: bigint, count: number): Promise<void> => {
      for await (const batch of entriesFrom(workspaceId, revision, count)) {
        for (const entry of batch) {
          if (recordedAtOf(entry) >= at) high = smaller(high, entry.revision);
          else if (entry.revision >= low) low = entry.revision + 1n;
        }
      }
    };
    // The end of a stored day is only a hint: the view may be late, or belong to another history.
    for (const { revision } of (await daysOf(workspaceId, at.slice(0, 10))).toReversed()) {
      if (low < high) await look(BigInt(revision), 2);
    }
    while (low < high) await look((low + high) / 2n, 1);
    return low;
  }

  /** A complete mark; one that an earlier version stored may lack a sum, and is ignored until it is written again. */
  async function markOf(workspaceId: number, place: bigint): Promise<StoredSums | null> {
    const mark = await records.getRecord<StoredSums>(MARKS, keyOf(workspaceId, place));
    return mark !== null && hasOwnMonths(mark) ? mark : null;
  }

  /** The newest valid mark before a revision; empty sums if there is none. */
  async function markBefore(workspaceId: number, revision: bigint): Promise<LedgerSums> {
    const newest = BigInt((await records.getRecord<string>(NEWEST, String(workspaceId))) ?? '0');
    const wanted = (revision / every) * every;
    for (let place = wanted < newest ? wanted : newest; place > 0n; place -= every) {
      const mark = await markOf(workspaceId, place);
      if (mark === null) continue;
      const entry = await entryAt(workspaceId, place - 1n);
      if (entry !== null && sealOf(entry) === mark.hash) return fromStoredSums(mark);
      // The marks belong to another history: they are ignored and written again.
      await records.putRecord(NEWEST, String(workspaceId), '0');
      return emptySums();
    }
    return emptySums();
  }

  /**
   * Stores a mark if it is due. A mark lists the open holds, so it is stored only after as many entries as it has
   * holds.
   */
  async function keepMark(workspaceId: number, sums: LedgerSums, entriesSince: bigint): Promise<boolean> {
    const place = (sums.revision ?? -1n) + 1n;
    if (place % every !== 0n || entriesSince < BigInt(sums.books.openHolds.size)) return false;
    await records.putRecord(MARKS, keyOf(workspaceId, place), { ...toStoredSums(sums) });
    const newest = BigInt((await records.getRecord<string>(NEWEST, String(workspaceId))) ?? '0');
    if (place > newest) await records.putRecord(NEWEST, String(workspaceId), place.toString());
    return true;
  }

  /** The sums before a revision, computed from the newest mark. */
  async function walkTo(workspaceId: number, revision: bigint): Promise<LedgerSums> {
    const sums = await markBefore(workspaceId, revision);
    let from = (sums.revision ?? -1n) + 1n;
    let markedAt = from;
    while (from < revision) {
      const before = from;
      for await (const batch of entriesFrom(
        workspaceId,
        from,
        Number(smaller(revision - from, MOST_AT_ONCE)),
      )) {
        for (const stored of batch) {
          addEntry(sums, stored);
          from = stored.revision + 1n;
          if (await keepMark(workspaceId, sums, from - markedAt)) markedAt = from;
        }
      }
      if (from === before) break;
      // A long range without marks is read once; the pause lets other work run meanwhile.
      if (from < revision) await pause(0);
    }
    return sums;
  }

  /** The cached sums; null if there are none. */
  async function rememberedSums(workspaceId: number, revision: bigint): Promise<LedgerSums | null> {
    const known = memory.get(keyOf(workspaceId, revision));
    if (known === undefined) return null;
    const last = await entryAt(workspaceId, revision - 1n);
    return last !== null && sealOf(last) === known.hash ? fromStoredSums(known) : null;
  }

  return {
    head,
    entriesFrom,
    entryAt,
    firstAt,
    markAt: (workspaceId, revision) => markOf(workspaceId, revision + 1n),
    async sumsBefore(workspaceId, revision) {
      const known = await rememberedSums(workspaceId, revision);
      if (known !== null) return known;
      const sums = await walkTo(workspaceId, revision);
      const isWhole = sums.revision === revision - 1n;
      if (isWhole && sums.books.openHolds.size + sums.books.lots.size <= entriesAMark)
        memory.set(keyOf(workspaceId, revision), toStoredSums(sums));
      return sums;
    },
  };
}

/** The smaller of two revisions. */
export const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);

function keyOf(workspaceId: number, place: bigint): string {
  return `${workspaceId}:${place.toString().padStart(16, '0')}`;
}
