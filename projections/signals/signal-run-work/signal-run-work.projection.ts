import type { Direction, LaunchEvents, RunLaunched } from '#signals/domain/launches/launch.events.js';
import type { Position } from '#kernel/ports/event-store.port.js';
import { apiKeyOf } from '#kernel/events/asked-by.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/**
 * A run to execute, with everything that its launch fixed. The directions of a launch run one after the other (D-44):
 * this is the first that has not ended.
 */
export type SignalRunWorkDocument = {
  readonly runId: number;
  readonly workspaceId: number;
  readonly launchId: number;
  readonly direction: Direction;
  readonly source: RunLaunched['source'];
  readonly launch: RunLaunched;
  /** The API key that launched it; null if a schedule or a pass did. */
  readonly keyId: number | null;
  /** Runs of the launch that have ended. */
  readonly ended: readonly number[];
  readonly launchedPosition: Position;
  /** Id of the RunLaunched event: the cause of the run's commands. */
  readonly launchEventId: string;
  /** Request id of the original request. */
  readonly correlationId: string;
};

export const signalRunWorkKey = (launchId: number): string => String(launchId);

/** Pending work: one document for each launch until the last of its runs has ended. */
export const signalRunWork = projection<SignalRunWorkDocument, LaunchEvents>()({
  name: 'signal-run-work',
  version: 4,
  critical: true,
  indexes: {
    oldestFirst: ['launchedPosition', 'runId'],
    byWorkspace: ['workspaceId', 'launchedPosition', 'runId'],
  },
  key: (event) => signalRunWorkKey(event.data.launchId),
  on: {
    RunLaunched: (_none, event) => {
      const [first] = event.data.runs;
      if (first === undefined) return null;
      return {
        ...first,
        workspaceId: workspaceIdOf(event),
        launchId: event.data.launchId,
        source: event.data.source,
        ended: [],
        launch: event.data,
        keyId: apiKeyOf(event),
        launchedPosition: event.position,
        launchEventId: event.id,
        correlationId: event.metadata['correlationId'] ?? event.id,
      };
    },
    RunEnded: (work, { data: { runId } }) => {
      if (work === null) return null;
      const ended = [...work.ended, runId];
      const next = work.launch.runs.find((run) => !ended.includes(run.runId));
      return next === undefined ? null : { ...work, ...next, ended };
    },
  },
});
