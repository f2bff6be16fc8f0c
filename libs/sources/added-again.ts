import { randomUUID } from 'node:crypto';
import type { PollStore } from '#network/poll-store.port.js';
import { withoutValidators } from './before-writing.js';
import { keptMemory, memoryIn, pollKey, type PollMemory } from './poll-memory.js';

const HELD_MS = 10_000;

/**
 * The memory with which a source begins whose board was a source before. Its first poll is due and reads everything,
 * because the mapping, the filter or the treatment of contacts may be another one. A board that was gone is requested again.
 */
const memoryOfAdded = (memory: PollMemory): PollMemory => ({
  ...withoutValidators(memory),
  nextPollAtMs: memory.notBeforeMs,
  failures: 0,
  lastFailure: null,
  missing: 0,
  isGone: false,
});

/**
 * Must be called before a source is recorded: prepares the memory that a removed source of the same board has left. A
 * memory that is claimed stays as it is: its holder stores another one.
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
