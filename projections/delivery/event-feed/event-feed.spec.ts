import { foldAll } from '#kernel/testing/project.js';
import { eventFeed, type FeedEntryDocument } from './event-feed.projection.js';

const event = (type: string, data: object) => ({ type, data });
const detected = (detectionId: number, changes: object = {}) =>
  event('SignalDetected', { detectionId, setupId: 7, ...changes });
const refused = (since: string, ...companies: readonly number[]) =>
  event('MonthsRefused', {
    units: companies.map((companyId) => ({ companyId, personaId: 3, since })),
    reason: 'credits',
    triedAt: since,
  });
const folded = (events: Parameters<typeof foldAll>[1]): readonly FeedEntryDocument[] =>
  [...foldAll(eventFeed, events).values()].sort((one, other) =>
    one.position === other.position ? one.place - other.place : one.position < other.position ? -1 : 1,
  );
const SINCE = '2026-01-05T10:00:00.000Z';

describe('the feed of events', () => {
  it('DLV-01 has for an entry its id, its position and its object, and no content', () => {
    const [entry, ...others] = folded([detected(5)]);
    expect(others).toEqual([]);
    expect(entry).toEqual({
      workspaceId: 1,
      id: expect.stringMatching(/^evt_[0-9a-f]+_0$/),
      position: expect.any(String),
      place: 0,
      type: 'signal.detected',
      occurredAt: expect.any(String),
      subjectId: 5,
      personaId: null,
      since: null,
      reason: null,
      sourceId: 7,
      noticeId: null,
      listId: null,
    });
  });

  it('DLV-01 gives each entry of one event an index and an id', () => {
    const entries = folded([refused(SINCE, 11, 12)]);
    expect(entries.map(({ subjectId, place }) => [subjectId, place])).toEqual([
      [11, 0],
      [12, 1],
    ]);
    expect(new Set(entries.map(({ position }) => position)).size).toBe(1);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  });

  it('DLV-02 has one entry for an account that is not covered since a time, for any number of retries', () => {
    const entries = folded([
      refused(SINCE, 11),
      refused(SINCE, 11, 12),
      refused('2026-02-05T10:00:00.000Z', 11),
    ]);
    expect(entries.map(({ subjectId, since }) => [subjectId, since])).toEqual([
      [11, SINCE],
      [12, SINCE],
      [11, '2026-02-05T10:00:00.000Z'],
    ]);
  });

  it('DLV-02 has entries for members that the network does not have, and not for unobserved ones', () => {
    const enriched = event('MembersEnriched', {
      listId: 4,
      batch: 21,
      members: [
        { memberId: 21, profile: { firstName: 'Ana' } },
        { memberId: 22, profile: null },
        { memberId: 23, profile: null },
      ],
      unheardOf: [23],
      enrichedAt: SINCE,
    });
    expect(
      folded([enriched, enriched]).map(({ type, subjectId, listId }) => [type, subjectId, listId]),
    ).toEqual([['list.member_unresolved', 22, 4]]);
  });

  it('DLV-02 has one entry for an account that is covered again, by a paid or a free month', () => {
    const month = { kind: 'monitoring', companyId: 11, personaId: 3, month: '2026-02' };
    const entries = folded([
      event('CreditsHeld', { movementId: 1, cause: month }),
      event('CreditsHeld', { movementId: 2, cause: { ...month, notCoveredSince: SINCE } }),
      event('CreditsHeld', { movementId: 3, cause: { ...month, notCoveredSince: SINCE } }),
      { ...event('MonitoringMonthFree', { personaId: 4 }), stream: 'monitoring-1_12' },
      {
        ...event('MonitoringMonthFree', { personaId: 4, notCoveredSince: SINCE }),
        stream: 'monitoring-1_12',
      },
    ]);
    expect(
      entries.map(({ type, subjectId, personaId, since }) => [type, subjectId, personaId, since]),
    ).toEqual([
      ['account.covered_again', 11, 3, SINCE],
      ['account.covered_again', 12, 4, SINCE],
    ]);
  });

  it('has entries for low, used up and expiring credits and for a reached cap, each with its ledger entry', () => {
    const entries = folded([
      event('CreditsLow', { credits: '20', balance: '19' }),
      event('CreditsRunOut', { balance: '0' }),
      event('CreditsExpiring', { movementId: 71, credits: '5', expiresAt: SINCE }),
      event('CapReached', { capId: 81 }),
    ]);
    expect(entries.map(({ type, subjectId }) => [type, subjectId])).toEqual([
      ['credits.low', 1],
      ['credits.run_out', 1],
      ['credits.expiring', 71],
      ['cap.reached', 81],
    ]);
    for (const { id, noticeId } of entries) expect(id).toBe(`evt_${noticeId?.replaceAll('-', '')}_0`);
  });

  it('has entries for the end of a run, a mapping, a failed request and an account that was found', () => {
    const entries = folded([
      event('RunEnded', { runId: 31 }),
      event('MappingCompleted', { mappingId: 41, version: 2 }),
      event('ContentRequestFailed', { requestId: 51 }),
      event('TopAccountFound', { accountId: 61, companyId: 62, foundAt: SINCE }),
    ]);
    expect(entries.map(({ type, subjectId }) => [type, subjectId])).toEqual([
      ['run.ended', 31],
      ['mapping.completed', 41],
      ['content_request.failed', 51],
      ['top_account.resolved', 61],
    ]);
  });
});
