import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { logOf, sampleEvent } from '#event-store/testing/sample-log.js';
import { compareLogs, type LogLoss } from './compare-logs.js';

const at = (minute: number): string => `2026-01-01T00:0${minute}:00.000Z`;
const event = (stream: string, revision: number, minute?: number): StoredEvent =>
  sampleEvent(stream, revision, minute === undefined ? {} : { metadata: { recordedAt: at(minute) } });

/** What is lost, and the numbers of compared events that were reported. */
async function compared(backup: readonly StoredEvent[], present: readonly StoredEvent[]) {
  const reported: number[] = [];
  const loss: LogLoss = await compareLogs(
    logOf(...backup),
    logOf(...present),
    (stream) => stream.startsWith('credits-'),
    (done) => reported.push(done),
  );
  return { ...loss, reported };
}

const COMMON = [event('credits-1', 0, 1), event('a-1', 0, 2)];

describe('what is lost when a backup replaces a log', () => {
  it('is nothing if both have the same events', async () => {
    expect(await compared(COMMON, COMMON)).toEqual({
      common: 2,
      lostEvents: 0,
      firstLostAt: null,
      lastLostAt: null,
      shortened: [],
      gained: 0,
      reported: [1, 2],
    });
  });

  it('are the events after the end of the backup, with the times of the first and the last', async () => {
    const later = [
      event('a-1', 1),
      event('credits-1', 1, 3),
      event('credits-1', 2, 4),
      event('credits-2', 0),
    ];
    expect(await compared(COMMON, [...COMMON, ...later])).toEqual({
      common: 2,
      lostEvents: 4,
      firstLostAt: at(3),
      lastLostAt: at(4),
      shortened: [
        { stream: 'credits-1', kept: 1n, present: 3n },
        { stream: 'credits-2', kept: 0n, present: 1n },
      ],
      gained: 0,
      reported: [1, 2, 3, 4, 5, 6],
    });
  });

  it('are all events from the first that differs; the others of the backup come instead', async () => {
    const changed = { ...event('a-1', 1, 3), data: { text: 'another' } };
    const present = [...COMMON, event('a-1', 1, 3), event('credits-1', 1, 4)];
    expect(await compared([...COMMON, changed, event('b-1', 0), event('b-1', 1)], present)).toMatchObject({
      common: 2,
      lostEvents: 2,
      firstLostAt: at(3),
      lastLostAt: at(4),
      shortened: [{ stream: 'credits-1', kept: 1n, present: 2n }],
      gained: 3,
    });
  });

  it('is not affected by short-lived events of one side', async () => {
    const before = event('request-1_x', 0, 1);
    expect(await compared([before, ...COMMON], [...COMMON, event('batch-7_y', 0, 5)])).toMatchObject({
      common: 2,
      lostEvents: 0,
      gained: 0,
    });
  });
});
