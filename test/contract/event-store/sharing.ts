import {
  WrongExpectedRevision,
  type EventBatch,
  type EventStore,
  type NewEvent,
} from '#kernel/ports/event-store.port.js';
import { eventsOf, everythingAfter, idsOf, newEvent, newEvents, soon } from '#test/support/event-stores.js';
import type { Scene } from '../event-store.contract.js';

export function sharingCases({ store, openAnother, stream, type }: Scene): void {
  it('shows each client the appends of the other', async () => {
    const other = await openAnother();
    const [mine, theirs] = [newEvent(), newEvent()];
    await store().append(stream(), 'no-stream', [mine]);
    expect(idsOf(await eventsOf(other, stream()))).toEqual([mine.id]);
    const answer = await other.append(stream(), 0n, [theirs]);
    expect(idsOf(await eventsOf(store(), stream()))).toEqual([mine.id, theirs.id]);
    expect((await store().head()) >= answer.position).toBe(true);
  });

  it('answers an append that another client repeats like the first time', async () => {
    const other = await openAnother();
    const events = newEvents(2);
    const first = await store().append(stream(), 'no-stream', events);
    expect(await other.append(stream(), 'no-stream', events)).toEqual(first);
    expect(await eventsOf(store(), stream())).toHaveLength(2);
  });

  it('lets exactly one of two racing writers have each revision', async () => {
    const rivals = [store(), await openAnother()];
    const rounds = 40;
    const won = await soon('the race', Promise.all(rivals.map((rival) => race(rival, stream(), rounds))));
    const ids = idsOf(await eventsOf(store(), stream()));
    expect(ids).toHaveLength(rounds);
    expect(ids.toSorted()).toEqual(won.flat().toSorted());
  });

  it('delivers every event to a slow subscription, of any writer and after other readers', async () => {
    const before = await store().head();
    const other = await openAnother();
    const [first, mine, theirs, last] = newEvents(4, type('Noted')) as [
      NewEvent,
      NewEvent,
      NewEvent,
      NewEvent,
    ];
    const stop = new AbortController();
    const follow = (): AsyncIterator<EventBatch> =>
      store()
        .subscribe({ after: before, types: [type('Noted')], signal: stop.signal })
        [Symbol.asyncIterator]();
    const [slow, quick] = [follow(), follow()];
    await store().append(stream(), 'no-stream', [first]);
    await soon('the first event', readUpTo(slow, first.id));
    await store().append(stream(), 0n, [mine]);
    await other.append(stream(), 1n, [theirs]);
    await soon('what the other appended', readUpTo(quick, theirs.id));
    expect(await soon('the same again', readUpTo(slow, theirs.id))).toEqual([mine.id, theirs.id]);
    await store().append(stream(), 2n, [last]);
    expect(await soon('the last event', readUpTo(slow, last.id))).toEqual([last.id]);
    stop.abort();
    await Promise.all([slow.return?.(), quick.return?.()]);
  });

  it('accepts appends to many streams at once from two clients, each completely', async () => {
    const before = await store().head();
    const clients = [store(), await openAnother()];
    const names = Array.from({ length: 100 }, (_, index) => stream(String(index)));
    await Promise.all(
      names.map((name, index) => clients[index % 2]?.append(name, 'no-stream', newEvents(3, type('Noted')))),
    );
    const all = await everythingAfter(store(), before, { types: [type('Noted')] });
    const countsOf = names.map((name) => all.filter((event) => event.stream === name).length);
    expect(countsOf).toEqual(names.map(() => 3));
    expect(new Set(all.map(({ position }) => position)).size).toBe(300);
  });
}

/** Reads until the event with this id has arrived; returns the ids of all events read. */
async function readUpTo(reading: AsyncIterator<EventBatch>, id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  while (!ids.includes(id)) {
    const { done, value } = await reading.next();
    if (done === true) throw new Error('the subscription ended');
    ids.push(...idsOf(value.events));
  }
  return ids;
}

/** Tries every revision once; returns the ids of the written events. */
async function race(store: EventStore, stream: string, rounds: number): Promise<readonly string[]> {
  const won: string[] = [];
  for (let revision = 0; revision < rounds; revision += 1) {
    const event = newEvent();
    try {
      await store.append(stream, revision === 0 ? 'no-stream' : BigInt(revision - 1), [event]);
      won.push(event.id);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }
  return won;
}
