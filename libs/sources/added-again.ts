import { randomUUID } from 'node:crypto';
import type { JsonObject } from '#kernel/values/json.js';
import type { PollStore } from '#network/poll-store.port.js';
import { withoutValidators } from './before-writing.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { keptMemory, memoryIn, pollKey, type PollMemory } from './poll-memory.js';

const HELD_MS = 10_000;

/**
 * The memory with which a source begins whose board was a source before. Its first poll is due and reads everything,
 * because the mapping, the filter or the treatment of contacts may be another one. Items that it shows for the first time
 * are its past, not news (SRC-02). A board that was gone is requested again.
 */
const memoryOfAdded = (memory: PollMemory): PollMemory => ({
  ...withoutValidators(memory),
  isRead: false,
  lastPollAtMs: null,
  nextPollAtMs: memory.notBeforeMs,
  failures: 0,
  lastFailure: null,
  missing: 0,
  isGone: false,
});

const isOfOther = ({ id }: Pick<SourceDocument, 'id'>, { sourceId }: PollMemory): boolean =>
  sourceId !== null && sourceId !== id;

/** The memory of a source. A poll of a removed source of the same board may have ended after this one was added. */
export function memoryOf(source: Pick<SourceDocument, 'id'>, kept: JsonObject | null): PollMemory {
  const memory = memoryIn(kept);
  return isOfOther(source, memory) ? memoryOfAdded(memory) : memory;
}

/** The memory of a source among those that a store has returned. */
export const memoryAmong = (
  memories: ReadonlyMap<string, JsonObject>,
  source: Pick<SourceDocument, 'id' | 'kind' | 'boardId'>,
): PollMemory => memoryOf(source, memories.get(pollKey(source)) ?? null);

/** The stored memory of a source. */
export const loadMemory = async (
  polls: Pick<PollStore, 'memories'>,
  source: Pick<SourceDocument, 'id' | 'kind' | 'boardId'>,
): Promise<PollMemory> => memoryAmong(await polls.memories([pollKey(source)]), source);

/**
 * Must be called before a source is recorded: prepares the memory that a removed source of the same board has left. A
 * memory that is claimed stays as it is: its holder stores another one, which `memoryOf` prepares.
 */
export async function beforeAdding(
  polls: Pick<PollStore, 'memories' | 'claim' | 'settle'>,
  source: Parameters<typeof pollKey>[0],
): Promise<void> {
  const [key, holder] = [pollKey(source), `new source ${randomUUID()}`];
  if (!(await polls.memories([key])).has(key)) return;
  const claim = await polls.claim(key, holder, Date.now(), Date.now() + HELD_MS);
  if (claim !== null) await polls.settle(key, holder, keptMemory(memoryOfAdded(memoryIn(claim.memory))));
}
