import { fromStored } from '#kernel/values/credits.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import {
  holdCharges,
  paidBefore,
  settleCharges,
  type Charge,
  type PaidWork,
  type Payments,
} from '#ledger/charging/charges.js';
import type { LaunchBudget } from '#ledger/domain/budgets.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { endBudget } from '#ledger/domain/hold-credits.js';
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

/** What all runs of the launch together may spend; null where it has no limit of its own. */
export const budgetOf = ({ work: { launchId }, launch: { maxCredits, quote } }: Run): LaunchBudget | null =>
  maxCredits === undefined
    ? null
    : { launchId, limit: fromStored(maxCredits), ...(quote === undefined ? {} : { quote: quote.nonce }) };

/** Whether others of the launch may be paid for by the same movement. */
const isShared = ({ launch }: Run, { chargeKey: key, subject }: Candidate): boolean =>
  key !== subject || launch.runs.length > 1;

/**
 * Holds credits for the affordable prefix of a batch's priced candidates. A run that is dry holds nothing more: it
 * asks which of them are paid for with others of the launch, and what is not is dropped (D-44).
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
 * How many of the movements of a batch came into being with it (D-44); undefined where each candidate is paid for
 * by itself, so that all of them did.
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
  const { work, launch } = run;
  return {
    subjects: [candidate.subject, candidate.chargeKey],
    key: chargeKey(run, candidate),
    credits: run.unitPrice,
    product: launch.product,
    cause: {
      kind: 'signal',
      launchId: work.launchId,
      runId: work.runId,
      ...namedSource(launch.source),
      ...(work.keyId === null ? {} : { keyId: work.keyId }),
      subject: candidate.subject,
    },
  };
}

/** Captures what the last completed batch recorded. Again: nothing of it is held any more. */
export async function settleCompleted(host: ProcessHost, run: Run, state: RunProgress): Promise<void> {
  const capture = state.unsettledMovements;
  await settleCharges(host, paidWork(run), `batch:${state.batches}:capture`, { capture });
}

/** Gives back what this worker held for a batch that another worker completed without it. */
export async function releaseUnrecorded(
  host: ProcessHost,
  run: Run,
  batch: number,
  held: readonly number[],
  state: RunProgress,
): Promise<void> {
  if (state.prepared?.batch === batch) return;
  // Another direction may be about to record it: its hold is left to that one, or to the sweep after a day.
  if (run.launch.runs.length > 1) return;
  const surplus = held.filter((movementId) => !state.unsettledMovements.includes(movementId));
  await settleCharges(host, paidWork(run), `batch:${batch}:surplus:${surplus[0]}`, {
    capture: [],
    release: surplus.map((movementId) => ({ movementId })),
    reason: 'not recorded',
  });
}

/**
 * The end of the money: what was recorded is captured, and what a run that failed in the middle of a batch had held
 * for it is given back. The directions of a launch share their charge keys, so what one has held another may be
 * about to record: only when all of them are behind their fence the last one gives back what none has recorded.
 * `isCaptured`: the captures of the last batch were sent already.
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
  await host.commands.handle(creditAccount, String(run.work.workspaceId), endBudget(run.work.launchId), {
    context: run.context('end-budget'),
    answer: () => null,
    waitForReadModels: false,
  });
}

const otherDirections = (host: ProcessHost, { work, launch }: Run): Promise<readonly RunProgress[]> =>
  Promise.all(
    launch.runs
      .filter(({ runId }) => runId !== work.runId)
      .map(({ runId }) =>
        host.commands.load(signalRun, workspaceScoped(work.workspaceId, runId), progressOf),
      ),
  );
