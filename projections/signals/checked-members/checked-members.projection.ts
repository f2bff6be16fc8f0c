import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** When a completed run of an agent or setup last read this member of its list. */
export type CheckedMemberDocument = { readonly checkedAt: string };

export const checkedMemberKey = (workspaceId: number, sourceId: number, memberId: number): string =>
  `${workspaceId}:${sourceId}:${memberId}`;

/** Decides which members are skipped, so readers first wait until it includes the previous RunEnded. */
export const checkedMembers = projection<CheckedMemberDocument, Pick<SignalRunEvents, 'MembersChecked'>>()({
  name: 'checked-members',
  version: 1,
  critical: true,
  indexes: {},
  key: (event) =>
    event.data.memberIds.map((memberId) =>
      checkedMemberKey(workspaceIdOf(event), event.data.source.id, memberId),
    ),
  on: {
    MembersChecked: (before, { data: { checkedAt } }) =>
      before !== null && before.checkedAt > checkedAt ? before : { checkedAt },
  },
});
