import type {
  Direction,
  LaunchEvents,
  RunEnded,
  RunLaunched,
} from '#signals/domain/launches/launch.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A run as it is polled. Launch and end alone feed it: it is there with the launch and ends once all is done. */
export type SignalRunDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly launchId: number;
  /** The agent or setup that was launched. */
  readonly sourceId: number;
  readonly stage: 'running' | RunEnded['outcome'];
  readonly direction: Direction;
  readonly trigger: RunLaunched['trigger'];
  readonly lookbackDays: number;
  readonly matchesFound: number;
  readonly matchesDropped: number;
  /** Micro-credits as stored text. */
  readonly creditsSpent: string;
  /** What its launch may spend at most, and what of that was left at its end; null where there is no limit. */
  readonly maxCredits: string | null;
  readonly creditsLeft: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
};

export const signalRunKey = (runId: number): string => String(runId);

export const signalRuns = projection<SignalRunDocument, LaunchEvents>()({
  name: 'signal-runs',
  version: 3,
  indexes: {
    newestFirst: ['workspaceId', 'createdAt', 'id'],
    bySource: ['workspaceId', 'sourceId', 'createdAt', 'id'],
    byStage: ['workspaceId', 'stage', 'createdAt', 'id'],
    byTrigger: ['workspaceId', 'trigger', 'createdAt', 'id'],
  },
  key: (event) =>
    event.type === 'RunLaunched'
      ? event.data.runs.map(({ runId }) => signalRunKey(runId))
      : signalRunKey(event.data.runId),
  on: {
    RunLaunched: (_none, event, key) => {
      const { data } = event;
      const run = data.runs.find(({ runId }) => signalRunKey(runId) === key);
      if (run === undefined) return null;
      return {
        id: run.runId,
        workspaceId: workspaceIdOf(event),
        launchId: data.launchId,
        sourceId: data.source.id,
        stage: 'running',
        direction: run.direction,
        trigger: data.trigger,
        lookbackDays: data.lookbackDays,
        matchesFound: 0,
        matchesDropped: 0,
        creditsSpent: '0',
        maxCredits: data.maxCredits ?? null,
        creditsLeft: data.maxCredits ?? null,
        createdAt: data.now,
        completedAt: null,
      };
    },
    RunEnded: (run, { data }) =>
      run && {
        ...run,
        stage: data.outcome,
        matchesFound: data.matchesFound,
        matchesDropped: data.matchesDropped,
        creditsSpent: data.creditsSpent,
        creditsLeft: data.creditsLeft ?? run.creditsLeft,
        completedAt: data.endedAt,
      },
  },
});
