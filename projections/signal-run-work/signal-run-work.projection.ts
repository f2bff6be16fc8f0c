import type { Direction, LaunchEvents, RunLaunched } from '#domain/signal-launches/launch.events.js';
import type { Position } from '#kernel/ports/event-store.port.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A run that is to be brought to its end, with everything its launch has fixed for it. */
export type SignalRunWorkDocument = {
  readonly runId: number;
  readonly workspaceId: number;
  readonly launchId: number;
  readonly direction: Direction;
  readonly source: RunLaunched['source'];
  readonly launch: RunLaunched;
  readonly launchedPosition: Position;
  /** Id of the RunLaunched event: what the commands of the run are caused by. */
  readonly launchEventId: string;
  /** Request id at the root of it. */
  readonly correlationId: string;
};

export const signalRunWorkKey = (runId: number): string => String(runId);

/** What is to do: one document for each run between its launch and its end. */
export const signalRunWork = projection<SignalRunWorkDocument, LaunchEvents>()({
  name: 'signal-run-work',
  version: 2,
  critical: true,
  indexes: {
    oldestFirst: ['launchedPosition', 'runId'],
    byWorkspace: ['workspaceId', 'launchedPosition', 'runId'],
  },
  key: (event) =>
    event.type === 'RunLaunched'
      ? event.data.runs.map(({ runId }) => signalRunWorkKey(runId))
      : signalRunWorkKey(event.data.runId),
  on: {
    RunLaunched: (_none, event, key) => {
      const run = event.data.runs.find(({ runId }) => signalRunWorkKey(runId) === key);
      if (run === undefined) return null;
      return {
        runId: run.runId,
        workspaceId: workspaceIdOf(event),
        launchId: event.data.launchId,
        direction: run.direction,
        source: event.data.source,
        launch: event.data,
        launchedPosition: event.position,
        launchEventId: event.id,
        correlationId: event.metadata['correlationId'] ?? event.id,
      };
    },
    RunEnded: () => null,
  },
});
