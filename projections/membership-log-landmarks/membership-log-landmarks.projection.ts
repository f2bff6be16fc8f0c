import type { ListEvents } from '#domain/lists/list.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { addRows, type Landmarks } from '#kernel/values/landmarks.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { membershipLogId } from '#projections/membership-logs/membership-logs.projection.js';

type LogKey = readonly [occurredAt: string, id: number];

/** Where the numbered pages of a list's membership log begin, so that a deep one does not pass over all before it. */
export type MembershipLogLandmarksDocument = Landmarks<LogKey> & { readonly workspaceId: number };

export const membershipLogLandmarksKey = workspaceScoped;

export const membershipLogLandmarks = projection<
  MembershipLogLandmarksDocument,
  Pick<ListEvents, 'MembersAdded' | 'MembersRemoved'>
>()({
  name: 'membership-log-landmarks',
  version: 1,
  indexes: {},
  key: (event) => membershipLogLandmarksKey(workspaceIdOf(event), event.data.listId),
  on: {
    MembersAdded: (known, event) => {
      const { members, addedAt } = event.data;
      const keys = members.map(({ memberId }): LogKey => [addedAt, membershipLogId(memberId, 'added')]);
      return withEntries(known, workspaceIdOf(event), keys);
    },
    MembersRemoved: (known, event) => {
      const { members, removedAt } = event.data;
      const keys = members.map(({ memberId }): LogKey => [removedAt, membershipLogId(memberId, 'removed')]);
      return withEntries(known, workspaceIdOf(event), keys);
    },
  },
});

function withEntries(
  known: MembershipLogLandmarksDocument | null,
  workspaceId: number,
  [first, ...rest]: readonly LogKey[],
): MembershipLogLandmarksDocument | null {
  return first === undefined ? known : { workspaceId, ...addRows(known, [first, ...rest]) };
}
