import { inPieces } from '#kernel/values/pieces.js';
import type { Key, KeyStore, KeyOrder, Members } from './key-reads.js';
import type { Whose } from './network-source.port.js';
import { comparePoints, type OrderPoint } from './position.js';

/** Members in one query of the store. */
const MEMBERS_AT_ONCE = 256;
/** Keys in one answer of the store. */
const KEYS_AT_ONCE = 4_096;

/** Removes unwanted keys. */
export type KeyFilter = (keys: readonly Key[]) => Promise<readonly Key[]>;

export type Gathered = {
  readonly keys: readonly Key[];
  /** Whether no key follows the last one. */
  readonly isAll: boolean;
};

/**
 * The first `count` keys after a position, for any number of members, without duplicates, in order. Members are
 * queried in groups; once `count` keys are known, later keys are no longer read.
 */
export async function gatherKeys(
  store: KeyStore,
  lanes: readonly KeyOrder[],
  members: AsyncIterable<Members>,
  range: { readonly from: OrderPoint; readonly lastMs: number; readonly count: number },
  filter: KeyFilter | null,
): Promise<Gathered> {
  const { from, count } = range;
  let lastMs = range.lastMs;
  let keys: Key[] = [];
  let isAll = true;
  const takeFirst = (): void => {
    keys = inOrder(keys);
    const last = keys[count - 1];
    if (last === undefined || keys.length <= count) return;
    keys.length = count;
    lastMs = last.at;
    isAll = false;
  };
  for await (const some of members) {
    for (const lane of lanes) {
      for (let behind: OrderPoint | null = from; behind !== null;) {
        const read = await store.keys(lane, some, { from: behind, lastMs, limit: KEYS_AT_ONCE });
        keys.push(...(filter === null ? read : await filter(read)));
        if (keys.length >= 2 * count) takeFirst();
        behind = read.length < KEYS_AT_ONCE ? null : (read.at(-1) ?? null);
      }
    }
  }
  takeFirst();
  return { keys, isAll };
}

function inOrder(keys: Key[]): Key[] {
  keys.sort(comparePoints);
  return keys.filter((key, index) => {
    const before = keys[index - 1];
    return before === undefined || comparePoints(before, key) !== 0;
  });
}

/** In groups. */
export async function* named(refs: readonly string[]): AsyncGenerator<Members> {
  for (const some of inPieces([...new Set(refs)], MEMBERS_AT_ONCE)) yield { refs: some };
}

/** The authors or actors in a scope, in groups. */
export async function* everybodyOf(store: KeyStore, whose: Whose): AsyncGenerator<Members> {
  yield* named([...whose.companyRefs, ...whose.personRefs]);
  yield* store.workers(whose.companyRefs);
}

/** The approximate number of members that `everybodyOf` yields. */
export async function sizeOf(store: KeyStore, { companyRefs, personRefs }: Whose): Promise<number> {
  return companyRefs.length + personRefs.length + (await store.workerCount(companyRefs));
}

/** The refs that belong to the scope, as of now. Answers are cached. */
export function membership(
  store: KeyStore,
  { companyRefs, personRefs }: Whose,
): (refs: readonly string[]) => Promise<(ref: string) => boolean> {
  const companies = new Set(companyRefs);
  const isMember = new Map<string, boolean>([...companyRefs, ...personRefs].map((ref) => [ref, true]));
  return async (refs) => {
    const asked = [...new Set(refs)].filter((ref) => !isMember.has(ref));
    const workers = await store.workingAt(companies, asked);
    for (const ref of asked) isMember.set(ref, workers.has(ref));
    return (ref) => isMember.get(ref) === true;
  };
}
