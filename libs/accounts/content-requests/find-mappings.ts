import { sideBySide } from '#kernel/values/side-by-side.js';
import { isBilled } from '#ledger/charging/affordable.js';
import { accountPrices, findPeople, holdsAnything, targetingsOf } from '#accounts/mappings/map-account.js';
import type { ProcessHost } from '#process-engine/process.js';
import type { PipelinesRun } from './account-pipelines-run.js';
import { hasStalled, type RequestProgress } from './request-under-way.js';
import { REQUESTS_AT_ONCE, type FoundMapping, type Guarded, type WorkedRequest } from './worked-request.js';

/**
 * Finds the people of each mapping. A mapping that has ended has its outcome instead, and one that made no progress for
 * too long is timed out.
 */
export async function findMappings(
  run: PipelinesRun,
  mappings: readonly WorkedRequest[],
  guarded: Guarded,
  signal: AbortSignal,
): Promise<readonly FoundMapping[]> {
  if (mappings.length === 0) return [];
  const { host, workspaceId } = run;
  const targetings = await targetingsOf(host, workspaceId);
  const isCharged = await areMappingsCharged(host, workspaceId);
  const foundMapping = async (item: WorkedRequest): Promise<FoundMapping> => {
    const state = await item.underWay.progress();
    if (state.outcome !== null) return { ...item, outcome: state.outcome };
    const isUnderWay = state.stage !== 'account_mapping_ready';
    const mayStall = isUnderWay && !(await isUnpaid(host, item, state, isCharged));
    if (mayStall && (await hasStalled(host, item.underWay, state)))
      return { ...item, outcome: 'request_timed_out' };
    return { ...item, ...(await findPeople(host, item.underWay, targetings, signal)) };
  };
  const found = new Map<number, FoundMapping>();
  await sideBySide(
    mappings,
    REQUESTS_AT_ONCE,
    guarded(async (item: WorkedRequest) => {
      found.set(item.request.requestId, await foundMapping(item));
    }),
  );
  return mappings.flatMap(({ request }) => found.get(request.requestId) ?? []);
}

/**
 * Whether a mapping under way needs credits again: it waits for them without time-out (OP-52). Its holds were released,
 * or it began when mappings were free, and they are not free now.
 */
const isUnpaid = async (
  host: ProcessHost,
  { underWay: work }: WorkedRequest,
  { movementId }: RequestProgress,
  isCharged: boolean,
): Promise<boolean> => (movementId !== null || isCharged) && !(await holdsAnything(host, work));

/** Whether a mapping costs credits now. */
async function areMappingsCharged(host: ProcessHost, workspaceId: number): Promise<boolean> {
  const { account, profile } = await accountPrices(host, workspaceId);
  return account.credits + profile.credits > 0n && (await isBilled(host.commands, workspaceId));
}
