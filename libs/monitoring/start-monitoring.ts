import { pause } from '#kernel/commands/retry.js';
import { followList } from './follow-list.js';
import { followPicks } from './follow-picks.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { workOffMonths } from './pay-months.js';

/** A request waits for this many units; more are processed in the background (OP-28). */
const MOST_AT_ONCE = 1_000;
/** Due months are paid before those that begin; if there are more of them, the request does not wait either. */
const most = 2 * MOST_AT_ONCE;

/** A beginning is completed within milliseconds, unless its process has died: then a worker completes it and pays. */
const LONGEST_WAIT_MS = 2_000;
const BETWEEN_LOOKS_MS = 5;

/** Follows a list within the request and pays the months that begin, so that the next query shows both. */
export async function startMonitoring(
  host: MonitoringHost,
  task: MonitoringTask,
  listId: number,
): Promise<void> {
  const followed = await followList(host, task, listId, MOST_AT_ONCE);
  // A partial read would pay only a part, in another order; a worker pays later.
  if (followed === 'shown') await payBegun(host, task);
}

/** The same for picks of these top accounts; one request names no more than it waits for. */
export async function startPicked(
  host: MonitoringHost,
  task: MonitoringTask,
  accountIds: readonly number[],
): Promise<void> {
  if ((await followPicks(host, task, accountIds)) === 'shown') await payBegun(host, task);
}

/**
 * Pays the months that begin. The process that follows lists and picks acts on the same change, and may have begun the
 * same requests. No month is paid until it has written all of them (OP-27). The request waits for that, so that its
 * answer has the months and their charges.
 */
async function payBegun(host: MonitoringHost, task: MonitoringTask): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  while ((await workOffMonths(host, task, { most })) === 'withheld' && performance.now() < giveUpAt)
    await pause(BETWEEN_LOOKS_MS);
}
