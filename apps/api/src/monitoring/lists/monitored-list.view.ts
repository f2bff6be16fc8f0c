import type { Immutable } from '#kernel/events/event.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Nullable, OneOf, Type, type Static } from '#kernel/values/schema.js';
import type { MonitoredBuckets } from '#lists/domain/lists/list.events.js';
import { monitoredCounts } from '#monitoring/monitored-counts.js';
import type { ListMemberDocument } from '#projections/lists/list-members/list-members.projection.js';
import type { ListDocument } from '#projections/lists/lists/lists.projection.js';
import { listView, ListView, type ListAnswer } from '../../lists/list.view.js';
import { MemberView, memberView, type MemberAnswer } from '#lists/answers/member.view.js';

/** `["essential"]` where it is monitored, null where it is not. */
const SignalBuckets = Nullable(Type.Array(OneOf('essential')));

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

/** Lists with how many of their members are monitored. */
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

/** One list with how many of its members are monitored. */
export async function monitoredListOf(
  readModels: ReadModels,
  workspaceId: number,
  list: ListDocument,
): Promise<MonitoredListAnswer> {
  const counts = await monitoredCounts(readModels, workspaceId, [list.id]);
  return monitoredListView(list, counts.get(list.id) ?? 0);
}

const buckets = { signal_buckets: SignalBuckets };

/** A member as it is answered in v3: with the bucket in which it is monitored, by itself or with its list. */
export const MonitoredMemberView = Type.Union(
  MemberView.anyOf.map((member) =>
    Type.Object({ ...member.properties, ...buckets }, { title: `Monitored${member.title}` }),
  ),
  { title: 'MonitoredMember' },
);
export type MonitoredMemberAnswer = MemberAnswer & { readonly signal_buckets: MonitoredBuckets };

type MonitoredList = Pick<ListDocument, 'signal_buckets' | 'monitoringRevision'>;

export function monitoredMemberView(list: MonitoredList, member: ListMemberDocument): MonitoredMemberAnswer {
  const { monitoring, monitoringRevision } = member;
  // What was set for a member before its list was set as a whole is gone.
  const isOwn = monitoring !== null && (monitoringRevision ?? 0) > (list.monitoringRevision ?? -1);
  const own: MonitoredBuckets = monitoring === 'essential' ? ['essential'] : null;
  return { ...memberView(member), signal_buckets: isOwn ? own : list.signal_buckets };
}
