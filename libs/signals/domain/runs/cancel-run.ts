import { refusal } from '#kernel/values/refusal.js';
import type { SignalRunEvents } from './signal-run.events.js';
import { isTerminal, type RunDecision } from './signal-run.js';

export const unknownSignalRun = refusal({
  code: 'unknown-signal-run',
  kind: 'missing',
  detail: 'There is no signal run with this id in the workspace.',
});

export const runHasEnded = refusal({
  code: 'run-has-ended',
  kind: 'conflicting',
  detail: 'This signal run has ended already.',
});

/** Requests that a run stops before its next batch. Idempotent. */
export const cancel =
  (input: SignalRunEvents['RunCancellationRequested']): RunDecision =>
  (run) => {
    if (isTerminal(run)) throw runHasEnded();
    return run.cancelled ? [] : [{ type: 'RunCancellationRequested', data: input }];
  };
