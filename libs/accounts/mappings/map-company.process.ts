import { workspaceScoped } from '#kernel/commands/decider.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { settleRequest } from '#ledger/charging/settle-charges.js';
import {
  endRequest,
  fixOutcome,
  isEnded,
  recordFailure,
} from '#accounts/domain/content-requests/content-request.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { creditEvents } from '#ledger/domain/credits.events.js';
import { completeMapping, mapping } from '#accounts/domain/mappings/mapping.js';
import { mappingEvents } from '#accounts/domain/mappings/mapping.events.js';
import { identityTypes } from '#identities/claim-identities.js';
import {
  contentRequestWork,
  type ContentRequestWorkDocument,
} from '#projections/accounts/content-request-work/content-request-work.projection.js';
import { analyseCompany } from './analyse-company.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
import {
  hasStalled,
  requestUnderWay,
  type RequestProgress,
  type UnderWay,
} from '#accounts/content-requests/request-under-way.js';
import { toDo } from '#process-engine/to-do.js';

const READ_MODELS_TIMEOUT_MS = 5_000;
/** A network that is unavailable for about a minute is waited for. */
const MOST_FAILURES = 10;

/**
 * Completes the mapping of a company that a caller requested (OP-58): finds the people who match the persona,
 * analyses them for one credit each as far as the balance allows, fixes the outcome, captures the credits, and ends.
 * After a stop at any point the work continues from the streams. Requests for one company on one day run one after
 * the other, because they share their payments.
 */
export const mapCompany: Process<ContentRequestWorkDocument> = {
  name: 'map-company',
  lane: 'lookups',
  atOnce: 4,
  toDo: toDo(contentRequestWork, {
    where: [{ type: 'account_mapping', source: 'api' }],
    oldestFirst: ['createdPosition', 'requestId'],
  }),
  key: ({ workspaceId, companyId, requestDate }) =>
    workspaceScoped(workspaceId, `${companyId}_${requestDate}`),
  waitsFor: [contentRequestWork.name],
  restsWhileBlocked: true,

  async act(host, work, signal) {
    const request = await requestUnderWay(host, work, mapCompany.name);
    let state = await request.progress();
    const now = (): string => host.clock.now().toISOString();
    if (state.outcome === null && (await hasStalled(host, request, state)))
      state = await request.send(fixOutcome('request_timed_out', now()), 'time-out');
    if (state.outcome === null) {
      const outcome = await host.step('analyse', {}, () => analyseCompany(host, request, signal));
      if (outcome === null) return;
      state = await request.send(fixOutcome(outcome, now()), 'outcome');
    }
    if (isEnded(state)) return;
    signal.throwIfAborted();
    await host.step('settle', {}, () => settle(host, request, state));
    signal.throwIfAborted();
    await request.send(endRequest(now()), 'end');
  },

  async failed(host, work, error) {
    // An unavailable event store or read store is no failed attempt: the request waits.
    if (error instanceof StoreUnavailable) return;
    const request = await requestUnderWay(host, work, mapCompany.name);
    const { failures } = await request.progress();
    const now = host.clock.now().toISOString();
    if (failures + 1 >= MOST_FAILURES) await request.send(fixOutcome('internal_error', now), 'give-up');
    else await request.send(recordFailure(now), `failure:${failures + 1}`);
  },
};

/**
 * Completes the mapping if the outcome says so, captures the credits of the recorded people and releases the rest; then
 * waits until the read models show all of it.
 */
export async function settle(host: ProcessHost, request: UnderWay, state: RequestProgress): Promise<void> {
  const { workspaceId, requestId } = request.work;
  const { mappingId } = request.created;
  if (mappingId === null) throw new Error(`request ${requestId} has no mapping`);
  const isCompleted = state.outcome === 'completed';
  const mapped = await host.commands.handle(
    mapping,
    workspaceScoped(workspaceId, mappingId),
    isCompleted ? completeMapping(requestId) : () => [],
    {
      context: request.context('complete'),
      waitForReadModels: false,
      answer: ({ profiles }) => [...profiles.values()].map(({ movementId }) => movementId),
    },
  );
  const recorded = [...mapped.answer, isCompleted ? state.movementId : null];
  await settleRequest(
    host,
    request.paid,
    requestId,
    new Set(recorded.filter((movementId) => movementId !== null)),
  );
  const settled = await host.commands.look(creditAccount, String(workspaceId), () => null);
  const position = [mapped.position ?? '', settled.position ?? ''].sort().at(-1) ?? '';
  const types = [...Object.keys(mappingEvents), ...Object.keys(creditEvents), ...identityTypes];
  await host.progress.reached({ position, types, workspaceId }, READ_MODELS_TIMEOUT_MS);
}
