import { memoryIn } from '../poll-memory.js';
import { GONE } from '../gone-source.js';
import { pollAnswer } from './source-poll.js';

const counts = { items: 100, added: 3, changed: 2, closed: 50, skipped: 1 };
const read = { ok: true, outcome: 'read', items: 100, new: 3, changed: 2, closed: 50, skipped: 1 };
const none = { ok: false, outcome: 'failed', items: 0, new: 0, changed: 0, closed: 0, skipped: 0 };

describe('the answer of a poll', () => {
  it('has the counts of its own reading, and none of an earlier one', () => {
    expect(pollAnswer(memoryIn(counts))).toMatchObject(read);
    const failed = { ...counts, failures: 1, lastFailure: 'answered 500' };
    expect(pollAnswer(memoryIn(failed))).toMatchObject({ ...none, error: 'answered 500' });
  });

  it('has the number of postings that it closed because the board is gone', () => {
    const gone = { closed: 50, failures: 1, isGone: true };
    expect(pollAnswer(memoryIn({ ...gone, lastFailure: GONE }))).toMatchObject({ ...none, closed: 50 });
    expect(pollAnswer(memoryIn({ ...gone, lastFailure: 'answered 500' }))).toMatchObject(none);
  });
});
