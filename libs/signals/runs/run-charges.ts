import { fromStored } from '#kernel/values/credits.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import {
  holdCharges,
  paidBefore,
  type Charge,
  type PaidWork,
  type Payments,
} from '#ledger/charging/charges.js';
import { settleCharges } from '#ledger/charging/settle-charges.js';
import { endLaunchBudget } from '#ledger/charging/launch-budgets.js';
import type { LaunchBudget } from '#ledger/domain/budgets.js';
import { namedSource } from '#signals/domain/launches/launches.js';
import type { Candidate } from '#signals/domain/runs/signal-run.events.js';
import { isTerminal, progressOf, signalRun, type RunProgress } from '#signals/domain/runs/signal-run.js';
import type { ProcessHost } from '#process-engine/process.js';
import type { Run } from './run-under-way.js';

export const needsPayment =
  (run: Run) =>
  ({ priced }: Candidate): boolean =>
    priced && run.unitPrice > 0n;

/** The charge key of one item: both directions of a launch share it, so nothing is paid for twice. */
export const chargeKey = ({ work }: Run, candidate: Pick<Candidate, 'chargeKey'>): string =>
  `launch:${work.launchId}:${candidate.chargeKey}`;

const paidWork = (run: Run): PaidWork => {
  const { work, context } = run;
  const budget = budgetOf(run);
  return { workspaceId: work.workspaceId, context, ...(budget && { budget }) };
};

/** The limit over all runs of the launch; null if it has none. */
export const budgetOf = ({ work: { launchId }, launch: { maxCredits, quote } }: Run): LaunchBudget | null =>
  maxCredits === undefined
    ? null
    : { launchId, limit: fromStored(maxCredits), ...(quote === undefined ? {} : { quote: quote.nonce }) };

/** Whether the movement may also pay for other candidates of the launch. */
const isShared = ({ launch }: Run, { chargeKey: key, subject }: Candidate): boolean =>
  key !== subject || launch.runs.length > 1;

/**
 * Holds credits for the affordable prefix of a batch's priced candidates. A dry run holds nothing: candidates that
 * share a paid charge key of the launch are kept, the others are dropped (D-44).
 */
export async function holdFor(
  host: ProcessHost,
  run: Run,
  batch: number,
  candidates: readonly Candidate[],
  dry: boolean,
): Promise<Payments> {
  if (!dry) {
    const wanted = candidates.map((candidate) => chargeOf(run, candidate));
    return holdCharges(host, paidWork(run), `batch:${batch}:hold`, wanted, 'prefix');
  }
  const shared = candidates.filter((candidate) => isShared(run, candidate));
  const keys = [...new Set(shared.map((candidate) => chargeKey(run, candidate)))];
  const paid = await paidBefore(host, paidWork(run), keys);
  return { paid, held: [], shortage: null };
}

/**
 * The number of movements made for a batch (D-44); undefined if each candidate has a separate charge, so that all were
 * made.
 */
export async function chargesMade(
  host: ProcessHost,
  run: Run,
  kept: readonly Candidate[],
  movementIds: ReadonlySet<number>,
): Promise<number | undefined> {
  if (!kept.some((candidate) => needsPayment(run)(candidate) && isShared(run, candidate))) return undefined;
  const recorded = await Promise.all(
    run.launch.runs.map(({ runId }) =>
      host.commands.load(signalRun, workspaceScoped(run.work.workspaceId, runId), ({ movements }) =>
        [...movementIds].filter((movementId) => movements.has(movementId)),
      ),
    ),
  );
  return movementIds.size - new Set(recorded.flat()).size;
}

function chargeOf(run: Run, candidate: Candidate): Charge {
  const { work, launch, shownAs } = run;
  return {
    subjects: [candidate.subject, candidate.chargeKey],
    key: chargeKey(run, candidate),
    credits: run.unitPrice,
    product: launch.product,
    cause: {
      kind: 'signal',
      launchId: work.launchId,
      runId: work.runId,
      ...(shownAs === work.runId ? {} : { shownRunId: shownAs }),
      ...namedSource(launch.source),
      ...(work.keyId === null ? {} : { keyId: work.keyId }),
      subject: candidate.subject,
    },
  };
}

/** Captures the movements of the last completed batch. Idempotent. */
export async function settleCompleted(host: ProcessHost, run: Run, state: RunProgress): Promise<void> {
  const capture = state.unsettledMovements;
  await settleCharges(host, paidWork(run), `batch:${state.batches}:capture`, { capture });
}

/** Releases the holds of this worker for a batch that another worker completed without them. */
export async function releaseUnrecorded(
  host: ProcessHost,
  run: Run,
  batch: number,
  held: readonly number[],
  state: RunProgress,
): Promise<void> {
  if (state.prepared?.batch === batch) return;
  // Another direction may be about to record it: its hold is left to that direction, or to the sweep after a day.
  if (run.launch.runs.length > 1) return;
  const surplus = held.filter((movementId) => !state.unsettledMovements.includes(movementId));
  await settleCharges(host, paidWork(run), `batch:${batch}:surplus:${surplus[0]}`, {
    capture: [],
    release: surplus.map((movementId) => ({ movementId })),
    reason: 'not recorded',
  });
}

/**
 * Settles the holds at the end of a run: movements of recorded detections are captured, and holds of a run that
 * failed in the middle of a batch are released. The directions of a launch share their charge keys, so another
 * direction may be about to record what one has held. Therefore only the last direction to end releases the movements
 * that none has recorded. `isCaptured`: the captures of the last batch were already sent.
 */
export async function settleEnded(
  host: ProcessHost,
  run: Run,
  state: RunProgress,
  isCaptured: boolean,
): Promise<void> {
  const all = [state, ...(await otherDirections(host, run))];
  const prepared = all.every(isTerminal)
    ? all.flatMap((direction) => direction.prepared?.chargeKeys ?? [])
    : [];
  const keys = [...new Set(prepared.map((key) => chargeKey(run, { chargeKey: key })))];
  await settleCharges(host, paidWork(run), 'settle', {
    capture: isCaptured ? [] : state.unsettledMovements,
    release: keys.map((key) => ({ key })),
    keep: new Set(all.flatMap(({ unsettledMovements }) => unsettledMovements)),
    reason: 'run ended',
  });
  if (budgetOf(run) === null || !all.every(isTerminal)) return;
  const { workspaceId, launchId } = run.work;
  await endLaunchBudget(host.commands, workspaceId, launchId, run.context('end-budget'));
}

const otherDirections = (host: ProcessHost, { work, launch }: Run): Promise<readonly RunProgress[]> =>
  Promise.all(
    launch.runs
      .filter(({ runId }) => runId !== work.runId)
      .map(({ runId }) =>
        host.commands.load(signalRun, workspaceScoped(work.workspaceId, runId), progressOf),
      ),
  );
