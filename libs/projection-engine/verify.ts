import { inPieces } from '#kernel/values/pieces.js';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { START, type EventStore, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { canonicalJson, type JsonValue } from '#kernel/values/json.js';
import { foldInto, keysOf, type Projection } from '#kernel/projections/projection.js';
import type { Generation, GuardedDocument, ReadStore } from '#kernel/ports/read-store.port.js';
import { catchUp, type Pace, type ProjectorContext } from './project-batch.js';
import { typesOf } from './registry.js';
import type { Decode } from './slice.js';
import { scanned, type ProjectedView } from './projected-view.js';

/** A document that differs from the fold of its events, with the first event from which on it differs. */
export type Difference = {
  readonly key: string;
  readonly live: JsonValue | null;
  readonly replayed: JsonValue | null;
  readonly event: {
    readonly type: string;
    readonly stream: string;
    readonly revision: string;
    readonly position: string;
  } | null;
};

export type Verification = {
  readonly ok: boolean;
  /** Events replayed. */
  readonly events: number;
  readonly documents: number;
  readonly differing: number;
  /** The difference with the smallest key. */
  readonly first: Difference | null;
  /** Documents that were written so often meanwhile that they could not be compared. */
  readonly unsettled: number;
  /** Sums over the documents compared, independent of their order. */
  readonly liveChecksum: string;
  readonly replayedChecksum: string;
};

const PAGE = 500;
const ROUNDS = 50;

/** One document of a key on both sides. */
type Pair = { readonly key: string; readonly live: JsonValue | null; readonly replayed: JsonValue | null };

/**
 * Compares a live generation with a shadow that was just replayed from the start. The live generation may continue:
 * differing documents are compared again after the shadow has caught up with it. Memory holds a page of each and the
 * differing keys.
 */
export async function compareWithShadow(
  context: ProjectorContext,
  live: Generation,
  shadow: ProjectedView,
  pace: Pace,
  signal: AbortSignal,
): Promise<Verification> {
  const { reads } = context;
  let documents = 0;
  let sums: Checksums = { live: 0n, replayed: 0n };
  const suspects = new Set<string>();
  for await (const pair of pairs(reads, live, shadow.generation)) {
    signal.throwIfAborted();
    documents += 1;
    if (isSame(pair)) sums = addPair(sums, pair);
    else suspects.add(pair.key);
  }
  let first: Pair | null = null;
  let differing = 0;
  for (let round = 0; round < ROUNDS && suspects.size > 0; round += 1) {
    await catchUp(context, [shadow], pace, signal);
    signal.throwIfAborted();
    for (const keys of inPieces([...suspects], PAGE)) {
      const [liveNow, replayedNow] = await Promise.all([
        reads.load(live, keys),
        reads.load(shadow.generation, keys),
      ]);
      // Read after the documents: one that is ahead of the checkpoint is being written, or is wrong.
      const reached = (await reads.checkpoint(live))?.position ?? START;
      const isLastLook = round === ROUNDS - 1 && reached <= shadow.position;
      for (const key of keys) {
        const liveDocument = liveNow.get(key);
        const pair = pairOf(key, liveDocument, replayedNow.get(key));
        const isAhead = liveDocument !== undefined && liveDocument.position > shadow.position;
        const isBehind = reached < shadow.checkpoint.position;
        if (!isSame(pair) && (isBehind || (isAhead && !isLastLook))) continue;
        suspects.delete(key);
        sums = addPair(sums, pair);
        if (isSame(pair)) continue;
        differing += 1;
        if (first === null || key < first.key) first = pair;
      }
    }
    await setImmediate();
  }
  return {
    ok: differing === 0 && suspects.size === 0 && shadow.halt === null,
    events: scanned(shadow.checkpoint),
    documents,
    differing,
    first: first === null ? null : await explain(context, shadow.projection, first, signal),
    unsettled: suspects.size,
    liveChecksum: sums.live.toString(16).padStart(16, '0'),
    replayedChecksum: sums.replayed.toString(16).padStart(16, '0'),
  };
}

async function* pairs(reads: ReadStore, live: Generation, shadow: Generation): AsyncGenerator<Pair> {
  const left = scanAll(reads, live);
  const right = scanAll(reads, shadow);
  let [one, other] = await Promise.all([left.next(), right.next()]);
  while (one.done !== true || other.done !== true) {
    const [a, b] = [one.value, other.value];
    const takeLeft = a !== undefined && (b === undefined || a.key <= b.key);
    const takeRight = b !== undefined && (a === undefined || b.key <= a.key);
    yield pairOf((takeLeft ? a : b)?.key ?? '', takeLeft ? a : undefined, takeRight ? b : undefined);
    if (takeLeft) one = await left.next();
    if (takeRight) other = await right.next();
  }
}

async function* scanAll(
  reads: ReadStore,
  generation: Generation,
): AsyncGenerator<GuardedDocument, undefined> {
  let after: string | null = null;
  for (;;) {
    const page: readonly GuardedDocument[] = await reads.scan(generation, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return undefined;
    after = last.key;
    await setImmediate();
  }
}

function pairOf(key: string, live: GuardedDocument | undefined, replayed: GuardedDocument | undefined): Pair {
  return { key, live: live?.document ?? null, replayed: replayed?.document ?? null };
}

function isSame({ live, replayed }: Pair): boolean {
  return canonicalJson(live) === canonicalJson(replayed);
}

type Checksums = { readonly live: bigint; readonly replayed: bigint };

function addPair(sums: Checksums, { key, live, replayed }: Pair): Checksums {
  const liveHash = documentHash(key, live);
  const replayedHash =
    canonicalJson(live) === canonicalJson(replayed) ? liveHash : documentHash(key, replayed);
  return {
    live: BigInt.asUintN(64, sums.live + liveHash),
    replayed: BigInt.asUintN(64, sums.replayed + replayedHash),
  };
}

function documentHash(key: string, document: JsonValue | null): bigint {
  if (document === null) return 0n;
  return createHash('sha256')
    .update(`${key}\n${canonicalJson(document)}`)
    .digest()
    .readBigUInt64BE();
}

/** Folds the history of one document and finds the event behind the last state that the live one agrees with. */
async function explain(
  { events, decode }: { readonly events: EventStore; readonly decode: Decode },
  projection: Projection,
  pair: Pair,
  signal: AbortSignal,
): Promise<Difference> {
  const wanted = canonicalJson(pair.live);
  let document: JsonValue | null = null;
  let agreed = wanted === 'null';
  let departure: StoredEvent | null = null;
  for await (const batch of events.readAll({ types: typesOf([projection]) })) {
    signal.throwIfAborted();
    for (const stored of batch.events) {
      const next = foldOne(projection, decode, stored, pair.key, document);
      if (next === undefined) continue;
      if (agreed || departure === null) departure = stored;
      document = next;
      agreed = canonicalJson(document) === wanted;
    }
  }
  const event =
    departure === null
      ? null
      : {
          type: departure.type,
          stream: departure.stream,
          revision: departure.revision.toString(),
          position: departure.position,
        };
  return { ...pair, event };
}

/** Undefined where the event does not touch the document, or cannot be folded and is parked. */
function foldOne(
  projection: Projection,
  decode: Decode,
  stored: StoredEvent,
  key: string,
  document: JsonValue | null,
): JsonValue | null | undefined {
  try {
    const recorded = decode(stored);
    if (recorded === null || !keysOf(projection, recorded).includes(key)) return undefined;
    return foldInto(projection, document, recorded, key);
  } catch {
    return undefined;
  }
}
