import { START, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import type { EventMark, KeptCheckpoint } from '#kernel/ports/read-store.port.js';
import { fitWith, markOf } from './fit.js';

const FILLED_FROM = ['1', '3', '5'] as const;

describe('a read model and the log that it was filled from', () => {
  const recordedAt = '2026-01-01T00:00:00.000Z';
  const eventAt = (position: Position, id = `event ${position}`): StoredEvent => ({
    id,
    type: 'Noted',
    data: {},
    metadata: { recordedAt },
    stream: 'a-1',
    revision: 0n,
    position,
  });
  /** A log with these events, and the positions that it was asked for. */
  function logOf(...events: readonly StoredEvent[]) {
    const asked: Position[] = [];
    const fits = fitWith({
      lastEvent: async (upTo = '') => {
        asked.push(upTo);
        return upTo > (events.at(-1)?.position ?? '')
          ? null
          : (events.findLast(({ position }) => position <= upTo) ?? null);
      },
    });
    return { fits, asked };
  }
  const whole = FILLED_FROM.map((position) => eventAt(position));
  const checkpoint = (position: Position, event?: EventMark): KeptCheckpoint => ({
    position,
    ...(event === undefined ? {} : { event }),
    applied: 1,
    ignored: 0,
    parked: 0,
  });
  const markAt = (position: Position): EventMark => markOf(eventAt(position));

  it('fit if the event of the checkpoint is there', async () => {
    const { fits } = logOf(...whole);
    expect(await fits(checkpoint('3', markAt('3')))).toBe(true);
    expect(markAt('3')).toEqual({ id: 'event 3', recordedAt });
  });

  it('fit before the first event, also if the log is empty', async () => {
    const { fits, asked } = logOf();
    expect([await fits(null), await fits(checkpoint(START))]).toEqual([true, true]);
    expect(asked).toEqual([]);
  });

  it('do not fit if the log ends before the checkpoint, has another event there or none', async () => {
    expect(await logOf(eventAt('1')).fits(checkpoint('3', markAt('3')))).toBe(false);
    const other = logOf(eventAt('1'), eventAt('3', 'another'), eventAt('5'));
    expect(await other.fits(checkpoint('3', markAt('3')))).toBe(false);
    const { fits } = logOf(eventAt('1', 'event 3'), eventAt('5'));
    expect(await fits(checkpoint('3', markAt('3')))).toBe(false);
  });

  it('fit by the position alone if an earlier version wrote the checkpoint', async () => {
    const { fits } = logOf(eventAt('1'), eventAt('3', 'another'));
    expect([await fits(checkpoint('3')), await fits(checkpoint('5'))]).toEqual([true, false]);
  });

  it('do not fit if a writer that ended before its checkpoint has read events that the log does not have', async () => {
    const kept = { ...checkpoint('1', markAt('1')), ahead: { position: '5', event: markAt('5') } };
    expect(await logOf(...whole).fits(kept)).toBe(true);
    expect(await logOf(eventAt('1'), eventAt('3')).fits(kept)).toBe(false);
    expect(await logOf(eventAt('1'), eventAt('5', 'another')).fits(kept)).toBe(false);
    expect(await logOf(eventAt('1', 'another'), eventAt('5')).fits(kept)).toBe(false);
  });

  it('are compared with one read per position, for any number of read models', async () => {
    const { fits, asked } = logOf(...whole);
    await Promise.all([1, 2, 3].map(() => fits(checkpoint('3', markAt('3')))));
    await fits(checkpoint('5', markAt('5')));
    expect(asked).toEqual(['3', '5']);
  });
});
