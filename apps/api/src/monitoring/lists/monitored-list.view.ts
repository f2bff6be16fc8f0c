import type { Immutable } from '#kernel/events/event.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Type, type Static } from '#kernel/values/schema.js';
import { SignalBuckets } from '#lists/answers/member.view.js';
import { monitoredCounts } from '#monitoring/monitored-counts.js';
import type { ListDocument } from '#projections/lists/lists/lists.projection.js';
import { listView, ListView, type ListAnswer } from '../../lists/list.view.js';

/** A list as it is answered in v3. */
export const MonitoredListView = Type.Object(
  {
    ...ListView.properties,
    signal_buckets: SignalBuckets,
    monitored_count: Type.Integer({ minimum: 0 }),
  },
  { title: 'MonitoredList' },
);
export type MonitoredListAnswer = ListAnswer & Immutable<Static<typeof MonitoredListView>>;

/** Lists with the number of their monitored members. */
export async function monitoredListViews(
  readModels: ReadModels,
  workspaceId: number,
  lists: readonly ListDocument[],
): Promise<readonly MonitoredListAnswer[]> {
  const counts = await monitoredCounts(
    readModels,
    workspaceId,
    lists.map(({ id }) => id),
  );
  return lists.map((list) => monitoredListView(list, counts.get(list.id) ?? 0));
}

const monitoredListView = (list: ListDocument, monitoredCount: number): MonitoredListAnswer => ({
  ...listView(list),
  signal_buckets: list.signal_buckets,
  monitored_count: monitoredCount,
});

/** One list with the number of its monitored members. */
export async function monitoredListOf(
  readModels: ReadModels,
  workspaceId: number,
  list: ListDocument,
): Promise<MonitoredListAnswer> {
  const counts = await monitoredCounts(readModels, workspaceId, [list.id]);
  return monitoredListView(list, counts.get(list.id) ?? 0);
}
