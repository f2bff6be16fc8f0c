import { foldAll } from '#kernel/testing/project.js';
import { sampleAddition, sampleMember } from '#projections/testing/sample-events.js';
import { missedLookUps } from './missed-look-ups.projection.js';

const added = (kind: 'company' | 'profile') =>
  sampleAddition(kind, 14, [sampleMember(31), sampleMember(32), sampleMember(33)]);
const profile = {
  firstName: 'Ana',
  lastName: null,
  avatarUrl: null,
  position: null,
  headline: null,
  currentCompany: null,
};
const enriched = (found: readonly number[], missing: readonly number[], unheardOf: readonly number[]) => ({
  type: 'MembersEnriched',
  data: {
    listId: 14,
    batch: 31,
    members: [...found, ...missing, ...unheardOf].map((memberId) => ({
      memberId,
      profile: found.includes(memberId) ? profile : null,
    })),
    ...(unheardOf.length === 0 ? {} : { unheardOf }),
    enrichedAt: '2026-01-05T10:00:01.000Z',
  },
});
const missedAfter = (...events: Parameters<typeof foldAll>[1]) =>
  [...foldAll(missedLookUps, events).values()].map(({ memberId, missed, unheardOf }) => ({
    memberId,
    missed,
    unheardOf,
  }));

describe('the people without a profile', () => {
  it('are the people not found by a look-up, with the reason, and not those whose first look-up is pending', () => {
    const [first] = foldAll(missedLookUps, [added('profile')]).values();
    expect(first).toEqual({
      workspaceId: 1,
      listId: 14,
      batch: 31,
      memberId: 31,
      handle: 'm31',
      missed: false,
      unheardOf: false,
    });
    expect(missedAfter(added('profile'), enriched([31], [32], [33]))).toEqual([
      { memberId: 32, missed: true, unheardOf: false },
      { memberId: 33, missed: true, unheardOf: true },
    ]);
  });

  it('exclude people who are found later or leave the list', () => {
    const past = [added('profile'), enriched([31], [32], [33])];
    expect(missedAfter(...past, enriched([32], [], []))).toMatchObject([{ memberId: 33 }]);
    const gone = {
      type: 'MembersRemoved',
      data: {
        listId: 14,
        kind: 'profile',
        source: 'api',
        members: [sampleMember(33)],
        removedAt: '2026-01-06',
      },
    };
    expect(missedAfter(...past, gone)).toMatchObject([{ memberId: 32 }]);
    // the network now reports that the person does not exist
    expect(missedAfter(...past, enriched([], [33], []))).toMatchObject([
      { memberId: 32 },
      { memberId: 33, unheardOf: false },
    ]);
  });

  it('exclude companies', () => {
    expect(missedAfter(added('company'))).toEqual([]);
  });
});
