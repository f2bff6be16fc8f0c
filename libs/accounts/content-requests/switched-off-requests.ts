import { sideBySide } from '#kernel/values/side-by-side.js';
import { STAGES_UNDER_WAY } from '#accounts/domain/content-requests/content-request.events.js';
import { contentRequest, type ContentRequest } from '#accounts/domain/content-requests/content-request.js';
import { releaseHolds } from '#accounts/mappings/map-account.js';
import { pipelinesOn } from '#accounts/mappings/requestable-accounts.js';
import type { AccountRequestDocument } from '#projections/accounts/account-requests/account-requests.projection.js';
import { requestStream, underWay, type PipelinesRun } from './account-pipelines-run.js';
import { REQUESTS_AT_ONCE } from './worked-request.js';

type SwitchedOff = {
  /** Requests that have not begun: they hold nothing and wait until their pipeline is switched on. */
  readonly resting: ReadonlySet<number>;
  /** Requests that were under way: they end (OP-62). */
  readonly stopped: ReadonlySet<number>;
};

/**
 * Requests whose pipeline is switched off, read from the company's own stream. A late read model could show a
 * pipeline as off that was switched on since, and the request would never continue.
 */
export async function switchedOffAmong(
  { host, workspaceId }: PipelinesRun,
  requests: readonly AccountRequestDocument[],
): Promise<SwitchedOff> {
  const [resting, stopped] = [new Set<number>(), new Set<number>()];
  await sideBySide(requests, REQUESTS_AT_ONCE, async (request) => {
    const on = await pipelinesOn(host, workspaceId, request.companyId);
    if (on.includes(request.type)) return;
    const stream = requestStream(request);
    const progress = await host.commands.load(contentRequest, stream, progressOf);
    if (progress === 'begun') stopped.add(request.requestId);
    else resting.add(request.requestId);
    // An attempt may have been interrupted between its holds and the stage that records them.
    if (progress === 'ready') await releaseHolds(host, await underWay(host, request));
  });
  return { resting, stopped };
}

function progressOf({ created, stage, outcome }: ContentRequest): 'planned' | 'ready' | 'begun' {
  if (created === null) return 'planned';
  return outcome === null && stage === STAGES_UNDER_WAY[created.type][0] ? 'ready' : 'begun';
}
