import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { addRows, removeRows, type Landmarks } from '#kernel/values/landmarks.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

type MemberKey = readonly [memberId: number];

/** The offset index of the numbered pages of a list's members: a late page does not read all rows before it. */
export type MemberLandmarksDocument = Landmarks<MemberKey> & { readonly workspaceId: number };

export const memberLandmarksKey = workspaceScoped;

export const memberLandmarks = projection<
  MemberLandmarksDocument,
  Pick<ListStreamEvents, 'MembersAdded' | 'MembersRemoved'>
>()({
  name: 'member-landmarks',
  version: 1,
  indexes: {},
  key: (event) => memberLandmarksKey(workspaceIdOf(event), event.data.listId),
  on: {
    MembersAdded: (known, event) => {
      const [first, ...rest] = event.data.members.map(keyOf);
      if (first === undefined) return known;
      return { workspaceId: workspaceIdOf(event), ...addRows(known, [first, ...rest]) };
    },
    MembersRemoved: (known, event) => {
      const left = known && removeRows(known, event.data.members.map(keyOf));
      return left && { workspaceId: workspaceIdOf(event), ...left };
    },
  },
});

const keyOf = ({ memberId }: { readonly memberId: number }): MemberKey => [memberId];
