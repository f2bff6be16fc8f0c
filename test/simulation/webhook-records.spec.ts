import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  attemptOf,
  deliveryRecords,
  FIRST_STATE,
  rowKey,
  type DeliveryRow,
} from '#delivery/webhooks/delivery-records.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';

const NOW_MS = Date.parse('2026-06-01T12:00:00.000Z');
/** More than are read at a time. */
const MANY = 1_001;

describe('the records of webhook deliveries', () => {
  let folder: string;
  let store: ReadStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deliveries-'));
    store = await openSqliteReadStore({ path: join(folder, 'views.db') });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const sent = {
    outcome: 'rejected',
    statusCode: 500,
    durationMs: 1,
    answer: null,
    retryAfterMs: 0,
  } as const;
  /** A delivery with an attempt at each of these times, whose event occurred at the first. */
  function rowOf(eventId: string, attemptsMs: readonly number[], nextAttemptMs: number | null): DeliveryRow {
    return {
      eventId,
      type: 'signal.detected',
      occurredAt: new Date(attemptsMs[0] ?? NOW_MS).toISOString(),
      position: eventId,
      place: 0,
      previousId: null,
      status: nextAttemptMs === null ? 'failed' : 'retrying',
      attempts: attemptsMs.map((atMs) => attemptOf(sent, atMs, false)),
      nextAttemptMs,
    };
  }
  const put = (endpointId: number, row: DeliveryRow): Promise<void> =>
    deliveryRecords(store).putRow(rowKey(endpointId, { id: row.eventId, occurredAt: row.occurredAt }), row);
  const eventsOf = async (endpointId: number): Promise<readonly string[]> =>
    (await deliveryRecords(store).rows(endpointId, MANY + 1)).map(({ row }) => row.eventId);

  it('DLV-05 are removed 30 days after the last attempt, and never while a retry is due', async () => {
    const before = NOW_MS - 30 * DAY_MS;
    await put(1, rowOf('kept to the millisecond', [before - DAY_MS, before], null));
    await put(1, rowOf('old', [before - 2 * DAY_MS, before - 1], null));
    await put(1, rowOf('tried again', [before - 3 * DAY_MS, NOW_MS], null));
    await put(2, rowOf('due', [before - DAY_MS], before));
    await deliveryRecords(store).sweep(NOW_MS);
    expect(await eventsOf(1)).toEqual(['kept to the millisecond', 'tried again']);
    expect(await eventsOf(2)).toEqual(['due']);
  });

  it('are all removed, also behind many that stay', async () => {
    const old = NOW_MS - 40 * DAY_MS;
    for (let number = 0; number < MANY; number += 1)
      await put(1, rowOf(`e${number}`, [old - number, ...(number < MANY - 1 ? [NOW_MS] : [])], null));
    await deliveryRecords(store).sweep(NOW_MS);
    expect(await eventsOf(1)).toHaveLength(MANY - 1);
    expect(await eventsOf(1)).not.toContain(`e${MANY - 1}`);
  });

  it('are removed with their endpoint, and those of another endpoint stay', async () => {
    const records = deliveryRecords(store);
    for (let number = 0; number < MANY; number += 1)
      await put(1, rowOf(`e${number}`, [NOW_MS - number], null));
    await put(12, rowOf('of another', [NOW_MS], null));
    for (const endpointId of [1, 12]) await records.putState(endpointId, FIRST_STATE);
    await records.forget(1);
    expect([await eventsOf(1), await records.state(1)]).toEqual([[], null]);
    expect([await eventsOf(12), await records.state(12)]).toEqual([['of another'], FIRST_STATE]);
  });

  it('DLV-06 are listed with the newest event first', async () => {
    for (const [eventId, daysAgo] of [
      ['middle', 2],
      ['oldest', 3],
      ['newest', 1],
    ] as const)
      await put(1, rowOf(eventId, [NOW_MS - daysAgo * DAY_MS], null));
    expect(await eventsOf(1)).toEqual(['newest', 'middle', 'oldest']);
  });
});
