import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { pickedAccountKey, pickedAccounts } from './picked-accounts.projection.js';

const happened = (type: string, personaId: number, source: object): HappenedEvent => ({
  type,
  stream: 'monitoring-1_9',
  data: { personaId, source, wantedAt: '2026-01-05T10:00:00.000Z' },
});
const pick = { kind: 'pick', accountId: 7 };

describe('picked-accounts', () => {
  it('MON-44 shows the business units for which an account was picked', () => {
    const accounts = foldAll(pickedAccounts, [
      happened('MonitoringWanted', 4, pick),
      happened('MonitoringWanted', 5, pick),
      happened('MonitoringUnwanted', 4, pick),
      happened('MonitoringWanted', 6, { kind: 'list', listId: 12, memberId: 31 }),
    ]);
    expect([...accounts]).toEqual([
      [pickedAccountKey(1, 7), { workspaceId: 1, accountId: 7, companyId: 9, personaIds: [5] }],
    ]);
  });
});
