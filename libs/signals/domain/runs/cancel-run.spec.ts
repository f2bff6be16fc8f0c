import { credits } from '#kernel/values/credits.js';
import { given } from '#kernel/testing/scenario.js';
import { cancel, runHasEnded } from './cancel-run.js';
import { complete, prepareBatch, signalRun, start, stopEarly } from './signal-run.js';

const PRICE = credits(10);
const asked = { runId: 91, reason: null };
const started = { type: 'RunStarted', data: { runId: 91, launchId: 9, direction: 'single' } } as const;
const cancelled = { type: 'RunCancellationRequested', data: asked } as const;
const nothing = { subjects: [], resume: null } as const;
const prepared = { type: 'BatchPrepared', data: { batch: 1, ...nothing, more: false } } as const;
const done = { type: 'BatchCompleted', data: { batch: 1, dropped: 0, dry: false } } as const;
const counts = { matchesFound: 0, matchesDropped: 0, creditsSpent: '0' };
const checking = {
  source: { kind: 'agent', id: 7 },
  launchId: 9,
  runId: 91,
  checkedAt: '2026-01-05T10:00:00.000Z',
} as const;

describe('RUN-37 a cancelled run', () => {
  it('is cancelled once, before or after it has begun', () => {
    given(signalRun, [started]).when(cancel(asked)).then([cancelled]);
    given(signalRun, [started, cancelled]).when(cancel(asked)).then([]);
    given(signalRun, []).when(cancel(asked)).then([cancelled]);
  });

  it('begins all the same, so that it has a beginning and an end', () => {
    given(signalRun, [cancelled]).when(start(started.data)).then([started]);
  });

  it('prepares no further batch, and ends between two batches as partly completed', () => {
    const next = prepareBatch(1, { candidates: [], resume: null, more: true });
    given(signalRun, [started])
      .when(next)
      .then([{ type: 'BatchPrepared', data: { batch: 1, ...nothing, more: true } }]);
    given(signalRun, [started, cancelled]).when(next).then([]);
    given(signalRun, [started, cancelled])
      .when(stopEarly(PRICE, 'cancelled'))
      .then([{ type: 'RunCompletedPartial', data: { ...counts, reason: 'cancelled' } }]);
  });

  it('ends as partly completed even if the batch in work was its last', () => {
    given(signalRun, [started, prepared, done])
      .when(complete(PRICE, checking))
      .then([{ type: 'RunCompleted', data: counts }]);
    given(signalRun, [started, prepared, cancelled, done])
      .when(complete(PRICE, checking))
      .then([{ type: 'RunCompletedPartial', data: { ...counts, reason: 'cancelled' } }]);
  });

  it('RUN-39 cannot be cancelled after its end, whatever the outcome', () => {
    for (const ended of [
      { type: 'RunCompleted', data: counts },
      { type: 'RunCompletedPartial', data: { ...counts, reason: 'cancelled' } },
      { type: 'RunFailed', data: { ...counts, reason: 'broken' } },
    ] as const) {
      given(signalRun, [started, ended]).when(cancel(asked)).then(runHasEnded());
    }
  });
});
