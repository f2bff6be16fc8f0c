import { allocatedId } from '#kernel/commands/ids.js';
import { detectorFor } from '#signals/detection/detectors.js';
import { unreadRun } from '#signals/detection/unread-run.js';
import type { BatchEvents, Candidate } from '#signals/domain/runs/signal-run.events.js';
import { batchId, fixBatch, runBatch } from '#signals/domain/runs/run-batch.js';
import { prepareBatch, signalRun, type RunProgress } from '#signals/domain/runs/signal-run.js';
import type { ProcessHost } from '#process-engine/process.js';
import { BATCH_SIZE } from '#signals/detection/search-page.js';
import {
  earlierLaunches,
  earlierSubjects,
  requireEarlierLaunches,
} from '#signals/detection/earlier-launches.js';
import type { Run } from './run-under-way.js';
import { withoutDisabledCompanies } from './without-disabled-companies.js';

/**
 * Step (a) of a run: fixes the next batch with everything it needs, so that nothing is searched twice. The candidates
 * are written to the stream of the batch before the run names them, and returned, so that they are not read again.
 */
export async function prepareNext(
  host: ProcessHost,
  run: Run,
  state: RunProgress,
  signal: AbortSignal,
): Promise<RunProgress> {
  const batch = state.batches + 1;
  const id = batchId(run.work.workspaceId, run.work.runId, batch);
  const fixed = await host.commands.load(runBatch, id, ({ found }) => found);
  const found = fixed ?? (await findNext(host, run, state, signal));
  const { answer } = await host.commands.handle(runBatch, id, fixBatch(found), {
    context: run.context(`batch:${batch}:find`),
    answer: (known) => known.found ?? found,
    waitForReadModels: false,
  });
  const progress = await run.send(prepareBatch(batch, answer), `batch:${batch}:prepare`);
  const { prepared } = progress;
  if (prepared?.batch !== batch) return progress;
  return { ...progress, prepared: { ...prepared, candidates: answer.candidates } };
}

/** The findings after the batches so far. */
async function findNext(
  host: ProcessHost,
  run: Run,
  state: RunProgress,
  signal: AbortSignal,
): Promise<BatchEvents['CandidatesFound']> {
  const { work, launch } = run;
  const { launchedPosition: position, workspaceId } = work;
  await requireEarlierLaunches(host.progress, { position, workspaceId });
  const asked = unreadRun(host, {
    launch,
    direction: work.direction,
    workspaceId,
    dry: state.dry,
    known: (subjects) => knownSubjects(host, run, subjects),
    ...earlierLaunches(host, work, work.launchId),
    signal,
  });
  const detector = detectorFor(launch.detectorKind);
  const { matches: found, ...rest } = await detector.find(asked, state.resume, BATCH_SIZE);
  const matches =
    launch.trigger === 'manual' ? found : await withoutDisabledCompanies(host, workspaceId, found);
  const ids = await host.ids.nextMany('detection', matches.length);
  const candidates = matches.map((match, index): Candidate => ({
    detectionId: allocatedId(ids, index),
    ...match,
  }));
  return { candidates, ...rest };
}

/** The subjects that this run has prepared or that an earlier launch has detected. */
async function knownSubjects(
  host: ProcessHost,
  { id, work }: Run,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const [prepared, earlier] = await Promise.all([
    host.commands.load(signalRun, id, (run) => subjects.filter((subject) => run.subjects.has(subject))),
    earlierSubjects(host, work, subjects),
  ]);
  return new Set([...prepared, ...earlier]);
}
