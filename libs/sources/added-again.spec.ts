import type { JsonObject } from '#kernel/values/json.js';
import { beforeAdding } from './added-again.js';
import { keptMemory, memoryIn } from './poll-memory.js';

const board = { kind: 'greenhouse', boardId: 'acme' };

/** The memory of a board after it is prepared; `claimed`: a poll of it is under way. */
async function prepared(memory: JsonObject | null, { claimed = false } = {}): Promise<JsonObject | null> {
  let stored = memory;
  await beforeAdding(
    {
      memories: async ([key = '']) => new Map(stored === null ? [] : [[key, stored]]),
      claim: async () => (claimed ? null : { memory: stored }),
      settle: async (_key, _holder, settled) => {
        stored = settled;
      },
    },
    board,
  );
  return stored;
}

describe('a board that is added again', () => {
  it('SRC-06 is due when its host allows it, although it was gone', async () => {
    const nextPollAtMs = Number.MAX_SAFE_INTEGER;
    const gone = { isGone: true, nextPollAtMs, notBeforeMs: 7, failures: 3, missing: 3 };
    expect(memoryIn(await prepared(gone))).toMatchObject({
      isGone: false,
      nextPollAtMs: 7,
      failures: 0,
      missing: 0,
    });
  });

  it('SRC-06 is read completely, and keeps what its earlier readings have shown', async () => {
    const read = memoryIn({ etag: '"a"', lastModified: 'x', isRead: true, known: ['b'], suspects: ['c'] });
    const memory = await prepared(keptMemory(read));
    expect(memoryIn(memory)).toEqual({ ...read, isRead: false, etag: null, lastModified: null });
  });

  it('SRC-06 keeps its memory while a poll of it is under way, and has none if it was never polled', async () => {
    const gone = { isGone: true };
    expect(await prepared(gone, { claimed: true })).toBe(gone);
    expect(await prepared(null)).toBeNull();
  });
});
