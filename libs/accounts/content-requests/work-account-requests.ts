import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { requestsWithHolds } from '#ledger/charging/settle-charges.js';
import { concludeRequest } from '#accounts/domain/content-requests/conclude-request.js';
import { recordFailure } from '#accounts/domain/content-requests/content-request.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { workspaceState } from '#accounts/workspace-state.js';
import {
  accountRequestKey,
  accountRequests,
  type AccountRequestDocument,
} from '#projections/accounts/account-requests/account-requests.projection.js';
import { underWay, type PayFirst, type PipelinesRun } from './account-pipelines-run.js';
import { createAccountRequest } from './create-account-requests.js';
import type { Holding } from '#accounts/mappings/account-charges.js';
import { mapPeople } from '#accounts/mappings/map-account.js';
import { findMappings } from './find-mappings.js';
import { payInOrder, type UncoveredRequest } from './pay-mappings.js';
import { readAccountContent } from './read-account-content.js';
import { switchedOffAmong } from './switched-off-requests.js';
import {
  endWorked,
  recordEnded,
  REQUESTS_AT_ONCE,
  type Guarded,
  type WorkedRequest,
} from './worked-request.js';

/** The result of working on some requests. */
export type Worked = {
  /** The first request that is not covered; later ones were not started. */
  readonly waiting: UncoveredRequest | null;
  /** Requests that wait until their pipeline is switched on. */
  readonly resting: readonly number[];
  /** The error of an interrupted request; it is retried. */
  readonly broken: unknown;
  /** The workspace was blocked meanwhile. */
  readonly isStopped: boolean;
};

/** A temporarily unavailable network is waited for. */
const MOST_FAILURES = 10;

/**
 * The requests behind one that waits for credits which hold credits themselves: they were interrupted, and need nothing
 * more unless their company gained people.
 */
export async function heldRequestsBehind(
  { host, workspaceId }: PipelinesRun,
  waitingId: number,
): Promise<readonly AccountRequestDocument[]> {
  const held = await requestsWithHolds(host, workspaceId);
  const behind = held.filter((requestId) => requestId > waitingId);
  const found = await host.readModels.getMany(accountRequests, behind.map(accountRequestKey));
  return [...found.values()].sort((left, right) => left.requestId - right.requestId);
}

/**
 * Works on requests. Payments are made in the order in which the requests were planned. Requests behind one that waits
 * for credits hold nothing more (`holding`): those that lack something wait too.
 */
export async function workRequests(
  run: PipelinesRun,
  requests: readonly AccountRequestDocument[],
  { payFirst, holding }: { readonly payFirst: PayFirst; readonly holding: Holding },
  signal: AbortSignal,
): Promise<Worked> {
  const { host, workspaceId } = run;
  const stream = String(workspaceId);
  if ((await workspaceState(host.commands, workspaceId)).blocked)
    return { waiting: null, resting: [], broken: null, isStopped: true };
  const listed = new Set(
    await host.commands.load(topAccounts, stream, ({ byCompany }) =>
      requests.flatMap(({ companyId }) => (byCompany.has(companyId) ? [companyId] : [])),
    ),
  );
  const { resting, stopped } = await switchedOffAmong(
    run,
    requests.filter(({ companyId }) => listed.has(companyId)),
  );
  const active = requests.filter(({ requestId }) => !resting.has(requestId));
  let broken: unknown = null;
  const guarded = guard(run, signal, (error) => (broken ??= error));

  const items = await sideBySide(active, REQUESTS_AT_ONCE, async (request): Promise<WorkedRequest> => {
    if (!request.created) await createAccountRequest(run, request);
    return { request, underWay: await underWay(host, request) };
  });
  const isGone = ({ request: { requestId, companyId } }: WorkedRequest): boolean =>
    !listed.has(companyId) || stopped.has(requestId);
  const gone = items.filter(isGone);
  const mappings = items.filter((item) => !isGone(item) && item.request.isMapping);
  const contents = items.filter((item) => !isGone(item) && !item.request.isMapping);

  // The account was removed from the list while its requests waited, or the pipeline was switched off under way.
  await sideBySide(
    gone,
    REQUESTS_AT_ONCE,
    guarded(async (item) => endWorked(run, item, 'request_timed_out')),
  );
  const found = await findMappings(run, mappings, guarded, signal);
  const { paid, waiting, switchedOff, isBlocked } = await payInOrder(
    run,
    found,
    { guarded, payFirst, holding },
    signal,
  );
  let isStopped = isBlocked;
  const isBefore = ({ request }: WorkedRequest): boolean =>
    waiting === null || request.requestId < waiting.requestId;
  await sideBySide(
    // A request with a fixed outcome needs no credits, so it does not wait for the requests before it.
    found.filter((item) => 'outcome' in item || paid.has(item.request.requestId)),
    REQUESTS_AT_ONCE,
    guarded(async (item) => {
      const outcome =
        'outcome' in item ? item.outcome : await mapPeople(host, item.underWay, item.people, signal);
      if (outcome === null) isStopped = true;
      else await endWorked(run, item, outcome);
    }),
  );
  signal.throwIfAborted();
  await sideBySide(
    contents.filter(isBefore),
    REQUESTS_AT_ONCE,
    guarded(async (item) => {
      const { outcome, ...read } = await readAccountContent(host, item.underWay, signal);
      await item.underWay.send(concludeRequest(outcome, run.now(), read), 'conclude');
    }),
  );
  await recordEnded(run, items);
  return { waiting, resting: [...resting, ...switchedOff], broken, isStopped };
}

/**
 * Records a failed attempt with its request and continues with the others; after too many attempts the request fails.
 * An unavailable store does not count as an attempt.
 */
const guard =
  (run: PipelinesRun, signal: AbortSignal, onBroken: (error: unknown) => void): Guarded =>
  (work) =>
  async (item) => {
    try {
      await work(item);
    } catch (error) {
      if (error instanceof StoreUnavailable || signal.aborted) throw error;
      onBroken(error);
      const { failures } = await item.underWay.progress();
      if (failures + 1 >= MOST_FAILURES) await endWorked(run, item, 'internal_error');
      else await item.underWay.send(recordFailure(run.now()), `failure:${failures + 1}`);
    }
  };
