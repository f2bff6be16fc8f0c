import { createHash } from 'node:crypto';
import { refusal } from '#kernel/values/refusal.js';
import {
  compareKeys,
  recordKey,
  recordLine,
  type NetworkCopyEnd,
  type NetworkPart,
  type NetworkRecords,
  type RecordsOfPart,
} from './network-record.js';

const networkHoldsOther = refusal({
  code: 'destination-holds-other-observations',
  kind: 'conflicting',
  detail:
    'The destination is no part of the source: it holds a record that the source has not, or has otherwise. Nothing was written; copy into an empty store, before any service is started on it.',
});
const networkDiffers = refusal({
  code: 'network-differs',
  kind: 'conflicting',
  detail:
    'Read back, the destination is not the same as the source: one of them was written meanwhile. Stop every service on both, and start again with an empty destination.',
});

export type NetworkCopyProgress = {
  readonly phase: 'comparing what is there' | 'copying' | 'verifying';
  readonly done: number;
  readonly total: number;
  /** Counted from the beginning of the phase. */
  readonly perSecond: number;
};
type OnProgress = (progress: NetworkCopyProgress) => void;

export type NetworkFacts = {
  readonly records: number;
  readonly ofPart: Readonly<Record<NetworkPart, number>>;
  /** Of the line of every record, part by part and in the order of keys. */
  readonly sha256: string;
};

export type NetworkCopyResult = NetworkFacts & {
  /** What an earlier run had written. */
  readonly alreadyThere: number;
};

/**
 * What a poll remembers comes last: what it need not ask for again must be there (SRC-06), also where a copy ends in the
 * middle.
 */
const PARTS = ['observation', 'move', 'place', 'reading', 'learning', 'pace', 'poll'] as const;
/** Of a store that is being written: a memory that is older than the rest is read again, a newer one would skip. */
const PARTS_BESIDE_WRITES = ['poll', 'pace', 'reading', 'learning', 'observation', 'move', 'place'] as const;
/** Records of one transaction. */
const AT_ONCE = 200;

/**
 * Copies an observed network into an empty store, and proves it by reading back both. Killed at any moment it is started
 * again: what is there is compared with the source, record by record, and the rest is added. Nobody may write to either
 * end meanwhile. Some hundred records are in memory at a time. Throws `networkHoldsOther`, before anything is written,
 * and `networkDiffers`.
 */
export async function copyNetwork(
  source: NetworkCopyEnd,
  destination: NetworkCopyEnd,
  onProgress: OnProgress = () => undefined,
): Promise<NetworkCopyResult> {
  const total = await countOf(source);
  const alreadyThere =
    (await countOf(destination)) === 0
      ? 0
      : await compared(source, destination, counted('comparing what is there', total, onProgress));
  const copying = counted('copying', total, onProgress);
  for (const part of PARTS) await addMissing(part, source, destination, copying);
  return { ...(await proved(source, destination, counted('verifying', total, onProgress))), alreadyThere };
}

/** Counts the records of a phase. */
type Counted = (records: number) => void;

function counted(phase: NetworkCopyProgress['phase'], total: number, onProgress: OnProgress): Counted {
  const startedAt = performance.now();
  let done = 0;
  return (records) => {
    done += records;
    const seconds = (performance.now() - startedAt) / 1_000;
    onProgress({ phase, done, total: Math.max(total, done), perSecond: seconds > 0 ? done / seconds : 0 });
  };
}

async function countOf(end: NetworkCopyEnd): Promise<number> {
  let count = 0;
  for (const part of PARTS) count += await end[part].count();
  return count;
}

/** Compares what is in the destination, and answers how much that is. */
async function compared(
  source: NetworkCopyEnd,
  destination: NetworkCopyEnd,
  count: Counted,
): Promise<number> {
  let there = 0;
  for (const part of PARTS) {
    for await (const some of beside(part, source, destination)) {
      for (const { wanted, found } of some) {
        if (found === null) continue;
        if (wanted === null || !isSame(part, wanted, found))
          throw networkHoldsOther({ members: named(part, found) });
        there += 1;
      }
      count(some.length);
    }
  }
  return there;
}

