import type { EventOf } from '#kernel/events/event.js';
import { refusal } from '#kernel/values/refusal.js';
import { lastDueUntil, type ScheduleEvents, type ScheduleOwner } from '#domain/schedules/schedule.events.js';
import type { LaunchEvents, RunEnded, RunLaunched } from './launch.events.js';

/** The part of a setup's or agent's state that decides "one run at a time". */
export type Launches = {
  /** Ids of the runs of the launch in progress; empty when none is. */
  readonly running: readonly number[];
  /** `now` of the last launch; null before the first. */
  readonly lastLaunchedAt: string | null;
};

export const noLaunches: Launches = { running: [], lastLaunchedAt: null };

export const alreadyRunning = refusal({
  code: 'already-running',
  kind: 'conflicting',
  detail: 'A run of this agent is already in progress.',
});

export const launched = (_: Launches, launch: RunLaunched): Launches => ({
  running: launch.runs.map((run) => run.runId),
  lastLaunchedAt: launch.now,
});

export const ended = (launches: Launches, run: RunEnded): Launches => ({
  ...launches,
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

/** What decides whether a run that is due is launched. */
export type Scheduled = {
  readonly enabled: boolean;
  /** When the schedule was switched on; null while it is off. */
  readonly scheduleAnchorAt: string | null;
  /** The last time that was due and dealt with; null when none was since it was switched on. */
  readonly lastTickAt: string | null;
  readonly launches: Launches;
};

export type Tick = ScheduleOwner & {
  readonly dueAt: string;
  /** The launch, or the code of the refusal that it met. */
  readonly launch: RunLaunched | { readonly refused: string };
};

/**
 * Launches the run that is due, or records why not (OP-17). A time that was dealt with, that lies before one that
 * was, or that the schedule of now does not name changes nothing; nor does anything while it is disabled.
 */
export const tick =
  ({ launch: wanted, dueAt, ownerKind, ownerId }: Tick) =>
  (state: Scheduled): readonly EventOf<LaunchEvents & ScheduleEvents>[] => {
    const { enabled, scheduleAnchorAt, lastTickAt, launches } = state;
    if (!enabled || scheduleAnchorAt === null || (lastTickAt !== null && dueAt <= lastTickAt)) return [];
    if (lastDueUntil(scheduleAnchorAt, dueAt) !== dueAt) return [];
    const ticked = { ownerKind, ownerId, dueAt } as const;
    const skipped = (reason: string): readonly EventOf<ScheduleEvents>[] => [
      { type: 'ScheduleTicked', data: { ...ticked, outcome: 'skipped', reason } },
    ];
    if (launches.running.length > 0) return skipped(alreadyRunning.code);
    if ('refused' in wanted) return skipped(wanted.refused);
    return [
      { type: 'RunLaunched', data: wanted },
      { type: 'ScheduleTicked', data: { ...ticked, outcome: 'launched', reason: null } },
    ];
  };

/** How events name an agent or setup: they share one id sequence, and each has a name of its own. */
export function namedSource({ kind, id }: RunLaunched['source']) {
  switch (kind) {
    case 'setup':
      return { setupId: id };
    case 'agent':
      return { agentId: id };
  }
}
