import type {
  Direction,
  LaunchEvents,
  RunEnded,
  RunLaunched,
} from '#signals/domain/launches/launch.events.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/**
 * A run as it is answered. Only launch and end change it: it exists from the launch on, and ends once everything is
 * done.
 */
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
  /** The limit of its launch, and the rest of it when its last run so far ended; null without a limit. */
  readonly maxCredits: string | null;
  readonly creditsLeft: string | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
  /**
   * The run whose row includes this one: live passes of one day and direction share one row, which adds them up
   * (LIV-05). Every other run has its own row.
   */
  readonly shownAs: number;
  /** Whether the list of runs shows it. */
  readonly listed: boolean;
};

export const signalRunKey = (runId: number): string => String(runId);

export const signalRuns = projection<SignalRunDocument, LaunchEvents>()({
  name: 'signal-runs',
  version: 5,
  indexes: {
    newestFirst: ['workspaceId', 'listed', 'createdAt', 'id'],
    bySource: ['workspaceId', 'listed', 'sourceId', 'createdAt', 'id'],
    byStage: ['workspaceId', 'listed', 'stage', 'createdAt', 'id'],
    byTrigger: ['workspaceId', 'listed', 'trigger', 'createdAt', 'id'],
  },
  key: (event) => (event.type === 'RunLaunched' ? event.data.runs.flatMap(keysOfRun) : keysOfRun(event.data)),
  on: {
    RunLaunched: (row, event, key) => {
      const { data } = event;
      const run = data.runs.find(({ runId }) => signalRunKey(runId) === key);
      if (run === undefined) return row;
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
        shownAs: run.shownAs ?? run.runId,
        listed: run.shownAs === undefined,
      };
    },
    RunEnded: (run, { data }, key) => {
      const { sharedWith = [], creditsLeft = null } = data;
      const isOther = sharedWith.some((runId) => signalRunKey(runId) === key);
      return run && (isOther ? { ...run, creditsLeft } : ended(run, data));
    },
  },
});

type KeyedRun = Pick<RunEnded, 'runId' | 'shownAs' | 'sharedWith'>;

const keysOfRun = ({ runId, shownAs = runId, sharedWith = [] }: KeyedRun): readonly string[] =>
  [...new Set([runId, shownAs, ...sharedWith])].map(signalRunKey);

/** A stage that is an end never changes (OP-37), even if a later live pass adds to the row. */
function ended(run: SignalRunDocument, data: RunEnded): SignalRunDocument {
  return {
    ...run,
    stage: run.stage === 'running' ? data.outcome : run.stage,
    matchesFound: run.matchesFound + data.matchesFound,
    matchesDropped: run.matchesDropped + data.matchesDropped,
    creditsSpent: toStored(fromStored(run.creditsSpent) + fromStored(data.creditsSpent)),
    creditsLeft: data.creditsLeft ?? run.creditsLeft,
    completedAt: data.endedAt,
  };
}
