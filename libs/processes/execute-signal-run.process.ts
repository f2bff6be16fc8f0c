import { workspaceScoped } from '#kernel/commands/decider.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { allocatedId } from '#kernel/commands/ids.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { claimIdentities, identityTypes, type Claims } from '#identities/claim-identities.js';
import { agent } from '#domain/agents/agent.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { creditEvents } from '#domain/credits/credits.events.js';
import { endRun } from '#domain/signal-launches/launches.js';
import { signalRunEvents, type Candidate } from '#domain/signal-runs/signal-run.events.js';
import {
  complete,
  completeBatch,
  countsOf,
  fail,
  isTerminal,
  MAX_ATTEMPTS,
  prepareBatch,
  recordAttempt,
  signalRun,
  start,
  stopEarly,
  type SignalRun,
} from '#domain/signal-runs/signal-run.js';
import { signalSetup } from '#domain/signal-setups/signal-setup.js';
import {
  detectedSubjectKey,
  detectedSubjects,
} from '#projections/detected-subjects/detected-subjects.projection.js';
import {
  signalRunWork,
  type SignalRunWorkDocument,
} from '#projections/signal-run-work/signal-run-work.projection.js';
import type { Match } from '#detection/detector.js';
import { detectorFor } from '#detection/detectors.js';
import type { Process, ProcessHost } from './process.js';
import {
  chargeKey,
  holdFor,
  needsPayment,
  releaseUnrecorded,
  settleCompleted,
  settleEnded,
} from './run-charges.js';
import { runUnderWay, type Run } from './run-under-way.js';
import { watchedTopAccounts } from './watched-top-accounts.js';

const BATCH_SIZE = 50;
const READ_MODELS_TIMEOUT_MS = 5_000;
const NO_PROGRESS_MS = 6 * 60 * 60 * 1_000;

/**
 * Carries a launched run to its end, batch by batch: (a) fix the candidates, (b) hold credits for those that are
 * priced, (c) claim the identities that they name, (d) record the detections, (e) capture what they cost.
 * Stopped anywhere, it goes on from what the run's stream says.
 */
export const executeSignalRun: Process<SignalRunWorkDocument> = {
  name: 'execute-signal-run',
  due: (host, _now, limit) =>
    host.readModels.find<SignalRunWorkDocument>(signalRunWork, {
      sort: [
        ['launchedPosition', 'asc'],
        ['runId', 'asc'],
      ],
      limit,
    }),
  key: (work) => String(work.runId),

  // Work of a workspace whose model stopped waits rather than guesses what was detected before.
  waits: (host, work) => host.isParked(detectedSubjects.name, work.workspaceId),

  async act(host, work, signal) {
    const run = runOf(host, work);
    let state = await run.send(
      start({ runId: work.runId, launchId: work.launchId, direction: work.direction }),
      'start',
    );
    if (!isTerminal(state) && hasStalled(host, state)) state = await giveUp(run, 'no progress for six hours');
    while (!isTerminal(state)) {
      signal.throwIfAborted();
      // Captures what the last batch recorded; again after a stop in between, without a second effect.
      await settleCompleted(host, run, state);
      if (state.prepared === null && state.more && (await isSourceDeleted(host, run))) {
        state = await run.send(stopEarly(run.unitPrice, 'agent_deleted'), 'stop');
        continue;
      }
      if (state.prepared === null && state.more) state = await prepareNext(host, run, state);
      if (state.prepared !== null) state = await completePrepared(host, run, state);
      else if (!state.more) state = await run.send(complete(run.unitPrice), 'complete');
    }
    await settleEnded(host, run, state);
    await end(host, run, state);
  },

  async failed(host, work, error) {
    // A store that is away is no fault of the run: it waits, as long as it may stand still.
    if (error instanceof StoreUnavailable) return;
    const run = runOf(host, work);
    const reason = error instanceof Error ? error.message : String(error);
    const state = await host.commands.load(signalRun, run.id);
    if (state.attempts + 1 >= MAX_ATTEMPTS) await giveUp(run, reason);
    else await run.send(recordAttempt(reason), `attempt:${state.batches}:${state.attempts + 1}`);
  },
};

const runOf = (host: ProcessHost, work: SignalRunWorkDocument): Run =>
  runUnderWay(host, work, executeSignalRun.name);

function hasStalled(host: ProcessHost, state: SignalRun): boolean {
  const since = Math.max(Date.parse(state.lastProgressAt ?? ''), host.startedAt.getTime());
  return host.clock.now().getTime() - since > NO_PROGRESS_MS;
}

const giveUp = (run: Run, reason: string): Promise<SignalRun> =>
  run.send(fail(run.unitPrice, reason), 'fail');

/** OP-32: a run of a deleted agent stops at its next batch. Setups cannot be deleted. */
async function isSourceDeleted(host: ProcessHost, { work, launch }: Run): Promise<boolean> {
  if (launch.source.kind === 'setup') return false;
  const source = await host.commands.load(agent, workspaceScoped(work.workspaceId, launch.source.id));
  return source.deleted;
}

