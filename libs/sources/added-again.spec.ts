import { memoryOfAdded } from './added-again.js';
import { memoryIn } from './poll-memory.js';

describe('a board that is added again', () => {
  it('SRC-06 is due when its host allows it, although it was gone', () => {
    const nextPollAtMs = Number.MAX_SAFE_INTEGER;
    const gone = memoryIn({ isGone: true, nextPollAtMs, notBeforeMs: 7, failures: 3, missing: 3 });
    expect(memoryOfAdded(gone)).toMatchObject({ isGone: false, nextPollAtMs: 7, failures: 0, missing: 0 });
  });

  it('SRC-06 is read completely, and keeps what its earlier readings have shown', () => {
    const read = memoryIn({ etag: '"a"', lastModified: 'x', isRead: true, known: ['b'], suspects: ['c'] });
    expect(memoryOfAdded(read)).toEqual({ ...read, etag: null, lastModified: null });
  });
});
