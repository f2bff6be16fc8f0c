import { toStored } from '#kernel/values/credits.js';
import { isJsonObject, type JsonObject } from '#kernel/values/json.js';
import { claimIdentities, type Claims } from './claim-candidates.js';
import type { Candidate } from '#signals/domain/runs/signal-run.events.js';
import { namedSource } from '#signals/domain/launches/launches.js';
import { batchId, runBatch } from '#signals/domain/runs/run-batch.js';
import { storedShortcuts } from '#signals/domain/runs/shortcut-facts.js';
import type { Shortage } from '#ledger/domain/hold-credits.js';
import {
  completeBatch,
  type BatchResult,
  type PreparedBatch,
  type RunProgress,
} from '#signals/domain/runs/signal-run.js';
import type { ProcessHost } from '#process-engine/process.js';
import { chargeKey, chargesMade, holdFor, needsPayment, releaseUnrecorded } from './run-charges.js';
import type { Run } from './run-under-way.js';

/**
 * The candidates of a prepared batch; null if they were removed from the log. They exist at least as long as a run may
 * be interrupted.
 */
export async function candidatesOf(
  host: ProcessHost,
  { work }: Run,
  { batch, candidates }: PreparedBatch,
): Promise<readonly Candidate[] | null> {
  if (candidates !== null) return candidates;
  const id = batchId(work.workspaceId, work.runId, batch);
  return host.commands.load(runBatch, id, ({ found }) => found?.candidates ?? null);
}

/** Steps (b) to (d) of a prepared batch: hold, claim, record. */
export async function completePrepared(
  host: ProcessHost,
  run: Run,
  state: RunProgress,
  { batch }: PreparedBatch,
  candidates: readonly Candidate[],
): Promise<RunProgress> {
  const isPaidFor = needsPayment(run);
  const priced = candidates.filter(isPaidFor);
  const { paid, held, shortage } = await holdFor(host, run, batch, priced, state.dry);
  const movementOf = (candidate: Candidate): number | null =>
    isPaidFor(candidate) ? (paid.get(chargeKey(run, candidate)) ?? null) : null;
  // In an unbilled workspace a candidate is paid for without a movement.
  const kept = candidates.filter((candidate) => !isPaidFor(candidate) || paid.has(chargeKey(run, candidate)));
  const claims = await claimIdentities(host, run.work.workspaceId, run.context, batch, kept);
  const detections = kept.map((candidate) => detectionOf(run, candidate, movementOf(candidate), claims));
  const dropped = candidates.length - kept.length;
  const movementIds = new Set(detections.flatMap(({ movementId }) => movementId ?? []));
  const charges = await chargesMade(host, run, kept, movementIds);
  const completed = await run.send(
    completeBatch({
      batch,
      detections,
      dropped,
      dry: state.dry || shortage !== null,
      ...dryBy(state.dryBy ?? shortage),
      ...(charges !== undefined && { charges }),
    }),
    `batch:${batch}:complete`,
  );
  await releaseUnrecorded(host, run, batch, held, completed);
  return completed;
}

/** The reason in the batch why a run is dry; the balance is not named. */
const dryBy = (shortage: Shortage | null): Pick<BatchResult, 'dryBy'> =>
  shortage === null || shortage === 'credits' ? {} : { dryBy: shortage };

function detectionOf(
  { work, launch, shownAs, unitPrice }: Run,
  candidate: Candidate,
  movementId: number | null,
  claims: Claims,
) {
  const captured = candidate.contents.find(({ facts }) => facts !== null);
  const data = withContentIds(candidate, claims);
  return {
    detectionId: candidate.detectionId,
    signalType: candidate.signalType,
    priority: candidate.priority,
    origin: 'run' as const,
    ...namedSource(launch.source),
    launchId: work.launchId,
    runId: shownAs,
    movementId,
    ...(movementId !== null && { credits: toStored(unitPrice) }),
    subject: candidate.subject,
    signalDate: candidate.signalDate,
    leadId: claims.leadOf(candidate),
    companyId: claims.companyOf(candidate),
    contentId: captured === undefined ? null : claims.contentOf(captured.ref),
    leadCountry: candidate.leadPlace?.country ?? null,
    leadCity: candidate.leadPlace?.city ?? null,
    data,
    ...storedShortcuts({ ...candidate, data }, candidate),
    ...(candidate.provenance !== undefined && { provenance: candidate.provenance }),
  };
}

/** The payload with the ids of its contents' records, if its form has members for them (OP-42). */
function withContentIds({ data, contents }: Candidate, { contentOf }: Claims): JsonObject {
  return contents.reduce<JsonObject>((shown, { ref, idIn }) => {
    if (idIn === null) return shown;
    const content_id = contentOf(ref);
    if (idIn === 'data') return { ...shown, content_id };
    const part = shown[idIn];
    return isJsonObject(part) ? { ...shown, [idIn]: { ...part, content_id } } : shown;
  }, data);
}
