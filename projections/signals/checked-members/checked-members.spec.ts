import { foldAll } from '#kernel/testing/project.js';
import { checkedMemberKey, checkedMembers } from './checked-members.projection.js';

const checked = (id: number, checkedAt: string, ...memberIds: readonly number[]) => ({
  type: 'MembersChecked',
  data: { source: { kind: 'agent', id }, launchId: 1, runId: 1, checkedAt, memberIds },
});
const [EARLIER, LATER] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];

describe('the members that runs have checked', () => {
  it('D-52 have a document for each agent, with the moment of the latest check', () => {
    const documents = foldAll(checkedMembers, [
      checked(7, EARLIER, 31, 32),
      checked(7, LATER, 31),
      checked(8, EARLIER, 31),
    ]);
    expect([...documents].sort()).toEqual([
      [checkedMemberKey(1, 7, 31), { checkedAt: LATER }],
      [checkedMemberKey(1, 7, 32), { checkedAt: EARLIER }],
      [checkedMemberKey(1, 8, 31), { checkedAt: EARLIER }],
    ]);
  });

  it('keep the later of two checks, in any order of the events', () => {
    const documents = foldAll(checkedMembers, [checked(7, LATER, 31), checked(7, EARLIER, 31)]);
    expect([...documents.values()]).toEqual([{ checkedAt: LATER }]);
  });

  it('are critical, so that a parked workspace stops its work', () => {
    expect(checkedMembers.critical).toBe(true);
  });
});
