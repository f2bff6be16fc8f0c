import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { monitoringWork, type MonitoringWorkDocument } from './monitoring-work.projection.js';

const happened = (type: string, data: object): HappenedEvent => ({ type, data });
const monitored = happened('ListMonitoringSet', { listId: 12, buckets: ['essential'] });
const followed = (upTo: number) => happened('MonitoringFollowed', { upTo });
const refused = happened('MonthsRefused', { units: [], reason: 'credits', triedAt: '' });
const retry = (retryAt: string | null, wakes = 0) => happened('MonthsRetrySet', { retryAt, wakes });
const granted = happened('CreditsGranted', { movementId: 1, credits: '5000000', reason: '' });
const adjusted = (credits: string) => happened('CreditsAdjusted', { movementId: 2, credits, reason: '' });

const HOUR = '2026-01-05T11:00:00.000Z';
/** When the events of the spec are recorded. */
const NOW = '2026-01-05T10:00:00.000Z';

function workAfter(...events: HappenedEvent[]): MonitoringWorkDocument {
  const [work] = foldAll(monitoringWork, events).values();
  if (work === undefined) throw new Error('there is no work');
  return work;
}

describe('monitoring-work', () => {
  it('has no document for a workspace without monitoring', () => {
    const events = [
      happened('ListChanged', { listId: 12, changes: {} }),
      granted,
      happened('PersonaCreated', {}),
    ];
    expect(foldAll(monitoringWork, events).size).toBe(0);
  });

  it('MON-21 follows a list on which monitoring was set, for any change in it', () => {
    expect(workAfter(monitored)).toMatchObject({ isChanged: true, changed: [{ listId: 12, at: 1 }] });
    for (const type of [
      'ListChanged',
      'ListArchived',
      'ListUnarchived',
      'ListDeleted',
      'ListRestored',
      'MembersAdded',
      'MembersRemoved',
      'MemberTrackingSet',
      'MemberMonitoringSet',
    ]) {
      const again = workAfter(monitored, followed(1), happened(type, { listId: 12 }));
      expect([type, again.changed]).toEqual([type, [{ listId: 12, at: 2 }]]);
    }
    expect(workAfter(monitored, followed(1), happened('MembersAdded', { listId: 13 })).isChanged).toBe(false);
  });

  it('OP-26 keeps what changed after the last change that was followed: lists, picks and business units', () => {
    const other = happened('ListMonitoringSet', { listId: 13, buckets: ['essential'] });
    const picked = happened('TopAccountMonitoringPicked', { accountId: 7 });
    const changes = [monitored, other, picked, happened('PersonaCreated', {})];
    expect(workAfter(...changes)).toMatchObject({
      changed: [
        { listId: 12, at: 1 },
        { listId: 13, at: 2 },
      ],
      picksChanged: 3,
      personasChanged: 4,
    });
    expect(workAfter(...changes, followed(1))).toMatchObject({
      changed: [{ listId: 13, at: 2 }],
      picksChanged: 3,
      personasChanged: 4,
    });
    expect(workAfter(...changes, followed(2))).toMatchObject({
      changed: [],
      picksChanged: 3,
      isChanged: true,
    });
    expect(workAfter(...changes, followed(3))).toMatchObject({
      picksChanged: null,
      personasChanged: 4,
      isChanged: true,
    });
    expect(workAfter(...changes, followed(4))).toMatchObject({
      listIds: [12, 13],
      changed: [],
      personasChanged: null,
      isChanged: false,
    });
    const again = workAfter(...changes, monitored, followed(4));
    expect(again).toMatchObject({ listIds: [12, 13], changed: [{ listId: 12, at: 5 }], isChanged: true });
    expect(workAfter(monitored, monitored).changed).toEqual([{ listId: 12, at: 2 }]);
  });

  it('OP-26 follows every list when the business units change', () => {
    for (const type of ['PersonaCreated', 'PersonaArchived', 'PersonaUnarchived']) {
      const work = workAfter(monitored, followed(1), happened(type, {}));
      expect([type, work.isChanged, work.personasChanged]).toEqual([type, true, 2]);
    }
  });

  it('MON-44 OP-26 follows picks, and changes of picked accounts', () => {
    const picked = happened('TopAccountMonitoringPicked', { accountId: 7 });
    expect(workAfter(picked)).toMatchObject({ isChanged: true, picksChanged: 1, listIds: [] });
    expect(workAfter(picked, followed(1)).isChanged).toBe(false);
    const wanted = happened('MonitoringWanted', { source: { kind: 'pick', accountId: 7 } });
    for (const event of [happened('TopAccountRemoved', { accountId: 7 }), wanted]) {
      expect(workAfter(picked, followed(1), event).picksChanged).toBe(2);
    }
    expect(foldAll(monitoringWork, [happened('TopAccountRemoved', { accountId: 7 })]).size).toBe(0);
  });

  it('is due once more for its own writes, and for changes while it followed', () => {
    const wanted = happened('MonitoringWanted', { source: { kind: 'list', listId: 12, memberId: 31 } });
    expect(workAfter(monitored, wanted, followed(1))).toMatchObject({
      isChanged: true,
      changed: [{ listId: 12, at: 2 }],
    });
    expect(workAfter(monitored, wanted, followed(2)).isChanged).toBe(false);
  });

  it('MON-54 is due every hour, and when credits are granted', () => {
    const waiting = [monitored, refused, retry(HOUR)];
    expect(workAfter(...waiting)).toMatchObject({ retryAt: HOUR, retryDueAt: HOUR });
    const priced = happened('MonthsRetryAsked', { because: 'price', askedAt: NOW });
    for (const reason of [granted, adjusted('1'), priced, happened('WorkspaceUnblocked', {})]) {
      expect(workAfter(...waiting, reason)).toMatchObject({ retryAt: HOUR, retryDueAt: NOW, wakes: 1 });
    }
    expect(workAfter(...waiting, adjusted('-1')).retryDueAt).toBe(HOUR);
    expect(workAfter(...waiting, granted, retry(HOUR, 1)).retryDueAt).toBe(HOUR);
    expect(workAfter(...waiting, granted, retry(null, 1)).retryDueAt).toBeNull();
  });

  it('OP-27 does not miss credits that are granted during a retry', () => {
    expect(workAfter(monitored, refused, retry(HOUR), granted, retry(null, 0)).retryDueAt).toBe(NOW);
  });

  it('OP-27 does not miss credits granted between the first refusal of the ledger and its record', () => {
    const set = (retryAt: string | null, reasons: number) =>
      happened('MonthsRetrySet', { retryAt, wakes: 0, reasons });
    expect(workAfter(monitored, granted, refused, set(HOUR, 0)).retryDueAt).toBe(NOW);
    expect(workAfter(monitored, granted, refused, set(HOUR, 1)).retryDueAt).toBe(HOUR);
    const unblocked = happened('WorkspaceUnblocked', {});
    const rests = (reasons: number) =>
      happened('MonthsRefused', { units: [], reason: 'blocked', triedAt: '', reasons });
    expect(workAfter(monitored, unblocked, rests(0)).retryDueAt).toBe(NOW);
    expect(workAfter(monitored, unblocked, rests(1)).retryDueAt).toBeNull();
    // Units that wait do not remove a retry that is due for others.
    expect(workAfter(monitored, refused, granted, rests(1)).retryDueAt).toBe(NOW);
    // A missed reason makes a later retry due at once, and delays none that is due.
    const missedAfter = (retryAt: string) =>
      workAfter(monitored, unblocked, refused, set(retryAt, 1), rests(0)).retryDueAt;
    expect(missedAfter(HOUR)).toBe(NOW);
    expect(missedAfter('2026-01-05T09:00:00.000Z')).toBe('2026-01-05T09:00:00.000Z');
  });

  it('is not due when credits are granted if everything was always covered', () => {
    expect(workAfter(monitored, granted).retryDueAt).toBeNull();
    expect(workAfter(monitored, granted, refused, refused)).toMatchObject({
      refusals: 2,
      reasons: 1,
      wakes: 0,
    });
  });
});
