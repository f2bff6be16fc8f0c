import { SEQUENCE_KINDS, lastReserved, type IdMarks, type SequenceKind } from '#kernel/commands/ids.js';
import { pause } from '#kernel/commands/retry.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';

type MarkStore = Pick<ReadStore, 'listRecords' | 'putRecord' | 'deleteRecord'>;

const KIND = 'id-mark';
const DIGITS = 16;
const MOST_MARKS = 10_000;
/** How long an id waits for its mark: ids are given even if the read store is unavailable. */
const PATIENCE_MS = 250;

/**
 * The highest given id of each kind, stored in the read store as well: if the log is reset to an older one, its
 * sequences continue above. A mark is a record whose key ends with the number, so that the higher of two concurrent
 * marks stays.
 */
export async function openIdMarks(
  events: Pick<EventStore, 'readStream'>,
  reads: MarkStore,
): Promise<IdMarks> {
  const highest = new Map<SequenceKind, number>();
  /** Marks that are not written to the read store yet. */
  const owed = new Map<SequenceKind, number>();
  let paying: Promise<void> | null = null;

  const learn = (kind: SequenceKind, end: number): void => {
    if (end > (highest.get(kind) ?? 0)) highest.set(kind, end);
  };

  const write = async (kind: SequenceKind, end: number): Promise<void> => {
    await reads.putRecord(KIND, keyOf(kind, end), end);
    const marks = await reads.listRecords<number>(KIND, `${kind}/`, MOST_MARKS);
    for (const { value } of marks) learn(kind, value);
    const lower = marks.filter(({ value }) => value < (highest.get(kind) ?? 0));
    await Promise.all(lower.map(({ key }) => reads.deleteRecord(KIND, key)));
    if (owed.get(kind) === end) owed.delete(kind);
  };
  const pay = async (): Promise<void> => {
    for (const [kind, end] of owed) await write(kind, end);
    if (owed.size > 0) await pay();
  };

  const marks = await reads.listRecords<number>(KIND, '', MOST_MARKS);
  for (const kind of SEQUENCE_KINDS) {
    const own = marks.filter(({ key }) => key.startsWith(`${kind}/`));
    for (const { value } of own) learn(kind, value);
  }
  // Written by a version without marks, or a new read store: the ids in the log count.
  if (marks.length === 0) {
    await Promise.all(
      SEQUENCE_KINDS.map(async (kind) => {
        const end = await lastReserved(events, kind);
        if (end <= 0) return;
        learn(kind, end);
        await write(kind, end);
      }),
    );
  }

  /** Ids that other processes have given since. */
  const ask = async (kind: SequenceKind): Promise<void> => {
    const own = await reads.listRecords<number>(KIND, `${kind}/`, MOST_MARKS);
    for (const { value } of own) learn(kind, value);
  };

  return {
    highest: async (kind) => {
      await Promise.race([ask(kind).catch(() => undefined), pause(PATIENCE_MS)]);
      return highest.get(kind) ?? 0;
    },
    raise: async (kind, end) => {
      learn(kind, end);
      if (end > (owed.get(kind) ?? 0)) owed.set(kind, end);
      // A failed mark stays pending and is written with the next one.
      paying ??= pay()
        .catch(() => undefined)
        .finally(() => (paying = null));
      await Promise.race([paying, pause(PATIENCE_MS)]);
    },
  };
}

const keyOf = (kind: SequenceKind, end: number): string => `${kind}/${String(end).padStart(DIGITS, '0')}`;
