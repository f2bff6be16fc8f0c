import { workspaceScoped } from '#kernel/commands/decider.js';
import { allocatedId } from '#kernel/commands/ids.js';
import { findCharge, type MovementReference } from '#domain/credits/charges.js';
import type { CreditDecision } from '#domain/credits/credit-account.js';
import type { Cause } from '#domain/credits/credits.events.js';
import { holdBatch, holdOutcomes, type Hold } from '#domain/credits/hold-credits.js';
import { settle } from '#domain/credits/settle-credits.js';
import type { Candidate } from '#domain/signal-runs/signal-run.events.js';
import { isTerminal, signalRun, type SignalRun } from '#domain/signal-runs/signal-run.js';
import type { ProcessHost } from '#processes/process.js';
import type { Run } from '#processes/run-under-way.js';

export const needsPayment =
  (run: Run) =>
  ({ priced }: Candidate): boolean =>
    priced && run.unitPrice > 0n;

/** The charge key of one item: both directions of a launch share it, so nothing is paid for twice. */
const chargeKey = (run: Run, subject: string): string => `launch:${run.work.launchId}:${subject}`;

type Holds = {
  /** The movement of each subject that may be kept. */
  readonly paid: ReadonlyMap<string, number | null>;
  /** Movements that came into being just now. */
  readonly held: readonly number[];
  /** True when the balance did not cover all. */
  readonly cutShort: boolean;
};

/** Holds credits for the affordable prefix of a batch's priced candidates. */
export async function holdFor(
  host: ProcessHost,
  run: Run,
  batch: number,
  candidates: readonly Candidate[],
): Promise<Holds> {
  if (candidates.length === 0) return { paid: new Map(), held: [], cutShort: false };
  const movementIds = await host.ids.nextMany('movement', candidates.length);
  const wanted = candidates.map(({ subject }, index): Hold => ({
    movementId: allocatedId(movementIds, index),
    key: chargeKey(run, subject),
    credits: run.unitPrice,
    product: run.launch.product,
    cause: causeOf(run, subject),
  }));
  const outcomes = await run.pay(holdBatch(wanted), `batch:${batch}:hold`, (account) =>
    holdOutcomes(account, wanted),
  );
  const paid = new Map<string, number | null>();
  candidates.forEach(({ subject }, index) => {
    const outcome = outcomes[index];
    // A hold that was given back is not payment any more.
    if (outcome === undefined || outcome.status === 'refused' || outcome.status === 'released') return;
    paid.set(subject, outcome.movementId);
  });
  return {
    paid,
    held: outcomes.flatMap(({ movementId, status, replayed }) =>
      movementId !== null && status === 'held' && !replayed ? [movementId] : [],
    ),
    cutShort: outcomes.some(({ status }) => status === 'refused'),
  };
}

function causeOf({ work, launch }: Run, subject: string): Cause {
  const { kind, id } = launch.source;
  return {
    kind: 'signal',
    launchId: work.launchId,
    runId: work.runId,
    ...(kind === 'setup' ? { setupId: id } : { agentId: id }),
    subject,
  };
}

/** Captures what the last completed batch recorded. */
export async function settleCompleted(run: Run, state: SignalRun): Promise<void> {
  if (state.prepared !== null || state.unsettledMovements.length === 0) return;
  const decision = settleHeld(state.unsettledMovements, []);
  await run.pay(decision, `batch:${state.batches}:capture`, () => null);
}

/** Gives back what this worker held for a batch that another worker completed without it. */
export async function releaseUnrecorded(
  run: Run,
  batch: number,
  held: readonly number[],
  state: SignalRun,
): Promise<void> {
  if (state.prepared?.batch === batch) return;
  // Another direction may be about to record it: its hold is left to that one, or to the sweep after a day.
  if (run.launch.runs.length > 1) return;
  const surplus = held.filter((movementId) => !state.unsettledMovements.includes(movementId));
  if (surplus.length === 0) return;
  const release = surplus.map((movementId) => ({ movementId }));
  await run.pay(settleHeld([], release, 'not recorded'), `batch:${batch}:surplus:${surplus[0]}`, () => null);
}

/**
 * The end of the money: what was recorded is captured, and what a run that failed in the middle of a batch had held
 * for it is given back. The directions of a launch share their charge keys, so what one has held another may be
 * about to record: only when all of them are behind their fence the last one gives back what none has recorded.
 */
export async function settleEnded(host: ProcessHost, run: Run, state: SignalRun): Promise<void> {
  const all = [state, ...(await otherDirections(host, run))];
  const prepared = all.every(isTerminal)
    ? all.flatMap((direction) => direction.prepared?.candidates ?? [])
    : [];
  const keys = [...new Set(prepared.map(({ subject }) => chargeKey(run, subject)))];
  if (state.unsettledMovements.length + keys.length === 0) return;
  const recorded = new Set(all.flatMap(({ unsettledMovements }) => unsettledMovements));
  const decision: CreditDecision = (account) => {
    const unrecorded = keys.filter(
      (key) => !recorded.has(findCharge(account.charges, { key })?.movementId ?? 0),
    );
    const release = unrecorded.map((key) => ({ key }));
    return settleHeld(state.unsettledMovements, release, 'run ended')(account);
  };
  await run.pay(decision, 'settle', () => null);
}

const otherDirections = (host: ProcessHost, { work, launch }: Run): Promise<readonly SignalRun[]> =>
  Promise.all(
    launch.runs
      .filter(({ runId }) => runId !== work.runId)
      .map(({ runId }) => host.commands.load(signalRun, workspaceScoped(work.workspaceId, runId))),
  );

/** Ends those that are still held: what an operator or a sweep has ended meanwhile must not stop the run. */
const settleHeld =
  (captured: readonly number[], released: readonly MovementReference[], reason?: string): CreditDecision =>
  (account) => {
    const isHeld = (movement: MovementReference): boolean =>
      findCharge(account.charges, movement)?.status === 'held';
    const capture = captured.map((movementId) => ({ movementId })).filter(isHeld);
    return settle({ capture, release: released.filter(isHeld), reason })(account);
  };
