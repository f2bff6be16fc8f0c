import { AppendTooLarge, MAX_APPEND_BYTES, WrongExpectedRevision } from '#kernel/ports/event-store.port.js';
import { eventsOf, everythingAfter, idsOf, newEvent, newEvents } from '#test/support/event-stores.js';
import type { Scene } from '../event-store.contract.js';

export function appendingCases({ store, stream, type }: Scene): void {
  const idsIn = async (name: string): Promise<readonly string[]> => idsOf(await eventsOf(store(), name));

  it('starts a stream at revision 0 and continues from an exact revision', async () => {
    const [first, second] = [newEvent(), newEvent()];
    const begun = await store().append(stream(), 'no-stream', [first]);
    const continued = await store().append(stream(), 0n, [second]);
    expect([begun.revision, continued.revision]).toEqual([0n, 1n]);
    expect(begun.position < continued.position).toBe(true);
    expect(await idsIn(stream())).toEqual([first.id, second.id]);
  });

  it('returns revision and position of the last event of an append', async () => {
    const answer = await store().append(stream(), 'no-stream', newEvents(3));
    const last = (await eventsOf(store(), stream())).at(-1);
    expect(answer).toEqual({ revision: 2n, position: last?.position });
  });

  const refused = async (
    expected: 'no-stream' | bigint,
    actual: 'no-stream' | bigint,
    alreadyThere: number,
  ): Promise<void> => {
    const before = newEvents(alreadyThere);
    if (alreadyThere > 0) await store().append(stream(), 'no-stream', before);
    const refusal = await store()
      .append(stream(), expected, [newEvent()])
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(WrongExpectedRevision);
    expect(refusal).toMatchObject({ stream: stream(), expected, actual });
    expect(await idsIn(stream())).toEqual(idsOf(before));
  };
  it('refuses no-stream if the stream exists, naming its revision', () => refused('no-stream', 1n, 2));
  it('refuses a past revision, naming the current one', () => refused(0n, 2n, 3));
  it('refuses a future revision, naming the current one', () => refused(5n, 0n, 1));
  it('refuses a revision of a stream that does not exist, naming no-stream', () =>
    refused(0n, 'no-stream', 0));

  it('answers a repeated append like the first time and writes nothing', async () => {
    await store().append(stream(), 'no-stream', newEvents(2));
    const events = newEvents(3);
    const first = await store().append(stream(), 1n, events);
    await store().append(stream(), 4n, newEvents(1));
    expect(await store().append(stream(), 1n, events)).toEqual(first);
    expect(await eventsOf(store(), stream())).toHaveLength(6);
  });

  it('answers a repeated first append of a stream like the first time', async () => {
    const events = newEvents(2);
    const first = await store().append(stream(), 'no-stream', events);
    expect(await store().append(stream(), 'no-stream', events)).toEqual(first);
    expect(await eventsOf(store(), stream())).toHaveLength(2);
  });

  it('keeps the first payload if an append is repeated with another', async () => {
    const event = newEvent('Noted', { text: 'first' });
    await store().append(stream(), 'no-stream', [event]);
    await store().append(stream(), 'no-stream', [{ ...event, data: { text: 'second' } }]);
    expect((await eventsOf(store(), stream())).map(({ data }) => data)).toEqual([{ text: 'first' }]);
  });

  it('treats the beginning of an earlier append as a repetition', async () => {
    const events = newEvents(3);
    await store().append(stream(), 'no-stream', events);
    const answer = await store().append(stream(), 'no-stream', events.slice(0, 2));
    expect(answer.revision).toBe(1n);
    expect(await idsIn(stream())).toEqual(idsOf(events));
  });

  it('refuses old ids together with a new one', async () => {
    const events = newEvents(2);
    await store().append(stream(), 'no-stream', events);
    await expect(store().append(stream(), 'no-stream', [...events, newEvent()])).rejects.toMatchObject({
      name: 'WrongExpectedRevision',
      actual: 1n,
    });
    expect(await idsIn(stream())).toEqual(idsOf(events));
  });

  it('refuses the ids of an earlier append in another order', async () => {
    const events = newEvents(2);
    await store().append(stream(), 'no-stream', events);
    await expect(store().append(stream(), 'no-stream', events.toReversed())).rejects.toMatchObject({
      name: 'WrongExpectedRevision',
    });
  });

  it('writes ids again that are sent at the current revision', async () => {
    const event = newEvent();
    await store().append(stream(), 'no-stream', [event]);
    expect(await store().append(stream(), 0n, [event])).toMatchObject({ revision: 1n });
    expect(await idsIn(stream())).toEqual([event.id, event.id]);
  });

  it('writes an id that another stream has', async () => {
    const event = newEvent();
    await store().append(stream('a'), 'no-stream', [event]);
    await store().append(stream('b'), 'no-stream', [event]);
    expect([await idsIn(stream('a')), await idsIn(stream('b'))]).toEqual([[event.id], [event.id]]);
  });

  it('writes all events of an append next to each other, or none', async () => {
    const before = await store().head();
    const names = Array.from({ length: 8 }, (_, index) => stream(String(index)));
    await Promise.all(names.map((name) => store().append(name, 'no-stream', newEvents(20, type('Noted')))));
    const all = await everythingAfter(store(), before, { types: [type('Noted')] });
    const neighbours = names.map((name) => all.findIndex((event) => event.stream === name));
    expect(all).toHaveLength(160);
    for (const [index, start] of neighbours.entries()) {
      expect(all.slice(start, start + 20).every((event) => event.stream === names[index])).toBe(true);
    }
    await expect(store().append(stream('0'), 3n, newEvents(20))).rejects.toBeInstanceOf(
      WrongExpectedRevision,
    );
    expect(await eventsOf(store(), stream('0'))).toHaveLength(20);
  });

  it('accepts an append of exactly the limit and refuses one byte more', async () => {
    const filled = (bytes: number) => {
      const event = { ...newEvent(), metadata: {} };
      const framing = '{"text":""}'.length + '{}'.length;
      return { ...event, data: { text: 'x'.repeat(bytes - framing) } };
    };
    await expect(store().append(stream(), 'no-stream', [filled(MAX_APPEND_BYTES + 1)])).rejects.toMatchObject(
      {
        name: AppendTooLarge.name,
        stream: stream(),
        bytes: MAX_APPEND_BYTES + 1,
      },
    );
    expect(await eventsOf(store(), stream())).toEqual([]);
    const largest = filled(MAX_APPEND_BYTES);
    await store().append(stream(), 'no-stream', [largest]);
    expect((await eventsOf(store(), stream()))[0]?.data).toEqual(largest.data);
  });

  it('counts bytes and not characters, over all events of the append', async () => {
    const half = { text: '界'.repeat(MAX_APPEND_BYTES / 6) };
    await expect(
      store().append(stream(), 'no-stream', [newEvent('Noted', half), newEvent('Noted', half)]),
    ).rejects.toBeInstanceOf(AppendTooLarge);
  });

  it('refuses an append without events', async () => {
    await expect(store().append(stream(), 'no-stream', [])).rejects.toBeInstanceOf(TypeError);
  });

  it('refuses a stream without a name', async () => {
    await expect(store().append('', 'no-stream', [newEvent()])).rejects.toBeInstanceOf(TypeError);
  });

  it('refuses a negative revision', async () => {
    await expect(store().append(stream(), -1n, [newEvent()])).rejects.toBeInstanceOf(RangeError);
  });

  it('does not let a refused append affect others of its turn', async () => {
    await store().append(stream('taken'), 'no-stream', newEvents(1));
    const outcomes = await Promise.allSettled(
      ['x', 'taken', 'y'].map((name) => store().append(stream(name), 'no-stream', newEvents(1))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await eventsOf(store(), stream('y'))).toHaveLength(1);
  });

  it('keeps the order of appends to one stream that are sent without waiting', async () => {
    const events = newEvents(50);
    const answers = await Promise.all(
      events.map((event, index) =>
        store().append(stream(), index === 0 ? 'no-stream' : BigInt(index - 1), [event]),
      ),
    );
    expect(answers.map(({ revision }) => revision)).toEqual(events.map((_, index) => BigInt(index)));
    expect(await idsIn(stream())).toEqual(idsOf(events));
  });
}
