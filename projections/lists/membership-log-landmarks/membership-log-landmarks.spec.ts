import { wayDown } from '#kernel/values/landmarks.js';
import { foldAll } from '#kernel/testing/project.js';
import { membershipLogLandmarks, membershipLogLandmarksKey } from './membership-log-landmarks.projection.js';

const at = (minute: number): string => `2026-01-05T10:${String(minute).padStart(2, '0')}:00.000Z`;
const members = (count: number) => Array.from({ length: count }, (_, place) => ({ memberId: 31 + place }));

describe('the landmarks of the membership logs', () => {
  it('MEM-66 lead to each addition and each removal, newest first', () => {
    const documents = foldAll(membershipLogLandmarks, [
      { type: 'MembersAdded', data: { listId: 12, members: members(70), addedAt: at(0) } },
      { type: 'MembersRemoved', data: { listId: 12, members: members(2), removedAt: at(1) } },
      { type: 'MembersAdded', data: { listId: 13, members: members(1), addedAt: at(2) } },
    ]);
    const log = documents.get(membershipLogLandmarksKey(1, 12)) ?? null;
    expect(log).toEqual({
      workspaceId: 1,
      width: 64,
      last: [at(1), 1, 65],
      marks: [
        [[at(0), 0, 62], 64],
        [[at(0), 0, 190], 8],
      ],
    });
    expect(wayDown(log, 7)).toEqual({ bound: null, skip: 7 });
    expect(wayDown(log, 8)).toEqual({ bound: [at(0), 0, 190], skip: 0 });
    expect(wayDown(log, 72)).toBeNull();
    expect(documents.size).toBe(2);
  });
});
