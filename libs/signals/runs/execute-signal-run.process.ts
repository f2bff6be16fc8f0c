import { pause } from '#kernel/commands/retry.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { HOUR_MS } from '#kernel/values/durations.js';
import { lookAtBudget } from '#ledger/charging/launch-budgets.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { signalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import {
  CANCELLED,
  complete,
  countsOf,
  fail,
  isTerminal,
  MAX_ATTEMPTS,
  progressOf,
  recordAttempt,
  signalRun,
  start,
  stopEarly,
  type Checking,
  type RunProgress,
} from '#signals/domain/runs/signal-run.js';
import { identityTypes } from '#identities/claim-identities.js';
import { launchSource } from '#signals/launching/launch-sources.js';
import { checkedMembers } from '#projections/signals/checked-members/checked-members.projection.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import {
  signalRunWork,
  type SignalRunWorkDocument,
} from '#projections/signals/signal-run-work/signal-run-work.projection.js';
import { surfacedLeads } from '#projections/signals/surfaced-leads/surfaced-leads.projection.js';
import { candidatesOf, completePrepared } from './complete-batch.js';
import { prepareNext } from './prepare-batch.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
import { budgetOf, settleCompleted, settleEnded } from './run-charges.js';
import { runUnderWay, type Run } from './run-under-way.js';
import { toDo } from '#process-engine/to-do.js';

/** The step that holds, claims, records and captures; nearly all of it is CPU work of this process. */
export const COMPLETE_BATCH = 'complete batch';

const READ_MODELS_TIMEOUT_MS = 5_000;
const NO_PROGRESS_MS = 6 * HOUR_MS;

/**
 * Executes a launched run to its end, batch by batch: (a) fix the candidates, (b) hold credits for the priced ones,
 * (c) claim the identities that they name, (d) record the detections, (e) capture the holds. After a stop at any
 * point the run continues from its stream.
 */
export const executeSignalRun: Process<SignalRunWorkDocument> = {
  name: 'execute-signal-run',
  lane: 'runs',
  atOnce: 8,
  toDo: toDo(signalRunWork, { oldestFirst: ['launchedPosition', 'runId'] }),
  key: (work) => String(work.runId),

  // They contain the earlier detections, their leads and the checked members.
  waitsFor: [detections.name, surfacedLeads.name, checkedMembers.name],

  async act(host, due, signal) {
    const work = await behindLivePass(host, due, signal);
    if (work === null) return 'continues';
    const run = runOf(host, work);
    let state = await run.send(
      start({ runId: work.runId, launchId: work.launchId, direction: work.direction }),
      'start',
    );
    // A cancelled run ends as cancelled, as the response to the cancellation said.
    if (!isTerminal(state) && !state.cancelled && hasStalled(host, state))
      state = await giveUp(run, 'no progress for six hours');
    let captured: number | null = null;
    while (!isTerminal(state)) {
      signal.throwIfAborted();
      // Once per batch; repeated if this worker continues the run of another one.
      if (state.prepared === null && captured !== state.batches) {
        await settleCompleted(host, run, state);
        captured = state.batches;
      }
      const whyStop = state.prepared === null && state.more ? await reasonToStop(host, run, state) : null;
      if (whyStop !== null) {
        state = await run.send(stopEarly(run.unitPrice, whyStop), 'stop');
        continue;
      }
      if (state.prepared === null && state.more)
        state = await inBatch(host, 'prepare batch', state, (at) => prepareNext(host, run, at, signal));
      const { prepared } = state;
      if (prepared !== null)
        state = await inBatch(host, COMPLETE_BATCH, state, async (at) => {
          const candidates = await candidatesOf(host, run, prepared);
          if (candidates === null) return giveUp(run, 'the candidates of its batch are stored no more');
          return completePrepared(host, run, at, prepared, candidates);
        });
      else if (!state.more) state = await run.send(complete(run.unitPrice, checkingBy(run)), 'complete');
    }
    await settleEnded(host, run, state, captured === state.batches);
    await end(host, run, state);
  },

  async failed(host, work, error) {
    // An unavailable store is no fault of the run: the run waits, as long as it may be interrupted.
    if (error instanceof StoreUnavailable) return;
    const run = runOf(host, work);
    const reason = error instanceof Error ? error.message : String(error);
    const state = await host.commands.load(signalRun, run.id, progressOf);
    if (state.attempts + 1 >= MAX_ATTEMPTS) await giveUp(run, reason);
    else await run.send(recordAttempt(reason), `attempt:${state.batches}:${state.attempts + 1}`);
  },
};

