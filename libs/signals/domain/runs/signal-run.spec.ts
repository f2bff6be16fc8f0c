import { credits } from '#kernel/values/credits.js';
import { rulesOf } from '#kernel/testing/scenario.js';
import { complete, prepareBatch, signalRun, start, stopEarly } from './signal-run.js';

const deciding = rulesOf(signalRun);
const PRICE = credits(10);
const started = { type: 'RunStarted', data: { runId: 91, launchId: 9, direction: 'single' } } as const;
const prepared = (batch: number, more = false) =>
  ({ type: 'BatchPrepared', data: { batch, subjects: [], resume: null, more } }) as const;
const done = (batch: number, dropped = 0, more: object = {}) =>
  ({ type: 'BatchCompleted', data: { batch, dropped, dry: dropped > 0, ...more } }) as const;
const counts = { matchesFound: 0, matchesDropped: 0, creditsSpent: '0' };
const ended = { type: 'RunCompleted', data: counts } as const;
const end = complete(PRICE, {
  source: { kind: 'agent', id: 7 },
  launchId: 9,
  runId: 91,
  checkedAt: '2026-01-05T10:00:00.000Z',
});

describe('a signal run', () => {
  it('is started once', () => {
    deciding([], start(started.data)).then([started]);
    for (const past of [[started], [started, prepared(1), done(1), ended]])
      deciding(past, start(started.data)).then([]);
  });

  it('prepares the next batch only: after its start, before its end, and after the batch before is completed', () => {
    const next = (batch: number) => prepareBatch(batch, { candidates: [], resume: null, more: true });
    deciding([started], next(1)).then([prepared(1, true)]);
    deciding([started, prepared(1, true), done(1)], next(2)).then([prepared(2, true)]);
    for (const [past, batch] of [
      [[], 1],
      [[started], 2],
      [[started, prepared(1, true)], 2],
      [[started, prepared(1, true)], 1],
      [[started, prepared(1, true), done(1)], 1],
      [[started, prepared(1), done(1), ended], 2],
    ] as const)
      deciding(past, next(batch)).then([]);
  });

  it('RUN-26 ends once, when all of its batches are completed', () => {
    deciding([started, prepared(1, true), done(1), prepared(2), done(2)], end).then([ended]);
    for (const past of [
      [],
      [started],
      [started, prepared(1)],
      [started, prepared(1, true), done(1)],
      [started, prepared(1), done(1), ended],
    ])
      deciding(past, end).then([]);
  });

  it('is stopped early between two batches only', () => {
    const stop = stopEarly(PRICE, 'agent_deleted');
    deciding([started, prepared(1, true), done(1)], stop).then([
      { type: 'RunCompletedPartial', data: { ...counts, reason: 'agent_deleted' } },
    ]);
    for (const past of [[], [started, prepared(1, true)], [started, prepared(1), done(1), ended]])
      deciding(past, stop).then([]);
  });

  it('RUN-22 CAP-03 QUO-02 counts the matches of all batches that were not paid, and names the first cause', () => {
    const partial = (matchesDropped: number, reason: string) =>
      ({ type: 'RunCompletedPartial', data: { ...counts, matchesDropped, reason } }) as const;
    const two = (first: object, second: object) => [
      started,
      prepared(1, true),
      done(1, 2, first),
      prepared(2),
      done(2, 1, second),
    ];
    deciding(two({}, {}), end).then([partial(3, 'insufficient_credits')]);
    deciding(two({ dryBy: 'cap' }, {}), end).then([partial(3, 'cap')]);
    deciding(two({ dryBy: 'budget' }, { dryBy: 'cap' }), end).then([partial(3, 'max_credits')]);
  });
});
