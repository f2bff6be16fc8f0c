import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** As of when a completed run of an agent or setup last looked at this member of its list. */
export type CheckedMemberDocument = { readonly checkedAt: string };

export const checkedMemberKey = (workspaceId: number, sourceId: number, memberId: number): string =>
  `${workspaceId}:${sourceId}:${memberId}`;

/** Decides who is passed over, so it is read only where it has come past the previous RunEnded. */
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