const inBatch = (
  { step }: ProcessHost,
  name: string,
  state: RunProgress,
  work: (state: RunProgress) => Promise<RunProgress>,
): Promise<RunProgress> => step(name, { 'signal_ledger.batch': state.batches }, () => work(state));

const runOf = (host: ProcessHost, work: SignalRunWorkDocument): Run =>
  runUnderWay(host, work, executeSignalRun.name);

function hasStalled(host: ProcessHost, state: RunProgress): boolean {
  const since = Math.max(Date.parse(state.lastProgressAt ?? ''), host.startedAt.getTime());
  return host.clock.now().getTime() - since > NO_PROGRESS_MS;
}

const giveUp = (run: Run, reason: string): Promise<RunProgress> =>
  run.send(fail(run.unitPrice, reason), 'fail');

const checkingBy = ({ work: { launchId, runId }, launch: { source, now } }: Run): Checking => ({
  source,
  launchId,
  runId,
  checkedAt: now,
});

const sourceKey = ({ work, launch }: Run) => ({ workspaceId: work.workspaceId, id: launch.source.id });

/**
 * A cancelled run, or a run of a deleted agent (OP-32), stops at its next batch. So does a live pass if its source
 * was launched meanwhile (LIV-03).
 */
async function reasonToStop(host: ProcessHost, run: Run, { cancelled }: RunProgress): Promise<string | null> {
  if (cancelled) return CANCELLED;
  if (run.launch.live !== undefined) {
    const { answer } = await launchSource(run.launch.source.kind).look(host.commands, sourceKey(run));
    if (answer.launches.running.length > 0) return 'launched';
  }
  const isDeleted = await launchSource(run.launch.source.kind).isDeleted(host.commands, sourceKey(run));
  return isDeleted ? 'agent_deleted' : null;
}

const LIVE_PASS_PATIENCE_MS = 2_000;
const LIVE_PASS_POLL_MS = 50;

/**
 * Two runs of one source never search at the same time, because each must know the findings of the other. A launch
 * may start during a live pass, so its runs wait here until the live pass has ended and the read models include its
 * end. Null: the live pass has not ended; the work is continued later.
 */
async function behindLivePass(
  host: ProcessHost,
  work: SignalRunWorkDocument,
  signal: AbortSignal,
): Promise<SignalRunWorkDocument | null> {
  if (work.launch.live !== undefined) return work;
  const key = { workspaceId: work.workspaceId, id: work.source.id };
  const until = performance.now() + LIVE_PASS_PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    const { answer, position } = await launchSource(work.source.kind).look(host.commands, key);
    if (answer.launches.live.running.length === 0)
      return {
        ...work,
        launchedPosition: [work.launchedPosition, position ?? ''].sort().at(-1) ?? work.launchedPosition,
      };
    if (performance.now() > until) return null;
    await pause(LIVE_PASS_POLL_MS);
  }
}

/** Ends the run only after the read models show everything that it found and its charges. */
async function end(host: ProcessHost, run: Run, state: RunProgress): Promise<void> {
  const { work, launch } = run;
  const { commands } = host;
  const last = await lookAtBudget(commands, work.workspaceId, budgetOf(run));
  const terminal = await commands.look(signalRun, run.id, () => null);
  const position = [last.position ?? '', terminal.position ?? ''].sort().at(-1) ?? '';
  const types = [...Object.keys(signalRunEvents), ...Object.keys(creditEvents), ...identityTypes];
  await host.progress.reached({ position, types, workspaceId: work.workspaceId }, READ_MODELS_TIMEOUT_MS);
  const sharedWith = launch.runs.map(({ runId }) => runId).filter((runId) => runId !== work.runId);
  const outcome = state.stage === 'new' || state.stage === 'running' ? 'failed' : state.stage;
  const ended = {
    launchId: work.launchId,
    runId: work.runId,
    ...(run.shownAs === work.runId ? {} : { shownAs: run.shownAs }),
    outcome,
    ...countsOf(state, run.unitPrice),
    ...(last.answer === null ? {} : { creditsLeft: last.answer }),
    ...(last.answer === null || sharedWith.length === 0 ? {} : { sharedWith }),
    endedAt: host.clock.now().toISOString(),
  };
  const source = launchSource(launch.source.kind);
  await source.end(host.commands, sourceKey(run), ended, run.context('end'));
}
