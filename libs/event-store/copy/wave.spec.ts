import { MAX_APPEND_BYTES, type StoredEvent } from '#kernel/ports/event-store.port.js';
import { sampleEvent as event } from '#event-store/testing/sample-log.js';
import { collectWave } from './wave.js';

const LIMITS = { appends: 3, eventsPerAppend: 2, bytes: 1 << 20 };

/** The content of each append of the wave after these events were added. */
function appendsOf(limits: typeof LIMITS, ...events: readonly StoredEvent[]): readonly unknown[] {
  const wave = collectWave(limits);
  for (const taken of events) expect(wave.take(taken)).toBe(true);
  expect(wave.events()).toBe(events.length);
  return wave
    .flush()
    .map(({ stream, expected, events: held }) => [stream, expected, held.map(({ id }) => id)]);
}

describe('a wave of appends', () => {
  it('puts consecutive events of one stream into one append, up to a number', () => {
    expect(appendsOf(LIMITS, event('a-1', 0), event('a-1', 1), event('a-1', 2), event('b-1', 7))).toEqual([
      ['a-1', 'no-stream', ['a-1@0', 'a-1@1']],
      ['a-1', 1n, ['a-1@2']],
      ['b-1', 6n, ['b-1@7']],
    ]);
  });

  it('keeps the order of events: alternating streams give alternating appends', () => {
    expect(appendsOf(LIMITS, event('a-1', 0), event('b-1', 0), event('a-1', 1))).toEqual([
      ['a-1', 'no-stream', ['a-1@0']],
      ['b-1', 'no-stream', ['b-1@0']],
      ['a-1', 0n, ['a-1@1']],
    ]);
  });

  it('starts a new append at a gap in the revisions, so that the destination detects the gap', () => {
    expect(appendsOf(LIMITS, event('a-1', 0), event('a-1', 2))).toEqual([
      ['a-1', 'no-stream', ['a-1@0']],
      ['a-1', 1n, ['a-1@2']],
    ]);
  });

  it('puts an event id at most once into an append', () => {
    const twice = { id: 'twice' };
    expect(appendsOf(LIMITS, event('a-1', 0, twice), event('a-1', 1, twice))).toEqual([
      ['a-1', 'no-stream', ['twice']],
      ['a-1', 0n, ['twice']],
    ]);
    const limits = { ...LIMITS, eventsPerAppend: 9 };
    expect(appendsOf(limits, event('a-1', 0), event('a-1', 1, twice), event('a-1', 2, twice))).toEqual([
      ['a-1', 'no-stream', ['a-1@0', 'twice']],
      ['a-1', 1n, ['twice']],
    ]);
  });

  it('limits an append to the size that a store accepts', () => {
    const heavy = { data: { text: 'ü'.repeat(MAX_APPEND_BYTES / 4 - 20) } };
    const limits = { ...LIMITS, eventsPerAppend: 9 };
    expect(appendsOf(limits, event('a-1', 0, heavy), event('a-1', 1, heavy), event('a-1', 2))).toEqual([
      ['a-1', 'no-stream', ['a-1@0', 'a-1@1', 'a-1@2']],
    ]);
    expect(
      appendsOf(
        limits,
        event('a-1', 0, heavy),
        event('a-1', 1, heavy),
        event('a-1', 2, { data: { text: 'x'.repeat(90) } }),
      ),
    ).toEqual([
      ['a-1', 'no-stream', ['a-1@0', 'a-1@1']],
      ['a-1', 1n, ['a-1@2']],
    ]);
  });

  it('is full at its limits of appends and bytes, accepts any first event, and is empty after it was taken', () => {
    const wave = collectWave({ ...LIMITS, appends: 1, bytes: 100 });
    const heavy = { data: { text: 'x'.repeat(500) } };
    expect(wave.take(event('a-1', 0, heavy))).toBe(true);
    expect(wave.take(event('a-1', 1))).toBe(false);
    expect(wave.flush()).toHaveLength(1);
    expect(wave.take(event('a-1', 1))).toBe(true);
    expect(wave.take(event('b-1', 0))).toBe(false);
    expect(wave.flush()).toHaveLength(1);
    expect(wave.flush()).toEqual([]);
  });

  it('takes as much after it was written as before', () => {
    const wave = collectWave({ ...LIMITS, bytes: 100 });
    const heavy = { data: { text: 'x'.repeat(500) } };
    // 100 bytes, with the names and the empty metadata.
    const half = { data: { text: 'x'.repeat(37) } };
    for (let revision = 0; revision < 9; revision += 3) {
      expect(wave.take(event('a-1', revision, heavy))).toBe(true);
      expect(wave.flush()).toHaveLength(1);
      expect(wave.events()).toBe(0);
      expect(wave.take(event('a-1', revision + 1, half))).toBe(true);
      expect(wave.take(event('a-1', revision + 2, half))).toBe(true);
      expect(wave.take(event('a-1', revision + 3))).toBe(false);
      expect(wave.flush()).toHaveLength(1);
    }
  });
});
