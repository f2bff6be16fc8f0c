import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { addRows, type Landmarks } from '#kernel/values/landmarks.js';
import { projection } from '#kernel/projections/projection.js';
import type { Recorded } from '#kernel/events/event.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { membershipLogId } from '#projections/lists/membership-logs/membership-logs.projection.js';

type LogKey = readonly [occurredAt: string, listRevision: number, id: number];

/** The offset index of the numbered pages of a membership log: a late page does not read all rows before it. */
export type MembershipLogLandmarksDocument = Landmarks<LogKey> & { readonly workspaceId: number };

type MembershipPayloads = Pick<ListStreamEvents, 'MembersAdded' | 'MembersRemoved'>;
type MembershipEvent = Recorded<MembershipPayloads[keyof MembershipPayloads]>;

export const membershipLogLandmarksKey = workspaceScoped;

export const membershipLogLandmarks = projection<MembershipLogLandmarksDocument, MembershipPayloads>()({
  name: 'membership-log-landmarks',
  version: 2,
  indexes: {},
  key: (event) => membershipLogLandmarksKey(workspaceIdOf(event), event.data.listId),
  on: {
    MembersAdded: (known, event) => {
      const { addedAt } = event.data;
      return withEntries(known, event, keysOf(event, 'added', addedAt));
    },
    MembersRemoved: (known, event) => {
      const { removedAt } = event.data;
      return withEntries(known, event, keysOf(event, 'removed', removedAt));
    },
  },
});

function keysOf(event: MembershipEvent, action: 'added' | 'removed', occurredAt: string): readonly LogKey[] {
  const listRevision = Number(event.revision);
  return event.data.members.map(({ memberId }) => [
    occurredAt,
    listRevision,
    membershipLogId(memberId, action),
  ]);
}

function withEntries(
  known: MembershipLogLandmarksDocument | null,
  event: MembershipEvent,
  [first, ...rest]: readonly LogKey[],
): MembershipLogLandmarksDocument | null {
  if (first === undefined) return known;
  return { workspaceId: workspaceIdOf(event), ...addRows(known, [first, ...rest]) };
}
