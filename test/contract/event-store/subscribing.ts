import fc from 'fast-check';
import type { EventBatch, EventStore, Position, StoredEvent } from '#kernel/ports/event-store.port.js';
import { everythingAfter, idsOf, newEvent, newEvents, soon } from '#test/support/event-stores.js';
import type { Scene } from '../event-store.contract.js';
import { SHOWN_AS_FOUND } from '#test/support/shown-as-found.js';

/** Reads a subscription until it has seen this many events, then aborts it. */
async function subscribed(
  store: EventStore,
  read: { readonly after: Position; readonly types: readonly string[]; readonly batchSize?: number },
  count: number,
): Promise<readonly StoredEvent[]> {
  const stop = new AbortController();
  const seen: StoredEvent[] = [];
  for await (const { events } of store.subscribe({ ...read, signal: stop.signal })) {
    seen.push(...events);
    if (seen.length >= count) stop.abort();
  }
  return seen;
}

/** Writers that append without waiting for each other, one per stream. */
async function appendConcurrently(
  stores: readonly EventStore[],
  streams: readonly string[],
  type: string,
  sizes: readonly number[],
): Promise<void> {
  await Promise.all(
    streams.map(async (stream, index) => {
      let next = 0;
      for (const [turn, size] of sizes.entries()) {
        const store = stores[(index + turn) % stores.length];
        await store?.append(stream, next === 0 ? 'no-stream' : BigInt(next - 1), newEvents(size, type));
        next += size;
      }
    }),
  );
}

export function subscribingCases({ store, openAnother, stream, type }: Scene): void {
  it('delivers existing events, then new ones, in order', async () => {
    const before = await store().head();
    const [old, fresh] = [newEvents(5, type('Noted')), newEvents(3, type('Noted'))];
    await store().append(stream(), 'no-stream', old);
    const stop = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const batch of store().subscribe({
        after: before,
        types: [type('Noted')],
        signal: stop.signal,
      })) {
        seen.push(...idsOf(batch.events));
        if (seen.length === 5 && batch.caughtUp) await store().append(stream(), 4n, fresh);
        if (seen.length === 8) stop.abort();
      }
    })();
    await soon('eight events', reading);
    expect(seen).toEqual(idsOf([...old, ...fresh]));
  });

  it('reports once that it has caught up if there are no events', async () => {
    const after = await store().head();
    const stop = new AbortController();
    const read = store().subscribe({ after, types: [type('Never')], signal: stop.signal });
    const batches: EventBatch[] = [];
    const reading = (async () => {
      for await (const batch of read) {
        batches.push(batch);
        if (batch.caughtUp) stop.abort();
      }
    })();
    await soon('the first answer', reading);
    expect(batches.flatMap(({ events }) => events)).toEqual([]);
    expect(batches.at(-1)).toMatchObject({ caughtUp: true });
  });

  it('ends without an error when it is aborted while waiting, while reading, and before it begins', async () => {
    const after = await store().head();
    await store().append(stream(), 'no-stream', newEvents(20, type('Noted')));
    const read = { after, types: [type('Noted')], batchSize: 2 };

    const waiting = new AbortController();
    const idle = (async () => {
      let count = 0;
      for await (const batch of store().subscribe({ ...read, signal: waiting.signal })) {
        count += batch.events.length;
        if (batch.caughtUp) setImmediate(() => waiting.abort());
      }
      return count;
    })();
    expect(await soon('the end of a waiting subscription', idle)).toBe(20);

    const midway = await soon('the end of a reading one', subscribed(store(), read, 1));
    expect(midway.length).toBeLessThanOrEqual(2);

    const over = new AbortController();
    over.abort();
    const batches: EventBatch[] = [];
    const never = (async () => {
      for await (const batch of store().subscribe({ ...read, signal: over.signal })) batches.push(batch);
    })();
    await soon('the end of one that never began', never);
    expect(batches).toEqual([]);
  });

  it('continues exactly where an earlier subscription stopped', async () => {
    const after = await store().head();
    const events = newEvents(9, type('Noted'));
    await store().append(stream(), 'no-stream', events);
    const read = { types: [type('Noted')], batchSize: 4 };
    const first = await soon('four events', subscribed(store(), { ...read, after }, 4));
    const resumed = { ...read, after: first.at(-1)?.position ?? after };
    const rest = await soon('the others', subscribed(store(), resumed, 9 - first.length));
    expect(idsOf([...first, ...rest])).toEqual(idsOf(events));
  });

  it('delivers events of other clients to a waiting subscription', async () => {
    const after = await store().head();
    const other = await openAnother();
    const stop = new AbortController();
    const events = newEvents(3, type('Noted'));
    const seen: string[] = [];
    let appending: Promise<unknown> | null = null;
    const appendNextTurn = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      await other.append(stream(), 'no-stream', events);
    };
    const reading = (async () => {
      for await (const batch of store().subscribe({ after, types: [type('Noted')], signal: stop.signal })) {
        seen.push(...idsOf(batch.events));
        if (batch.caughtUp) appending ??= appendNextTurn();
        if (seen.length >= 3) stop.abort();
      }
    })();
    await soon('the events of the other client', reading);
    await appending;
    expect(seen).toEqual(idsOf(events));
  });

  it('delivers a type that another client writes for the first time while it waits', async () => {
    const after = await store().head();
    const other = await openAnother();
    const events = [newEvent(type('Other')), newEvent(type('Fresh'))];
    const seen = subscribed(store(), { after, types: [type('Fresh')] }, 1);
    await other.append(stream(), 'no-stream', events);
    expect(idsOf(await soon('the new type', seen))).toEqual([events[1]?.id]);
  });

  it('delivers exactly the order of reading, without gap or repetition, during many writes', async () => {
    const other = await openAnother();
    let run = 0;
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 9 }),
      async (writers, sizes, batchSize) => {
        run += 1;
        const kind = type(`Run${run}x`);
        const after = await store().head();
        const streams = Array.from({ length: writers }, (_, index) => stream(`${run}_${index}`));
        const total = writers * sizes.reduce((sum, size) => sum + size, 0);
        const read = { after, types: [kind], batchSize };
        const [early, , late] = await soon(
          'readers and writers',
          Promise.all([
            subscribed(store(), read, total),
            appendConcurrently([store(), other], streams, kind, sizes),
            subscribed(other, { ...read, batchSize: batchSize + 3 }, total),
          ]),
        );
        const inOrder = idsOf(await everythingAfter(store(), after, { types: [kind] }));
        expect(inOrder).toHaveLength(total);
        expect(idsOf(early)).toEqual(inOrder);
        expect(idsOf(late)).toEqual(inOrder);
      },
    );
    await fc.assert(property, { numRuns: 25, ...SHOWN_AS_FOUND });
  });
}