/** Step (a): fixes the next batch with everything it needs, so that nothing is read twice. */
async function prepareNext(host: ProcessHost, run: Run, state: SignalRun): Promise<SignalRun> {
  const { work, launch } = run;
  // What earlier launches detected is known only once the model has passed the end of the last one.
  const upToDate = await host.progress.reached(
    {
      position: work.launchedPosition,
      types: Object.keys(detectedSubjects.on),
      workspaceId: work.workspaceId,
    },
    READ_MODELS_TIMEOUT_MS,
  );
  if (!upToDate) throw new StoreUnavailable('the model of detected subjects is behind the launch');
  const page = await detectorFor(launch.detectorKind)(
    {
      source: host.network,
      directory: host.directory,
      ...(await watchedTopAccounts(host.readModels, work)),
      ...(await run.watched()),
    },
    launch,
    state.cursor,
    BATCH_SIZE,
    (subjects) => knownSubjects(host.readModels, work, state, subjects),
  );
  const ids = await host.ids.nextMany('detection', page.matches.length);
  const candidates = page.matches.map((match: Match, index): Candidate => ({
    detectionId: allocatedId(ids, index),
    ...match,
  }));
  const batch = state.batches + 1;
  const { cursor, more } = page;
  return run.send(prepareBatch({ batch, candidates, cursor, more }), `batch:${batch}:prepare`);
}

async function knownSubjects(
  readModels: ReadModels,
  work: SignalRunWorkDocument,
  state: SignalRun,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const keyOf = (subject: string): string => detectedSubjectKey(work.workspaceId, work.source.id, subject);
  const earlier = await readModels.getMany(detectedSubjects, subjects.map(keyOf));
  return new Set(subjects.filter((subject) => state.subjects.has(subject) || earlier.has(keyOf(subject))));
}

/** Steps (b) to (e) of a prepared batch. */
async function completePrepared(host: ProcessHost, run: Run, state: SignalRun): Promise<SignalRun> {
  if (state.prepared === null) return state;
  const { batch, candidates } = state.prepared;
  const priced = state.dry ? [] : candidates.filter(needsPayment(run));
  const { paid, held, cutShort } = await holdFor(host, run, batch, priced);
  const kept = candidates.filter(
    (candidate) => !needsPayment(run)(candidate) || paid.has(chargeKey(run, candidate)),
  );
  const claims = await claimIdentities(host, run.work.workspaceId, run.context, batch, kept);
  const detections = kept.map((candidate) =>
    detectionOf(run, candidate, paid.get(chargeKey(run, candidate)) ?? null, claims),
  );
  const dropped = candidates.length - kept.length;
  const completed = await run.send(
    completeBatch({ batch, detections, dropped, dry: state.dry || cutShort }),
    `batch:${batch}:complete`,
  );
  await settleCompleted(host, run, completed);
  await releaseUnrecorded(host, run, batch, held, completed);
  return completed;
}

function detectionOf({ work, launch }: Run, candidate: Candidate, movementId: number | null, claims: Claims) {
  const { kind, id } = launch.source;
  const leadId = claims.leadOf(candidate);
  const contentId = claims.contentOf(candidate);
  return {
    detectionId: candidate.detectionId,
    signalType: candidate.signalType,
    priority: candidate.priority,
    origin: 'run' as const,
    ...(kind === 'setup' ? { setupId: id } : { agentId: id }),
    launchId: work.launchId,
    runId: work.runId,
    movementId,
    subject: candidate.subject,
    signalDate: candidate.signalDate,
    sourceUrl: candidate.sourceUrl,
    leadId,
    companyId: claims.companyOf(candidate),
    contentId,
    leadCountry: candidate.leadPlace?.country ?? null,
    leadCity: candidate.leadPlace?.city ?? null,
    author: candidate.author,
    excerpt: candidate.excerpt,
    // Other signals carry it where their shape has a place for it (OP-42).
    data:
      candidate.signalType === 'keywordDetection'
        ? { content_id: contentId, ...candidate.data }
        : candidate.data,
    details: candidate.details,
  };
}

/** Shows the run as ended only when the read models show everything that it found and what it cost. */
async function end(host: ProcessHost, run: Run, state: SignalRun): Promise<void> {
  const { work, launch } = run;
  const last = await host.commands.handle(creditAccount, String(work.workspaceId), () => [], {
    context: run.context('settled'),
    answer: () => null,
    waitForReadModels: false,
  });
  const terminal = await host.commands.handle(signalRun, run.id, () => [], {
    context: run.context('ended'),
    answer: () => null,
    waitForReadModels: false,
  });
  const position = [last.position ?? '', terminal.position ?? ''].sort().at(-1) ?? '';
  const types = [...Object.keys(signalRunEvents), ...Object.keys(creditEvents), ...identityTypes];
  await host.progress.reached({ position, types, workspaceId: work.workspaceId }, READ_MODELS_TIMEOUT_MS);
  const outcome = state.stage === 'new' || state.stage === 'running' ? 'failed' : state.stage;
  const decision = endRun({
    launchId: work.launchId,
    runId: work.runId,
    outcome,
    ...countsOf(state, run.unitPrice),
    endedAt: host.clock.now().toISOString(),
  });
  const options = { context: run.context('end'), answer: () => null };
  const source = workspaceScoped(work.workspaceId, launch.source.id);
  if (launch.source.kind === 'setup') await host.commands.handle(signalSetup, source, decision, options);
  else await host.commands.handle(agent, source, decision, options);
}
