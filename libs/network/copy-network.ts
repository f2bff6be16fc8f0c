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
    'The destination is not a part of the source: it holds a record that the source does not hold, or holds differently. Nothing was written; copy into an empty store, before any service is started on it.',
});
const networkDiffers = refusal({
  code: 'network-differs',
  kind: 'conflicting',
  detail:
    'The records read back from the destination differ from the source: one of the stores was written during the copy. Stop every service on both, and start again with an empty destination.',
});

export type NetworkCopyProgress = {
  readonly phase: 'comparing existing records' | 'copying' | 'verifying';
  readonly done: number;
  readonly total: number;
  /** Measured from the start of the phase. */
  readonly perSecond: number;
};
type OnProgress = (progress: NetworkCopyProgress) => void;

export type NetworkFacts = {
  readonly records: number;
  readonly ofPart: Readonly<Record<NetworkPart, number>>;
  /** Over the line of every record, part by part, in key order. */
  readonly sha256: string;
};

export type NetworkCopyResult = NetworkFacts & {
  /** Records written by an earlier run. */
  readonly alreadyThere: number;
};

/**
 * The memories of polls come last: a memory lists what need not be requested again (SRC-06), so those observations
 * must exist even if the copy is interrupted.
 */
const PARTS = ['observation', 'move', 'place', 'reading', 'learning', 'pace', 'poll'] as const;
/**
 * The order for a store that is being written: an old memory causes observations to be read again, a newer one would
 * skip some.
 */
const PARTS_BESIDE_WRITES = ['poll', 'pace', 'reading', 'learning', 'observation', 'move', 'place'] as const;
/** Records of one transaction. */
const AT_ONCE = 200;

/**
 * Copies an observed network into an empty store, and verifies it by reading both. An interrupted copy is started
 * again: existing records are compared with the source, and the rest is added. Nothing else may write to either store
 * meanwhile. A few hundred records are in memory at a time. Throws `networkHoldsOther`, before anything is written,
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
      : await compared(source, destination, counted('comparing existing records', total, onProgress));
  const copying = counted('copying', total, onProgress);
  for (const part of PARTS) await addMissing(part, source, destination, copying);
  return { ...(await proved(source, destination, counted('verifying', total, onProgress))), alreadyThere };
}

/** Called with the number of records in a phase. */
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

/** Compares the records of the destination with the source, and returns their number. */
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
 * Copies an observed network into an empty store while it is being written. Parts copied first are not newer than
 * later parts, so that a service on the copy reads some observations again and skips none.
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

/** A record in both stores; null: it does not exist. */
type Pair<Stored> = { readonly wanted: Stored | null; readonly found: Stored | null };

/** The records of both stores by key, in pieces. Records added to the destination meanwhile are not visited again. */
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
