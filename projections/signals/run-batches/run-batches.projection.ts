import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { projection } from '#kernel/projections/projection.js';
import type { Recorded } from '#kernel/events/event.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A batch of a run: its number of matches, how many of these were not paid for, and why. */
export type RunBatchDocument = {
  readonly workspaceId: number;
  readonly runId: number;
  readonly batch: number;
  /** Matches that were fixed to be paid for and recorded. */
  readonly candidates: number;
  readonly preparedAt: string;
  /** Why a part could not be read; null: everything was read. */
  readonly incomplete: string | null;
  /** When its matches were recorded; null before that. */
  readonly completedAt: string | null;
  readonly dropped: number;
  /** What cut its holds short; null if nothing did. */
  readonly cutBy: 'balance' | 'cap' | 'budget' | null;
};

type Payloads = Pick<SignalRunEvents, 'BatchPrepared' | 'BatchCompleted'>;

export const runBatchKey = (workspaceId: number, runId: number, batch: number): string =>
  `${workspaceId}_${runId}_${batch}`;

export const runBatches = projection<RunBatchDocument, Payloads>()({
  name: 'run-batches',
  version: 1,
  indexes: { byRun: ['workspaceId', 'runId', 'batch'] },
  key: (event) => runBatchKey(workspaceIdOf(event), runIdOfStream(event), event.data.batch),
  on: {
    BatchPrepared: (_none, event) => ({
      workspaceId: workspaceIdOf(event),
      runId: runIdOfStream(event),
      batch: event.data.batch,
      candidates: event.data.subjects.length,
      preparedAt: recordedAtOf(event),
      incomplete: event.data.incomplete ?? null,
      completedAt: null,
      dropped: 0,
      cutBy: null,
    }),
    BatchCompleted: (batch, event) =>
      batch && {
        ...batch,
        completedAt: recordedAtOf(event),
        dropped: event.data.dropped,
        cutBy: event.data.dry ? (event.data.dryBy ?? 'balance') : null,
      },
  },
});

/** The run of an event's stream (`run-<workspace>_<run>`). */
function runIdOfStream({ stream }: Pick<Recorded<unknown>, 'stream'>): number {
  return Number(stream.slice(stream.lastIndexOf('_') + 1));
}
