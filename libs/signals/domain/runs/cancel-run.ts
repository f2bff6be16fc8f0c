import { refusal } from '#kernel/values/refusal.js';
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

/** Asks a run to stop before its next batch; one that is asked already is not asked again. */
export const cancel =
  (input: { readonly runId: number; readonly reason: string | null }): RunDecision =>
  (run) => {
    if (isTerminal(run)) throw runHasEnded();
    return run.cancelled ? [] : [{ type: 'RunCancellationRequested', data: input }];
  };
