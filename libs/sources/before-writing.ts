import { keptMemory, pollKey, type PollMemory } from './poll-memory.js';
import type { Poll, PollParts } from './poll-source.js';

/**
 * The memory without ETag and Last-Modified: the next poll reads everything. They describe the earlier reading, and
 * items of a later one may be stored. If the source returns to its earlier content, "not modified" would leave these
 * items as they are.
 */
export const withoutValidators = (memory: PollMemory): PollMemory => ({
  ...memory,
  etag: null,
  lastModified: null,
});

/**
 * Must be called before the first write of observations or closings: stores the memory without validators, so that a
 * poll after a crash reads everything (SRC-06), and the number of postings that are open before these writes. Returns
 * the poll with that memory. Rejects if another process has taken the claim: the validators in its memory do not describe
 * what would be written here.
 */
export async function beforeWriting(
  { network, holder }: PollParts,
  poll: Poll,
  openBefore: number | null,
): Promise<Poll> {
  const before = { ...withoutValidators(poll.before), openBefore };
  const isKept = await network.polls.keep(pollKey(poll.source), holder, keptMemory(before));
  if (!isKept)
    throw new Error('the claim of this poll has expired, and another process has polled the source');
  poll.onBegun(before);
  return { ...poll, before };
}