async function addMissing<Part extends NetworkPart>(
  part: Part,
  source: NetworkCopyEnd,
  destination: NetworkCopyEnd,
  count: Counted,
): Promise<void> {
  for await (const some of beside(part, source, destination)) {
    const missing = some.flatMap(({ wanted, found }) => (found === null && wanted !== null ? [wanted] : []));
    if (missing.length > 0) await destination[part].add(missing);
    count(some.length);
  }
}

async function proved(
  source: NetworkCopyEnd,
  destination: NetworkCopyEnd,
  count: Counted,
): Promise<NetworkFacts> {
  const facts = factsSoFar();
  for (const part of PARTS) {
    for await (const some of beside(part, source, destination)) {
      for (const { wanted, found } of some) {
        if (wanted !== null && found !== null && isSame(part, wanted, found)) {
          facts.add(part, found);
          continue;
        }
        const other = wanted ?? found;
        throw networkDiffers({ members: other === null ? {} : named(part, other) });
      }
      count(some.length);
    }
  }
  return facts.facts();
}

/**
 * Writes an observed network as it is found, while it is being written, into an empty store. What it
 * took first is at least as old as what came later, so that a service on the copy reads again and skips nothing.
 */
export async function writeNetwork(source: NetworkCopyEnd, destination: NetworkCopyEnd): Promise<void> {
  for (const part of PARTS_BESIDE_WRITES) await writePart(part, source, destination);
}

async function writePart<Part extends NetworkPart>(
  part: Part,
  source: NetworkCopyEnd,
  destination: NetworkCopyEnd,
): Promise<void> {
  for await (const some of pagesOf(source[part])) await destination[part].add(some);
}

/** A record of both ends; null: it is not there. */
type Pair<Stored> = { readonly wanted: Stored | null; readonly found: Stored | null };

/** The records of both ends by their keys, some at a time. What is added to the destination meanwhile is not met again. */
async function* beside<Part extends NetworkPart>(
  part: Part,
  source: NetworkCopyEnd,
  destination: NetworkCopyEnd,
): AsyncGenerator<readonly Pair<NetworkRecords[Part]>[]> {
  const [left, right] = [eachOf(source[part]), eachOf(destination[part])];
  let [wanted, found] = [await left.next(), await right.next()];
  let pairs: Pair<NetworkRecords[Part]>[] = [];
  while (wanted.done !== true || found.done !== true) {
    const order =
      wanted.done === true
        ? 1
        : found.done === true
          ? -1
          : compareKeys(recordKey(part, wanted.value), recordKey(part, found.value));
    pairs.push({
      wanted: order <= 0 && wanted.done !== true ? wanted.value : null,
      found: order >= 0 && found.done !== true ? found.value : null,
    });
    if (pairs.length >= AT_ONCE) {
      yield pairs;
      pairs = [];
    }
    if (order <= 0) wanted = await left.next();
    if (order >= 0) found = await right.next();
  }
  if (pairs.length > 0) yield pairs;
}

async function* eachOf<Stored>(records: RecordsOfPart<Stored>): AsyncGenerator<Stored, undefined> {
  for await (const some of pagesOf(records)) yield* some;
  return undefined;
}

async function* pagesOf<Stored>({ behind }: RecordsOfPart<Stored>): AsyncGenerator<readonly Stored[]> {
  for (let last: Stored | null = null; ;) {
    const some: readonly Stored[] = await behind(last, AT_ONCE);
    if (some.length > 0) yield some;
    if (some.length < AT_ONCE) return;
    last = some.at(-1) ?? null;
  }
}

function isSame<Part extends NetworkPart>(
  part: Part,
  one: NetworkRecords[Part],
  other: NetworkRecords[Part],
): boolean {
  return recordLine(part, one) === recordLine(part, other);
}

function named<Part extends NetworkPart>(part: Part, record: NetworkRecords[Part]) {
  return { part, key: recordKey(part, record).join(' ') };
}

function factsSoFar() {
  const hash = createHash('sha256');
  const ofPart = { observation: 0, move: 0, place: 0, reading: 0, learning: 0, pace: 0, poll: 0 };
  let records = 0;
  return {
    add<Part extends NetworkPart>(part: Part, record: NetworkRecords[Part]): void {
      hash.update(`${recordLine(part, record)}\n`);
      ofPart[part] += 1;
      records += 1;
    },
    facts: (): NetworkFacts => ({ records, ofPart, sha256: hash.digest('hex') }),
  };
}
