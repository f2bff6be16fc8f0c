import { toStored, type Credits } from '#kernel/values/credits.js';
import { decider, type Decision } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import type { JsonValue } from '#kernel/values/json.js';
import { inPieces } from '#kernel/values/pieces.js';
import {
  MAX_CHECKED_AT_ONCE,
  signalRunEvents,
  type BatchEvents,
  type Candidate,
  type SignalRunEvents,
} from './signal-run.events.js';

/** A fixed batch that is not yet recorded. */
export type PreparedBatch = {
  readonly batch: number;
  /** The charge keys of its candidates. */
  readonly chargeKeys: readonly string[];
  /** For a batch without a stream of its own, or just prepared; null: the candidates are on that stream. */
  readonly candidates: readonly Candidate[] | null;
};

/**
 * One direction of one launch: batches are prepared, paid for and recorded, one after another, until a terminal
 * event.
 */
export type SignalRun = {
  readonly stage: 'new' | 'running' | 'completed' | 'completed_partial' | 'failed';
  /** The batch in work; null between batches. */
  readonly prepared: PreparedBatch | null;
  readonly batches: number;
  /** The state that the detector needs to continue; null before the first batch. */
  readonly resume: JsonValue;
  readonly more: boolean;
  readonly dry: boolean;
  /** What cut a hold short; null if it was the balance or nothing did. */
  readonly dryBy: 'cap' | 'budget' | null;
  /** Why a part could not be read; null while everything could. */
  readonly incomplete: string | null;
  /** Members of the list that later runs skip after this run completes. */
  readonly checked: readonly number[];
  readonly found: number;
  readonly dropped: number;
  /** Movements that this run made, without those of the other direction. */
  readonly paid: number;
  /** Subjects of every batch so far; grows in place with the fold. */
  readonly subjects: Set<string>;
  /** Movements of every detection so far; grows in place with the fold. */
  readonly movements: Set<number>;
  /** Movements of the last completed batch, without duplicates: captured by then, or about to be. */
  readonly unsettledMovements: readonly number[];
  /** True if it was cancelled: the batch in work is its last. */
  readonly cancelled: boolean;
  /** Failed attempts since the last progress. */
  readonly attempts: number;
  /** When the run last made progress, RFC 3339; a failed attempt is no progress. */
  readonly lastProgressAt: string | null;
};

export const signalRun = decider<SignalRun>()({
  category: 'run',
  scope: 'workspace',
  vocabulary: signalRunEvents,
  strict: true,
  initial: () => ({
    stage: 'new',
    prepared: null,
    batches: 0,
    resume: null,
    more: true,
    dry: false,
    dryBy: null,
    incomplete: null,
    checked: [],
    found: 0,
    dropped: 0,
    paid: 0,
    subjects: new Set(),
    movements: new Set(),
    unsettledMovements: [],
    cancelled: false,
    attempts: 0,
    lastProgressAt: null,
  }),
  on: {
    RunStarted: (run, { metadata }) => ({
      ...run,
      stage: 'running',
      lastProgressAt: metadata['recordedAt'] ?? null,
    }),
    RunAttempted: (run, { data }) => ({ ...run, attempts: data.attempt }),
    RunCancellationRequested: (run) => ({ ...run, cancelled: true }),
    BatchPrepared: (run, { data, metadata }) => {
      const { batch, subjects, chargeKeys = subjects, candidates = null } = data;
      for (const subject of subjects) run.subjects.add(subject);
      return {
        ...run,
        prepared: { batch, chargeKeys, candidates },
        resume: data.resume,
        more: data.more,
        incomplete: data.incomplete ?? run.incomplete,
        checked: data.checked === undefined ? run.checked : [...run.checked, ...data.checked],
        unsettledMovements: [],
        attempts: 0,
        lastProgressAt: metadata['recordedAt'] ?? null,
      };
    },
    SignalDetected: (run, { data: { movementId } }) => {
      const found = { ...run, found: run.found + 1 };
      if (movementId === null) return found;
      run.movements.add(movementId);
      const { unsettledMovements: unsettled } = run;
      if (unsettled.includes(movementId)) return found;
      return { ...found, unsettledMovements: [...unsettled, movementId] };
    },
    BatchCompleted: (run, { data, metadata }) => ({
      ...run,
      prepared: null,
      lastProgressAt: metadata['recordedAt'] ?? null,
      batches: data.batch,
      dry: data.dry,
      dryBy: run.dryBy ?? data.dryBy ?? null,
      dropped: run.dropped + data.dropped,
      paid: run.paid + (data.charges ?? run.unsettledMovements.length),
      attempts: 0,
    }),
    MembersChecked: (run) => run,
    RunCompleted: (run) => ({ ...run, stage: 'completed' }),
    RunCompletedPartial: (run) => ({ ...run, stage: 'completed_partial' }),
    RunFailed: (run) => ({ ...run, stage: 'failed' }),
  },
});

