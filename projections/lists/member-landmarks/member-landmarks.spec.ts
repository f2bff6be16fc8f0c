import { wayUp } from '#kernel/values/landmarks.js';
import { foldAll } from '#kernel/testing/project.js';
import { memberLandmarks, memberLandmarksKey } from './member-landmarks.projection.js';

const members = (...ids: number[]) => ids.map((memberId) => ({ memberId }));
const added = (listId: number, ...ids: number[]) => ({
  type: 'MembersAdded',
  data: { listId, members: members(...ids) },
});
const removed = (listId: number, ...ids: number[]) => ({
  type: 'MembersRemoved',
  data: { listId, members: members(...ids) },
});
const hundred = (first: number): number[] => Array.from({ length: 100 }, (_, place) => first + place);

describe('the landmarks of the members of lists', () => {
  it('MEM-40 lead to the members of one list only, in the order of their ids', () => {
    const documents = foldAll(memberLandmarks, [
      added(12, ...hundred(101)),
      added(13, ...hundred(201)),
      added(12, ...hundred(301)),
      removed(12, 101, 310),
    ]);
    expect(documents.get(memberLandmarksKey(1, 12))).toEqual({
      workspaceId: 1,
      width: 64,
      last: [400],
      marks: [
        [[101], 63],
        [[165], 63],
        [[329], 64],
        [[393], 8],
      ],
    });
    expect(wayUp(documents.get(memberLandmarksKey(1, 13)) ?? null, 99)).toEqual({ bound: [265], skip: 35 });
  });

  it('are deleted with the last member', () => {
    expect(foldAll(memberLandmarks, [added(12, 31, 32), removed(12, 32, 31)]).size).toBe(0);
  });
});
