import { inPieces } from '#kernel/values/pieces.js';
import { streamName } from '#kernel/commands/decider.js';
import { pauseRequests, restRequests } from '#accounts/domain/top-accounts/account-requests.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import {
  accountPipelines,
  accountPipelinesKey,
  type AccountPipelinesDocument,
} from '#projections/accounts/account-pipelines/account-pipelines.projection.js';
import {
  accountRequests,
  type AccountRequestDocument,
} from '#projections/accounts/account-requests/account-requests.projection.js';
import { companies } from '#projections/identities/companies/companies.projection.js';
import {
  pipelinesRun,
  type PayFirst,
  type PipelinesRun,
} from '#accounts/content-requests/account-pipelines-run.js';
import { createAccountRequests } from '#accounts/content-requests/create-account-requests.js';
import { planAccountRequests } from '#accounts/content-requests/plan-account-requests.js';
import type { Process } from '#process-engine/process.js';
import { timedToDo } from '#process-engine/to-do.js';
import { heldRequestsBehind, workRequests } from '#accounts/content-requests/work-account-requests.js';

/** The maximum number of requests worked on at a time. */
const PAGE = 40;

/**
 * Completes the pipelines of found accounts (OP-52): plans the missing requests of an account, creates them, and works
 * on them in the order of their ids. If the balance does not cover a request, it and the later ones wait for an hour or
 * for a grant, except later ones that are paid. After a stop at any point the work continues from the streams.
 */
export const topAccountMapping = (payFirst: PayFirst): Process<AccountPipelinesDocument> => ({
  name: 'map-top-accounts',
  lane: 'pipelines',
  atOnce: 3,
  toDo: timedToDo(accountPipelines, { dueAt: 'dueAt', thenBy: 'workspaceId' }),
  key: ({ workspaceId }) => accountPipelinesKey(workspaceId),
  causeStream: ({ workspaceId }) => streamName(topAccounts, String(workspaceId)),
  waitsFor: [accountPipelines.name, accountRequests.name, companies.name],
  restsWhileBlocked: true,

  async act(host, pipelines, signal) {
    const run = pipelinesRun(host, pipelines.workspaceId);
    const { lookAfter, paused } = pipelines;
    if (lookAfter !== null)
      await host.step('plan requests', {}, () => planAccountRequests(run, lookAfter, signal));
    await host.step('create requests', {}, () => createAccountRequests(run, signal));
    // During its pause a workspace without credits only creates planned requests.
    if (paused === null || isOver(pipelines, host.clock.now())) await workOff(run, payFirst, signal);
  },
});

/** Whether the pause is over. */
function isOver({ paused, dueAt, uncreated, lookAfter }: AccountPipelinesDocument, now: Date): boolean {
  if (paused === null) return true;
  const isOnlyTheTry = uncreated === 0 && lookAfter === null;
  return isOnlyTheTry && dueAt !== null && Date.parse(dueAt) <= now.getTime();
}

async function workOff(run: PipelinesRun, payFirst: PayFirst, signal: AbortSignal): Promise<void> {
  const { host, workspaceId } = run;
  // Read first: a grant or a switch that comes later ends the pause that this run may record.
  const wakes = await wakesSeen(run);
  const resting = new Set<number>();
  let broken: unknown = null;
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const page: readonly AccountRequestDocument[] = await host.readModels.find(accountRequests, {
      where: { workspaceId },
      sort: [['requestId', 'asc']],
      after: [after],
      limit: PAGE,
    });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.requestId;
    const worked = await host.step('work requests off', { 'signal_ledger.items': page.length }, () =>
      workRequests(run, page, { payFirst, holding: 'any' }, signal),
    );
    for (const requestId of worked.resting) resting.add(requestId);
    broken ??= worked.broken;
    if (worked.waiting !== null) {
      const { requestId } = worked.waiting;
      // A paid request does not wait behind it: it would time out, although it lacks nothing (OP-52).
      for (const paid of inPieces(await heldRequestsBehind(run, requestId), PAGE))
        await workRequests(run, paid, { payFirst, holding: 'nothing more' }, signal);
      await run.record(pauseRequests(worked.waiting, wakes, run.now()), `pause:${requestId}`, {
        waitForReadModels: true,
      });
      return;
    }
    if (worked.isStopped) return;
  }
  if (broken !== null) throw broken;
  if (resting.size > 0)
    await run.record(restRequests(resting, wakes, run.now()), 'rest', { waitForReadModels: true });
}

async function wakesSeen({ host, workspaceId }: PipelinesRun): Promise<number> {
  const key = accountPipelinesKey(workspaceId);
  const known = await host.readModels.get(accountPipelines, key);
  return known?.wakes ?? 0;
}
