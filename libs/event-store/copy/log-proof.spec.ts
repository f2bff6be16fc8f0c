import { LOG_STREAM } from '#kernel/commands/log-identity.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { sampleEvent } from '#event-store/testing/sample-log.js';
import { logProof, MOST_FAULTS, type LogFacts, type Seals } from './log-proof.js';

let written = 0;
beforeEach(() => void (written = 0));
/** The next event of a log. */
const event = (stream: string, revision: number, rest: Partial<StoredEvent> = {}): StoredEvent =>
  sampleEvent(stream, revision, { position: String((written += 1)).padStart(4, '0'), ...rest });
const identity = (logId: string, revision = 0): StoredEvent =>
  event(LOG_STREAM, revision, { type: 'LogIdentified', data: { logId } });

/** The seal of an event is the one before it and its id. */
const seals: Seals = { sealed: (before, { id }) => `${before}/${id}` };
const sealed = (revision: number, hash: string): StoredEvent =>
  event('sealed-1', revision, { metadata: { hash } });

function factsOf(...events: readonly StoredEvent[]): LogFacts {
  const proof = logProof(seals);
  for (const one of events) proof.add(one);
  return proof.facts();
}

describe('the proof of a log', () => {
  it('counts its events, and names its identity and the time of its last event', () => {
    expect(
      factsOf(
        identity('the log'),
        event('a-1', 0, { metadata: { recordedAt: '2026-01-01T00:00:00.000Z' } }),
        event('a-1', 1, { metadata: { recordedAt: '2026-01-02T00:00:00.000Z' } }),
        event('b-1', 0),
      ),
    ).toMatchObject({ events: 4, logId: 'the log', lastAt: '2026-01-02T00:00:00.000Z', faults: [] });
    expect(factsOf()).toMatchObject({ events: 0, logId: null, lastAt: null, heads: [], faults: [] });
  });

  it('finds an event that is not after the one before it', () => {
    const [first, second] = [event('a-1', 0), event('b-1', 0)];
    const same = { ...event('c-1', 0), position: first.position };
    expect(factsOf(second, first, same).faults).toEqual([
      { stream: 'a-1', revision: '0', what: `is at ${first.position}, not after ${second.position}` },
      { stream: 'c-1', revision: '0', what: `is at ${first.position}, not after ${first.position}` },
    ]);
  });

  it('finds a missing, a repeated and a first revision that is not 0', () => {
    const faults = factsOf(event('a-1', 0), event('a-1', 2), event('a-1', 2), event('b-1', 1)).faults;
    expect(faults).toEqual([
      { stream: 'a-1', revision: '2', what: 'revision 1 before it is missing' },
      { stream: 'a-1', revision: '2', what: 'revision 3 before it is missing' },
      { stream: 'b-1', revision: '1', what: 'revision 0 before it is missing' },
    ]);
  });

  it('finds a second identity and keeps the first', () => {
    expect(factsOf(event('a-1', 0), identity('first'), identity('second', 1))).toMatchObject({
      logId: 'first',
      faults: [{ stream: LOG_STREAM, revision: '1', what: 'a second identity' }],
    });
  });

  it('finds an event that was changed inside a chain, and names the end of each chain', () => {
    const chain = [sealed(0, '/sealed-1@0'), sealed(1, '/sealed-1@0/sealed-1@1')];
    expect(factsOf(...chain, event('a-1', 0))).toMatchObject({
      heads: [{ stream: 'sealed-1', revision: '1', hash: '/sealed-1@0/sealed-1@1' }],
      faults: [],
    });
    const what = 'its hash does not match the entry before it';
    const first = sealed(0, '/sealed-1@0');
    const changed = { ...sealed(1, '/sealed-1@0/sealed-1@1'), id: 'another' };
    const third = sealed(2, '/sealed-1@0/sealed-1@1/sealed-1@2');
    expect(factsOf(first, changed, third).faults).toEqual([{ stream: 'sealed-1', revision: '1', what }]);
    expect(factsOf(event('sealed-1', 0)).faults).toEqual([{ stream: 'sealed-1', revision: '0', what }]);
  });

  it('does not count short-lived events, which may be missing', () => {
    const lasting = [event('a-1', 0), event('a-1', 1)];
    expect(factsOf(event('request-1_x', 7), ...lasting)).toEqual(factsOf(...lasting));
  });

  it('tells two logs apart by content and order, and not by positions', () => {
    const [one, other] = [event('a-1', 0), event('b-1', 0)];
    const { sha256 } = factsOf(one, other);
    expect(factsOf({ ...one, position: '0007' }, { ...other, position: '0008' }).sha256).toBe(sha256);
    expect(factsOf(other, one).sha256).not.toBe(sha256);
    expect(factsOf(one, { ...other, data: { text: 'changed' } }).sha256).not.toBe(sha256);
    expect(factsOf(one).sha256).not.toBe(sha256);
  });

  it('names the first hundred faults', () => {
    const faults = factsOf(...Array.from({ length: 120 }, (_, index) => event(`a-${index}`, 1))).faults;
    expect(faults).toHaveLength(MOST_FAULTS);
    expect(faults.at(-1)).toMatchObject({ stream: 'a-99' });
  });
});
