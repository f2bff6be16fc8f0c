import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { monitoredMemberKey, monitoredMembers } from './monitored-members.projection.js';

const happened = (type: string, personaId: number, source: object): HappenedEvent => ({
  type,
  stream: 'monitoring-1_9',
  data: { personaId, source, wantedAt: '2026-01-05T10:00:00.000Z' },
});
const member = { kind: 'list', listId: 12, memberId: 31 };

describe('monitored-members', () => {
  it('shows the business units for which a list requests a member, and the company', () => {
    const members = foldAll(monitoredMembers, [
      happened('MonitoringWanted', 4, member),
      happened('MonitoringWanted', 5, member),
      happened('MonitoringUnwanted', 4, member),
    ]);
    expect(members.get(monitoredMemberKey(1, 12, 31))).toEqual({
      workspaceId: 1,
      listId: 12,
      memberId: 31,
      companyId: 9,
      personaIds: [5],
      isWanted: true,
    });
  });

  it('keeps the company of a member that is no longer requested', () => {
    const members = foldAll(monitoredMembers, [
      happened('MonitoringWanted', 4, member),
      happened('MonitoringUnwanted', 4, member),
    ]);
    expect([...members.values()]).toMatchObject([{ companyId: 9, personaIds: [], isWanted: false }]);
  });

  it('leaves out picked accounts', () => {
    const picked = happened('MonitoringWanted', 4, { kind: 'pick', accountId: 7 });
    expect(foldAll(monitoredMembers, [picked]).size).toBe(0);
  });
});
