import { foldAll } from '#kernel/testing/project.js';
import { runBatches, runBatchKey } from './run-batches.projection.js';

const at = (recordedAt: string) => ({ workspaceId: '5', recordedAt });
const prepared = (batch: number, subjects: readonly string[], stream = 'run-5_91') => ({
  type: 'BatchPrepared',
  data: { batch, subjects, resume: null, more: true },
  metadata: at('2026-01-05T10:00:00.000Z'),
  stream,
});
const completed = (batch: number, data: object, stream = 'run-5_91') => ({
  type: 'BatchCompleted',
  data: { batch, dropped: 0, dry: false, ...data },
  metadata: at('2026-01-05T10:00:02.000Z'),
  stream,
});

describe('the batches of runs', () => {
  it('are in work from their preparation until their matches are recorded', () => {
    const before = foldAll(runBatches, [prepared(1, ['post:1', 'post:2'])]);
    expect(before.get(runBatchKey(5, 91, 1))).toEqual({
      workspaceId: 5,
      runId: 91,
      batch: 1,
      candidates: 2,
      preparedAt: '2026-01-05T10:00:00.000Z',
      incomplete: null,
      completedAt: null,
      dropped: 0,
      cutBy: null,
    });
    const after = foldAll(runBatches, [prepared(1, ['post:1', 'post:2']), completed(1, {})]);
    expect(after.get(runBatchKey(5, 91, 1))).toMatchObject({
      completedAt: '2026-01-05T10:00:02.000Z',
      dropped: 0,
      cutBy: null,
    });
  });

  it('show what cut their holds short: the balance, if the event names nothing else', () => {
    const documents = foldAll(runBatches, [
      prepared(1, ['post:1']),
      completed(1, { dropped: 1, dry: true }),
      prepared(2, ['post:2']),
      completed(2, { dropped: 1, dry: true, dryBy: 'cap' }),
      prepared(3, ['post:3']),
      completed(3, { dropped: 1, dry: true, dryBy: 'budget' }),
    ]);
    expect([...documents.values()].map(({ dropped, cutBy }) => [dropped, cutBy])).toEqual([
      [1, 'balance'],
      [1, 'cap'],
      [1, 'budget'],
    ]);
  });

  it('belong to the run of their stream', () => {
    const documents = foldAll(runBatches, [prepared(1, ['a']), prepared(1, ['a', 'b'], 'run-5_92')]);
    expect([...documents.values()].map(({ runId, candidates }) => [runId, candidates])).toEqual([
      [91, 1],
      [92, 2],
    ]);
  });
});
