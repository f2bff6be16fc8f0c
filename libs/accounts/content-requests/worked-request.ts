import { sideBySide } from '#kernel/values/side-by-side.js';
import { concludeRequest } from '#accounts/domain/content-requests/conclude-request.js';
import {
  endRequest,
  fixOutcome,
  isEnded,
  type RequestOutcome,
} from '#accounts/domain/content-requests/content-request.js';
import { recordEnds } from '#accounts/domain/top-accounts/account-requests.js';
import { holdsAnything } from '#accounts/mappings/map-account.js';
import { settle } from '#accounts/mappings/map-company.process.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import type { AccountRequestDocument } from '#projections/accounts/account-requests/account-requests.projection.js';
import type { PipelinesRun } from './account-pipelines-run.js';
import type { UnderWay } from './request-under-way.js';

/** The number of requests that are worked on side by side. */
export const REQUESTS_AT_ONCE = 20;

export type WorkedRequest = { readonly request: AccountRequestDocument; readonly underWay: UnderWay };
/** The people to analyse, once they are paid for. */
export type MappingToPay = WorkedRequest & { readonly people: readonly PersonFacts[] };

/** A mapping whose people are known, or whose outcome is fixed already. */
export type FoundMapping = MappingToPay | (WorkedRequest & { readonly outcome: RequestOutcome });

/** Runs the work of one request, and keeps its error from the work of the others. */
export type Guarded = <Done extends WorkedRequest>(
  work: (item: Done) => Promise<void>,
) => (item: Done) => Promise<void>;

/**
 * Ends a mapping: movements of recorded profiles are captured, the rest is released. If an interrupted attempt fixed the
 * outcome, that one counts: a completed mapping is settled also without holds.
 */
export async function endWorked(
  { host, now }: PipelinesRun,
  { request, underWay: work }: WorkedRequest,
  outcome: RequestOutcome,
): Promise<void> {
  const { outcome: fixed } = await work.progress();
  const isCompleted = (fixed ?? outcome) === 'completed';
  const mustSettle = request.isMapping && (isCompleted || (await holdsAnything(host, work)));
  if (!mustSettle) {
    await work.send(concludeRequest(outcome, now()), 'conclude');
    return;
  }
  const state = await work.send(fixOutcome(outcome, now()), 'outcome');
  if (isEnded(state)) return;
  await settle(host, work, state);
  await work.send(endRequest(now()), 'end');
}

/** Records on the list's stream which of these requests have ended. */
export async function recordEnded(run: PipelinesRun, items: readonly WorkedRequest[]): Promise<void> {
  const states = await sideBySide(items, REQUESTS_AT_ONCE, async ({ request, underWay: work }) => {
    const state = await work.progress();
    const { requestId, type, companyId } = request;
    return isEnded(state) && state.outcome !== null
      ? [{ requestId, type, companyId, outcome: state.outcome }]
      : [];
  });
  const ended = states.flat();
  if (ended.length === 0) return;
  await run.record(recordEnds(ended, run.now()), `end:${ended[0]?.requestId}`, { waitForReadModels: true });
}
