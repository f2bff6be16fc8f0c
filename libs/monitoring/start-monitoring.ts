import { followList } from './follow-list.js';
import { followPicks } from './follow-picks.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { workOffMonths } from './pay-months.js';

/** A request waits for so many accounts and business units; more are worked off in the background (OP-28). */
const MOST_AT_ONCE = 1_000;
/** Months that are due are paid before those that begin; with more of them the request does not wait either. */
const most = 2 * MOST_AT_ONCE;

/** Follows a list within the request and pays the months that begin, so that the next query shows both. */
export async function startMonitoring(
  host: MonitoringHost,
  task: MonitoringTask,
  listId: number,
): Promise<void> {
  const followed = await followList(host, task, listId, MOST_AT_ONCE);
  // Where only a part is seen only a part would be paid, in another order: a worker pays it later.
  if (followed === 'shown') await workOffMonths(host, task, { most });
}

/** The same for picks of these top accounts, of which one request names no more than it waits for. */
export async function startPicked(
  host: MonitoringHost,
  task: MonitoringTask,
  accountIds: readonly number[],
): Promise<void> {
  if ((await followPicks(host, task, accountIds)) === 'shown') await workOffMonths(host, task, { most });
}