export type RunDecision = Decision<SignalRun, typeof signalRunEvents>;
type RunEvent = EventOf<SignalRunEvents>;

/** A run without progress fails after this many attempts. */
export const MAX_ATTEMPTS = 5;

/** The progress of a run, which its worker keeps from step to step. */
export type RunProgress = Omit<SignalRun, 'subjects' | 'movements'>;

export const progressOf = ({
  subjects: _subjects,
  movements: _movements,
  ...progress
}: SignalRun): RunProgress => progress;

export const isTerminal = (run: Pick<SignalRun, 'stage'>): boolean =>
  run.stage === 'completed' || run.stage === 'completed_partial' || run.stage === 'failed';

export const start =
  (input: SignalRunEvents['RunStarted']): RunDecision =>
  (run) =>
    run.stage === 'new' ? [{ type: 'RunStarted', data: input }] : [];

/** Fixes the findings of the next batch. Idempotent for a fixed batch; a cancelled run has no next batch. */
export const prepareBatch =
  (batch: number, { candidates, ...found }: BatchEvents['CandidatesFound']): RunDecision =>
  (run) => {
    if (run.stage !== 'running' || run.cancelled || run.prepared !== null || batch !== run.batches + 1)
      return [];
    const subjects = candidates.map(({ subject }) => subject);
    const chargeKeys = [...new Set(candidates.map(({ chargeKey }) => chargeKey))];
    const isPaidAlone = candidates.every(({ subject, chargeKey }) => subject === chargeKey);
    return [
      { type: 'BatchPrepared', data: { batch, subjects, ...(!isPaidAlone && { chargeKeys }), ...found } },
    ];
  };

export type BatchResult = SignalRunEvents['BatchCompleted'] & {
  readonly detections: readonly SignalRunEvents['SignalDetected'][];
};

/** Records the kept detections of a batch and its completion, in one append. */
export const completeBatch =
  ({ detections, ...completed }: BatchResult): RunDecision =>
  (run) => {
    if (run.stage !== 'running' || run.prepared?.batch !== completed.batch) return [];
    return [
      ...detections.map((data): RunEvent => ({ type: 'SignalDetected', data })),
      { type: 'BatchCompleted', data: completed },
    ];
  };

/** Records a failed attempt. */
export const recordAttempt =
  (reason: string): RunDecision =>
  (run) =>
    isTerminal(run) ? [] : [{ type: 'RunAttempted', data: { attempt: run.attempts + 1, reason } }];

/**
 * The end of a run: partial if a match was not paid, if a part could not be read, or if the run was cancelled during
 * its last batch. In every case the members it read count as checked, for the source and time in `checking`.
 */
export const complete =
  (unitPrice: Credits, checking: Checking): RunDecision =>
  (run) => {
    if (run.stage !== 'running' || run.prepared !== null || run.more) return [];
    const counts = countsOf(run, unitPrice);
    const reason = run.cancelled ? CANCELLED : run.dropped > 0 ? whyDry(run) : run.incomplete;
    const checked = inPieces([...new Set(run.checked)], MAX_CHECKED_AT_ONCE).map((memberIds): RunEvent => ({
      type: 'MembersChecked',
      data: { ...checking, memberIds },
    }));
    return [
      ...checked,
      reason === null
        ? { type: 'RunCompleted', data: counts }
        : { type: 'RunCompletedPartial', data: { ...counts, reason } },
    ];
  };
export type Checking = Omit<SignalRunEvents['MembersChecked'], 'memberIds'>;

/** Why a match was not paid for. */
function whyDry({ dryBy }: SignalRun): string {
  switch (dryBy) {
    case null:
      return 'insufficient_credits';
    case 'cap':
      return 'cap';
    case 'budget':
      return 'max_credits';
  }
}

/** The reason in the end of a cancelled run. */
export const CANCELLED = 'cancelled';

/** Ends a run between two batches, because its agent was deleted or the run was cancelled; its findings are kept. */
export const stopEarly =
  (unitPrice: Credits, reason: string): RunDecision =>
  (run) =>
    run.stage === 'running' && run.prepared === null
      ? [{ type: 'RunCompletedPartial', data: { ...countsOf(run, unitPrice), reason } }]
      : [];

/** Ends the run as failed. This is the fence: no later batch can be appended. */
export const fail =
  (unitPrice: Credits, reason: string): RunDecision =>
  (run) =>
    isTerminal(run) ? [] : [{ type: 'RunFailed', data: { ...countsOf(run, unitPrice), reason } }];

/** The totals of a run: `creditsSpent` is the price of the movements that it made, held or captured. */
export const countsOf = (run: Pick<SignalRun, 'found' | 'dropped' | 'paid'>, unitPrice: Credits) => ({
  matchesFound: run.found,
  matchesDropped: run.dropped,
  creditsSpent: toStored(BigInt(run.paid) * unitPrice),
});
