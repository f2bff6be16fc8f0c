import { allocatedId } from '#kernel/commands/ids.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { detectorFor } from '#signals/detection/detectors.js';
import { personIdentityOf } from '#identities/observed-facts.js';
import { unreadRun } from '#signals/detection/unread-run.js';
import type { BatchEvents, Candidate } from '#signals/domain/runs/signal-run.events.js';
import { batchId, fixBatch, runBatch } from '#signals/domain/runs/run-batch.js';
import { prepareBatch, signalRun, type RunProgress } from '#signals/domain/runs/signal-run.js';
import {
  checkedMemberKey,
  checkedMembers,
} from '#projections/signals/checked-members/checked-members.projection.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import type { SignalRunWorkDocument } from '#projections/signals/signal-run-work/signal-run-work.projection.js';
import {
  surfacedLeadKey,
  surfacedLeads,
} from '#projections/signals/surfaced-leads/surfaced-leads.projection.js';
import { identityClaims } from '#identities/claim-identities.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import type { ProcessHost } from '#process-engine/process.js';
import type { Run } from './run-under-way.js';

const BATCH_SIZE = 50;
const READ_MODELS_TIMEOUT_MS = 5_000;

/**
 * Step (a) of a run: fixes the next batch with everything it needs, so that nothing is read twice. The candidates stand
 * on the stream of the batch before the run names them.
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
  return run.send(prepareBatch(batch, answer), `batch:${batch}:prepare`);
}

/** What the detector finds behind the batches so far. */
async function findNext(
  host: ProcessHost,
  run: Run,
  state: RunProgress,
  signal: AbortSignal,
): Promise<BatchEvents['CandidatesFound']> {
  const { work, launch } = run;
  await requireEarlierLaunches(host, work);
  const known = (subjects: readonly string[]): Promise<ReadonlySet<string>> =>
    knownSubjects(host, run, subjects);
  const asked = {
    launch,
    direction: work.direction,
    workspaceId: work.workspaceId,
    dry: state.dry,
    known,
    checkedAfter: (memberIds: readonly number[], moment: Date) =>
      checkedMembersAfter(host, work, memberIds, moment),
    surfacedBefore: (people: readonly PersonFacts[]) => surfacedBefore(host, run, people),
    signal,
  };
  const { matches, ...rest } = await detectorFor(launch.detectorKind).find(
    unreadRun(host, asked),
    state.resume,
    BATCH_SIZE,
  );
  const ids = await host.ids.nextMany('detection', matches.length);
  const candidates = matches.map((match, index): Candidate => ({
    detectionId: allocatedId(ids, index),
    ...match,
  }));
  return { candidates, ...rest };
}

/** What earlier launches detected, and whom they checked, is known only once the models have passed the end of the last one. */
async function requireEarlierLaunches(host: ProcessHost, work: SignalRunWorkDocument): Promise<void> {
  const { launchedPosition: position, workspaceId } = work;
  const models = [detections, surfacedLeads, checkedMembers];
  const types = [...new Set(models.flatMap(({ on }) => Object.keys(on)))];
  if (!(await host.progress.reached({ position, types, workspaceId }, READ_MODELS_TIMEOUT_MS)))
    throw new StoreUnavailable('the models of what was detected and checked are behind the launch');
}

/** Those of the subjects that this run has prepared or that an earlier launch has detected. */
async function knownSubjects(
  { commands, readModels }: ProcessHost,
  { id, work }: Run,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { workspaceId, source } = work;
  const [prepared, earlier] = await Promise.all([
    commands.load(signalRun, id, (run) => subjects.filter((subject) => run.subjects.has(subject))),
    // Read off the index: of what is known, nothing but the subject is needed.
    readModels.groups(
      detections,
      { where: { workspaceId, sourceId: source.id, subject: { in: subjects } } },
      { by: ['subject'] },
    ),
  ]);
  return new Set([...prepared, ...earlier.map(({ by: [subject] }) => String(subject))]);
}

/** Those of the members whom runs of the same agent or setup checked after a moment. */
async function checkedMembersAfter(
  { readModels }: ProcessHost,
  { workspaceId, source }: SignalRunWorkDocument,
  memberIds: readonly number[],
  moment: Date,
): Promise<ReadonlySet<number>> {
  const keyOf = (memberId: number): string => checkedMemberKey(workspaceId, source.id, memberId);
  const checked = await readModels.getMany(checkedMembers, memberIds.map(keyOf));
  const since = moment.toISOString();
  return new Set(memberIds.filter((memberId) => (checked.get(keyOf(memberId))?.checkedAt ?? '') > since));
}

/** Refs of those who are the lead of what this agent has found in an earlier launch (D-44). */
async function surfacedBefore(
  host: ProcessHost,
  { work, context }: Run,
  people: readonly PersonFacts[],
): Promise<ReadonlySet<string>> {
  if (work.source.kind !== 'agent') return new Set();
  const { findLead } = identityClaims(host, work.workspaceId, context);
  const leadIds = await Promise.all(people.map((person) => findLead(personIdentityOf(person))));
  const keys = leadIds.map((leadId) => leadId && surfacedLeadKey(work.workspaceId, work.source.id, leadId));
  const surfaced = await host.readModels.getMany(
    surfacedLeads,
    [...new Set(keys)].filter((key) => typeof key === 'string'),
  );
  const isSurfaced = (_: PersonFacts, index: number): boolean => {
    const first = surfaced.get(String(keys[index]));
    return first !== undefined && first.launchId !== work.launchId;
  };
  return new Set(people.filter(isSurfaced).map(({ ref }) => ref));
}
