import { followList } from './follow-list.js';
import { followPicks } from './follow-picks.js';
import type { MonitoringHost, MonitoringTask } from './monitoring-host.js';
import { workOffMonths } from './pay-months.js';

/** A request waits for this many units; more are processed in the background (OP-28). */
const MOST_AT_ONCE = 1_000;
/** Due months are paid before those that begin; if there are more of them, the request does not wait either. */
const most = 2 * MOST_AT_ONCE;

/** Follows a list within the request and pays the months that begin, so that the next query shows both. */
export async function startMonitoring(
  host: MonitoringHost,
  task: MonitoringTask,
  listId: number,
): Promise<void> {
  const followed = await followList(host, task, listId, MOST_AT_ONCE);
  // A partial read would pay only a part, in another order; a worker pays later.
  if (followed === 'shown') await workOffMonths(host, task, { most });
}

/** The same for picks of these top accounts; one request names no more than it waits for. */
export async function startPicked(
  host: MonitoringHost,
  task: MonitoringTask,
  accountIds: readonly number[],
): Promise<void> {
  if ((await followPicks(host, task, accountIds)) === 'shown') await workOffMonths(host, task, { most });
}
