import type { EventOf } from '#kernel/event.js';
import { refusal } from '#kernel/refusal.js';
import type { LaunchEvents, RunEnded, RunLaunched } from './launch.events.js';

/** The part of a setup's or agent's state that decides "one run at a time". */
export type Launches = {
  /** Ids of the runs of the launch in progress; empty when none is. */
  readonly running: readonly number[];
};

export const noLaunches: Launches = { running: [] };

export const alreadyRunning = refusal({
  code: 'already-running',
  kind: 'conflicting',
  detail: 'A run of this agent is already in progress.',
});

export const launched = (_: Launches, launch: RunLaunched): Launches => ({
  running: launch.runs.map((run) => run.runId),
});

export const ended = (launches: Launches, run: RunEnded): Launches => ({
  running: launches.running.filter((runId) => runId !== run.runId),
});

type LaunchDecision = (state: { readonly launches: Launches }) => readonly EventOf<LaunchEvents>[];

/** Starts all runs of one launch; refused while any run of the previous one is in progress. */
export const launch =
  (input: RunLaunched): LaunchDecision =>
  ({ launches }) => {
    if (launches.running.length > 0) throw alreadyRunning();
    return [{ type: 'RunLaunched', data: input }];
  };

/** Records that one run of the launch has come to its end; a repetition changes nothing. */
export const endRun =
  (input: RunEnded): LaunchDecision =>
  ({ launches }) =>
    launches.running.includes(input.runId) ? [{ type: 'RunEnded', data: input }] : [];
