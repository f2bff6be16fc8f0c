import { START } from '#kernel/ports/event-store.port.js';
import {
  batchesOf,
  eventsOf,
  everythingAfter,
  idsOf,
  newEvent,
  newEvents,
} from '#test/support/event-stores.js';
import type { Scene } from '../event-store.contract.js';

export function readingCases({ store, stream, type }: Scene): void {
  it('returns what was written, with its position', async () => {
    const event = newEvent(type('Noted'), { credits: '1000000', nested: { list: [1, null, 'x', true] } });
    const answer = await store().append(stream(), 'no-stream', [event]);
    expect(await eventsOf(store(), stream())).toEqual([
      { ...event, stream: stream(), revision: 0n, position: answer.position },
    ]);
  });

  it('returns text of every script, and large metadata', async () => {
    const text = '我们的CRM系统 Straße ＣＲＭ 👩‍👩‍👧 \u0000\u2028\uD800 "\\\n';
    const metadata = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`名前${index}`, text.repeat(3)]),
    );
    const event = { ...newEvent('Größe🙂', { [text]: text, __proto__key: {} }), metadata };
    await store().append(stream('übergröße-ключ'), 'no-stream', [event]);
    const [read] = await eventsOf(store(), stream('übergröße-ключ'));
    expect(read).toMatchObject({ type: 'Größe🙂', data: event.data, metadata });
  });

  it('leaves out undefined members', async () => {
    await store().append(stream(), 'no-stream', [newEvent('Noted', { present: null, absent: undefined })]);
    const [read] = await eventsOf(store(), stream());
    expect(Object.keys(read?.data ?? {})).toEqual(['present']);
  });

  it('finds the last event at or before a position, of any stream, and none if its log has no such position', async () => {
    const first = await store().append(stream(), 'no-stream', newEvents(2));
    const [one, two] = await eventsOf(store(), stream());
    if (one === undefined || two === undefined) throw new Error('nothing was written');
    expect(await store().lastEvent(one.position)).toEqual(one);
    expect(await store().lastEvent(first.position)).toEqual(two);
    const next = await store().append(stream(), first.revision, [newEvent(type('Noted'))]);
    const last = (await eventsOf(store(), stream())).at(-1);
    expect(await store().lastEvent(next.position)).toEqual(last);
    expect(await store().lastEvent(one.position)).toEqual(one);
    expect((await store().lastEvent())?.position).toBe(await store().head());
    for (const elsewhere of ['f'.repeat(32), '9'.repeat(16), 'no place at all']) {
      expect([elsewhere, await store().lastEvent(elsewhere)]).toEqual([elsewhere, null]);
    }
    expect(await store().lastEvent(START)).toBeNull();
  });

  it('reads the log backwards from its end and from a position, up to the limit', async () => {
    await store().append(stream(), 'no-stream', newEvents(3));
    await store().append(stream('other'), 'no-stream', newEvents(2));
    const written = [...(await eventsOf(store(), stream())), ...(await eventsOf(store(), stream('other')))];
    const newestFirst = written.toSorted((left, right) => (left.position < right.position ? 1 : -1));
    expect(await store().readBack(null, 5)).toEqual(newestFirst);
    expect(await store().readBack(null, 2)).toEqual(newestFirst.slice(0, 2));
    const [, second] = newestFirst;
    const before = await store().readBack(second?.position ?? null, 2);
    expect(before).toEqual(newestFirst.slice(2, 4));
    expect(await store().readBack(START, 5)).toEqual([]);
    for (const elsewhere of ['9'.repeat(16), 'no place at all']) {
      expect([elsewhere, await store().readBack(elsewhere, 5)]).toEqual([elsewhere, []]);
    }
  });

  it('finds the last events of streams, if it can: nothing for one without events, and the latest after each append', async () => {
    const [one, two, none] = [stream(), stream('other'), stream('third')];
    const first = await store().append(one, 'no-stream', newEvents(3));
    await store().append(two, 'no-stream', newEvents(1));
    const asked = [two, none, one, two];
    const expectEnds = async (): Promise<void> => {
      for (const [name, end] of await store().ends(asked)) {
        const last = (await eventsOf(store(), name)).at(-1);
        const { revision, id } = end ?? {};
        expect([name, revision, id]).toEqual([name, last?.revision, last?.id]);
      }
    };
    await expectEnds();
    await store().append(one, first.revision, newEvents(2));
    await expectEnds();
    expect(await store().ends([])).toEqual(new Map());
  });

  it('reads several streams whole, if it can', async () => {
    const [one, two, none] = [stream(), stream('other'), stream('third')];
    const first = await store().append(one, 'no-stream', newEvents(2));
    await store().append(two, 'no-stream', newEvents(1));
    await store().append(one, first.revision, newEvents(1));
    for (const [name, events] of await store().readWhole([two, none, one]))
      expect([name, events]).toEqual([name, await eventsOf(store(), name)]);
    expect((await store().readWhole([none])).get(none) ?? []).toEqual([]);
  });

  it('finds the last permanent event, before short-lived ones', async () => {
    const { position } = await store().append(stream(), 'no-stream', newEvents(1));
    for (let index = 0; index < 5; index += 1) {
      await store().append(`request-1_${stream()}-${index}`, 'no-stream', newEvents(30));
    }
    const head = await store().head();
    expect(head > position).toBe(true);
    for (const upTo of [undefined, head, position]) {
      expect((await store().lastEvent(upTo, 'lasting'))?.position).toBe(position);
    }
    expect((await store().lastEvent(head))?.position).toBe(head);
  });

  it('yields nothing for a stream that does not exist', async () => {
    const batches = [];
    for await (const batch of store().readStream(stream())) batches.push(batch);
    for await (const batch of store().readStream(stream(), { direction: 'backwards' })) batches.push(batch);
    expect(batches).toEqual([]);
  });

  const range = (from: number, to: number): readonly bigint[] =>
    Array.from({ length: Math.abs(to - from) + 1 }, (_, index) =>
      BigInt(from < to ? from + index : from - index),
    );
  const revisions = async (read?: Parameters<typeof eventsOf>[2]): Promise<readonly bigint[]> =>
    (await eventsOf(store(), stream(), read)).map(({ revision }) => revision);

  it('reads a stream in both directions, from a revision, up to the limit', async () => {
    await store().append(stream(), 'no-stream', newEvents(10));
    expect(await revisions()).toEqual(range(0, 9));
    expect(await revisions({ direction: 'backwards' })).toEqual(range(9, 0));
    expect(await revisions({ from: 4n })).toEqual(range(4, 9));
    expect(await revisions({ from: 4n, direction: 'backwards' })).toEqual(range(4, 0));
    expect(await revisions({ from: 4n, maxCount: 2 })).toEqual(range(4, 5));
    expect(await revisions({ direction: 'backwards', maxCount: 1 })).toEqual([9n]);
    expect(await revisions({ maxCount: 0 })).toEqual([]);
    expect(await revisions({ from: 10n })).toEqual([]);
    expect(await revisions({ from: 100n, direction: 'backwards' })).toEqual(range(9, 0));
    for (const direction of ['forwards', 'backwards'] as const)
      for (const from of [-1n, -2n]) expect([from, await revisions({ from, direction })]).toEqual([from, []]);
  });

  it('reads a stream of many batches in both directions', async () => {
    await store().append(stream(), 'no-stream', newEvents(1_000));
    await store().append(stream(), 999n, newEvents(203));
    expect(await revisions()).toEqual(range(0, 1202));
    expect(await revisions({ direction: 'backwards' })).toEqual(range(1202, 0));
    expect(await revisions({ from: 100n, maxCount: 1_001 })).toEqual(range(100, 1100));
  });

  it('reads large events in order', async () => {
    const large = (index: number) => newEvent(type('Noted'), { index, text: 'x'.repeat(100_000) });
    const before = await store().head();
    for (const turn of [0, 1, 2, 3, 4, 5, 6]) {
      const events = [0, 1, 2, 3, 4].map((index) => large(turn * 5 + index));
      await store().append(stream(), turn === 0 ? 'no-stream' : BigInt(turn * 5 - 1), events);
    }
    expect(await revisions()).toEqual(range(0, 34));
    const all = await everythingAfter(store(), before, { types: [type('Noted')], batchSize: 10 });
    expect(all.map(({ data }) => data.index)).toEqual(range(0, 34).map(Number));
  });

  it('reads all events after a position, in the order of appends across streams', async () => {
    const written: string[] = [];
    const before = await store().head();
    for (let turn = 0; turn < 12; turn += 1) {
      const name = stream(String(turn % 3));
      const events = newEvents(1 + (turn % 2), type('Noted'));
      const there = (await eventsOf(store(), name)).length;
      await store().append(name, there === 0 ? 'no-stream' : BigInt(there - 1), events);
      written.push(...idsOf(events));
    }
    const all = await everythingAfter(store(), before, { types: [type('Noted')] });
    expect(idsOf(all)).toEqual(written);
    expect(all.map(({ position }) => position)).toEqual(all.map(({ position }) => position).toSorted());
    const middle = all[6]?.position ?? START;
    expect(idsOf(await everythingAfter(store(), middle, { types: [type('Noted')] }))).toEqual(
      written.slice(7),
    );
  });

  it('reads every type if no types are named', async () => {
    const before = await store().head();
    await store().append(stream(), 'no-stream', [newEvent(type('A')), newEvent(type('B'))]);
    const all = await everythingAfter(store(), before);
    expect(all.filter((event) => event.stream === stream()).map((event) => event.type)).toEqual([
      type('A'),
      type('B'),
    ]);
  });

  it('reads only the requested types, and reports progress past the others', async () => {
    const before = await store().head();
    const events = Array.from({ length: 40 }, (_, index) =>
      newEvent(type(['A', 'B', 'C', 'D'][index % 4] ?? '')),
    );
    await store().append(stream(), 'no-stream', events);
    const batches = await batchesOf(
      store().readAll({ after: before, types: [type('B'), type('C'), type('Never')], batchSize: 3 }),
    );
    expect(idsOf(batches.flatMap((batch) => batch.events))).toEqual(
      idsOf(events.filter((_, index) => index % 4 === 1 || index % 4 === 2)),
    );
    expect(batches.every((batch) => batch.events.length <= 3)).toBe(true);
    for (const [index, batch] of batches.entries()) {
      const last = batch.events.at(-1);
      if (last !== undefined) expect(batch.position >= last.position).toBe(true);
      expect(batch.position >= (batches[index - 1]?.position ?? before)).toBe(true);
    }
  });

  it('ends with one batch that is marked as caught up', async () => {
    const before = await store().head();
    await store().append(stream(), 'no-stream', newEvents(7, type('Noted')));
    const batches = await batchesOf(store().readAll({ after: before, types: [type('Noted')], batchSize: 2 }));
    expect(batches.map(({ caughtUp }) => caughtUp)).toEqual([...batches.slice(1).map(() => false), true]);
    const nothing = await batchesOf(store().readAll({ after: await store().head(), types: [type('Never')] }));
    expect(nothing.map(({ events, caughtUp }) => ({ events, caughtUp }))).toEqual([
      { events: [], caughtUp: true },
    ]);
  });

  it('has its head at the last event', async () => {
    const first = await store().append(stream(), 'no-stream', newEvents(3));
    const head = await store().head();
    expect(head >= first.position).toBe(true);
    const second = await store().append(stream(), 2n, newEvents(1));
    expect(second.position > head).toBe(true);
    expect((await store().head()) >= second.position).toBe(true);
  });

  it('has its head at the start while it is empty', async () => {
    const head = await store().head();
    const everything = await everythingAfter(store(), START);
    // A server that tests share has events of others.
    expect(head === START).toBe(everything.length === 0);
    const { position } = await store().append(stream(), 'no-stream', newEvents(1));
    expect(position > START).toBe(true);
  });
}
