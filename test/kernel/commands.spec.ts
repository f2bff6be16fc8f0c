import { evolve } from '#kernel/commands/decider.js';
import { AppendTooLarge, MAX_APPEND_BYTES, type EventStore } from '#kernel/ports/event-store.port.js';
import { UnreadableEvent } from '#kernel/events/event-codec.js';
import type { WrittenEvents } from '#kernel/ports/progress.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import { eventsOf, newEvent, soon } from '../support/event-stores.js';
import { faultyEventStore } from '../support/faulty-event-store.js';
import { sharedSqliteEventStore, sharedSqliteEventStores } from '../support/sqlite-event-stores.js';
import {
  add,
  at,
  commandsOn,
  contextOf,
  fillTo,
  notEnough,
  sealTally,
  send,
  take,
  tally,
  whole,
} from './tally.js';

const files = sharedSqliteEventStores();
const store = sharedSqliteEventStore(files);
/** Another process's view of the same file. */
const otherStore = sharedSqliteEventStore(files);
let streams = 0;
const newTally = (): string => `1_c${(streams += 1)}`;

/** A store whose appends wait for a release, and whose reads of streams are counted. */
function gatedStore() {
  let open = (): void => undefined;
  let closed: Promise<void> = Promise.resolve();
  let arrived = (): void => undefined;
  let eventsRead = 0;
  const gated: EventStore = {
    ...store,
    async append(stream, expected, events) {
      arrived();
      await closed;
      return store.append(stream, expected, events);
    },
    async *readStream(stream, read) {
      for await (const batch of store.readStream(stream, read)) {
        eventsRead += batch.length;
        yield batch;
      }
    },
  };
  return {
    store: gated,
    eventsRead: () => eventsRead,
    /** Holds the next append back; resolves when it has come. */
    hold(): Promise<void> {
      closed = new Promise((resolve) => (open = resolve));
      return new Promise((resolve) => (arrived = resolve));
    },
    letGo: () => open(),
  };
}

describe('concurrent decisions on one stream', () => {
  it('are appended as one write and answered in order, each with the state right after it', async () => {
    const faulty = faultyEventStore(store, { faultOf: () => null });
    const commands = commandsOn(faulty);
    const id = newTally();
    const answers = await Promise.all([1, 2, 3, 4, 5].map((amount) => send(commands, id, add(amount))));
    expect(answers.map(({ answer }) => answer)).toEqual([1, 3, 6, 10, 15]);
    expect(faulty.appends).toHaveLength(1);
    expect(new Set(answers.map(({ position }) => position)).size).toBe(1);
  });

  it('are answered only when the write is durable', async () => {
    const gate = gatedStore();
    const commands = commandsOn(gate.store);
    const id = newTally();
    const arrived = gate.hold();
    const answered: string[] = [];
    const callers = [
      send(commands, id, add(1)).then(() => answered.push('event')),
      send(commands, id, fillTo(1)).then(() => answered.push('no-op')),
      send(commands, id, take(9)).catch((error: unknown) => answered.push(String(error instanceof Refusal))),
      commands.load(tally, id, whole).then(() => answered.push('load')),
    ];
    await soon('the append', arrived);
    await commandsOn(otherStore).load(tally, newTally(), whole);
    expect(answered).toEqual([]);
    gate.letGo();
    await Promise.all(callers);
    expect(answered.sort()).toEqual(['event', 'load', 'no-op', 'true']);
  });

  it('are decided again when the append on which a refusal was decided fails', async () => {
    const id = newTally();
    const faulty = faultyEventStore(store, {
      faultOf: (index) => (index === 1 ? 'wrong-revision' : null),
      interfere: () => send(commandsOn(otherStore), id, add(100)),
    });
    const commands = commandsOn(faulty);
    await send(commands, id, add(10));
    const [took, second] = await Promise.all([send(commands, id, take(10)), send(commands, id, take(10))]);
    // On the uncommitted first one nothing was left; on the durable state there is.
    expect([took.answer, second.answer]).toEqual([100, 90]);
  });

  it('that are refused write nothing, and leave the others alone', async () => {
    const commands = commandsOn(store);
    const id = newTally();
    const results = await Promise.allSettled([
      send(commands, id, take(1)),
      send(commands, id, add(3)),
      send(commands, id, take(4)),
      send(commands, id, take(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect((await eventsOf(store, `tally-${id}`)).map(({ type }) => type)).toEqual(['Added', 'Taken']);
  });

  it('that come while a group is being answered do not change the view of its callers', async () => {
    const gate = gatedStore();
    const commands = commandsOn(gate.store);
    const id = newTally();
    const arrived = gate.hold();
    const seen: number[] = [];
    const group = [
      send(commands, id, add(1)),
      commands.load(tally, id, whole).then(({ sum }) => seen.push(sum)),
    ];
    await soon('the append', arrived);
    const next = send(commands, id, add(1_000));
    gate.letGo();
    await Promise.all(group);
    expect(seen).toEqual([1]);
    await next;
  });
});

describe('an append', () => {
  it('holds at most 1,000 events and 512 KiB, however many commands wait', async () => {
    const faulty = faultyEventStore(store, { faultOf: () => null });
    const commands = commandsOn(faulty);
    const many = newTally();
    await Promise.all(Array.from({ length: 2_500 }, () => send(commands, many, add(1))));
    expect(faulty.appends.map(({ events }) => events.length)).toEqual([1_000, 1_000, 500]);
    const big = newTally();
    const text = 'é'.repeat(60 * 1024);
    await Promise.all(Array.from({ length: 10 }, () => send(commands, big, add(1, text))));
    const sizes = faulty.appends.slice(3).map(({ events }) => events.length);
    expect(sizes).toEqual([4, 4, 2]);
    expect(await eventsOf(store, `tally-${big}`)).toHaveLength(10);
  });

  it('that is too large refuses only its own command', async () => {
    const commands = commandsOn(store);
    const id = newTally();
    const [small, large, after] = await Promise.allSettled([
      send(commands, id, add(1)),
      send(commands, id, add(10, 'x'.repeat(MAX_APPEND_BYTES))),
      send(commands, id, add(100)),
    ]);
    expect(small).toMatchObject({ status: 'fulfilled', value: { answer: 1 } });
    expect(large).toMatchObject({ status: 'rejected', reason: expect.any(AppendTooLarge) });
    expect(after).toMatchObject({ status: 'fulfilled', value: { answer: 101 } });
  });

  it('is not affected by a command whose own answer throws', async () => {
    const commands = commandsOn(store);
    const id = newTally();
    await send(commands, id, add(1));
    const broken = commands.handle(tally, id, add(10), {
      context: contextOf(),
      answer: () => {
        throw new Error('no answer');
      },
    });
    const [before, failed, after] = await Promise.allSettled([
      send(commands, id, add(2)),
      broken,
      send(commands, id, add(3)),
    ]);
    expect([before.status, failed.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const four = commands.handle(tally, id, add(4), {
      context: contextOf(),
      answer: () => {
        throw notEnough();
      },
    });
    await expect(four).rejects.toThrow(Refusal);
    expect((await commands.load(tally, id, whole)).amounts).toEqual(expect.arrayContaining([1, 2]));
    expect((await eventsOf(store, `tally-${id}`)).map(({ data }) => data['amount']).sort()).toEqual([
      1, 2, 3,
    ]);
  });
});

describe('a read', () => {
  it('that refuses leaves the state in memory unchanged, and the caller gets the refusal', async () => {
    const gate = gatedStore();
    const commands = commandsOn(gate.store);
    const id = newTally();
    await send(commands, id, add(1));
    const refused = commands.load(tally, id, () => {
      throw notEnough();
    });
    await expect(refused).rejects.toThrow(Refusal);
    expect(await commands.load(tally, id, ({ sum }) => sum)).toBe(1);
    // The end of the stream proves the state in memory: no event is read or folded again.
    expect(gate.eventsRead()).toBe(0);
  });

  it('cannot hand out the state or wait, even if its types are bypassed', async () => {
    const commands = commandsOn(store);
    const id = newTally();
    await send(commands, id, add(1));
    const handedOut: (state: object) => never = (state) => state as never;
    await expect(commands.load(tally, id, handedOut)).rejects.toThrow('does not leave its turn');
    const later: (state: object) => never = (state) => Promise.resolve(state) as never;
    await expect(commands.load(tally, id, later)).rejects.toThrow('waits for nothing');
    const answered = commands.handle(tally, id, add(1), { context: contextOf(), answer: handedOut });
    await expect(answered).rejects.toThrow('does not leave its turn');
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(1);
  });
});

describe('a read of several streams', () => {
  /** A store that counts the reads of single streams. */
  const countedStore = () => {
    let reads = 0;
    const counted: EventStore = {
      ...store,
      readStream(stream, read) {
        reads += 1;
        return store.readStream(stream, read);
      },
    };
    return { store: counted, reads: () => reads };
  };

  it('returns the state of each in their order: in memory, only in the store, without events, and named twice', async () => {
    const [inMemory, stored, without] = [newTally(), newTally(), newTally()];
    await send(commandsOn(otherStore), stored, add(2));
    const commands = commandsOn(store);
    await send(commands, inMemory, add(1));
    const ids = [without, stored, inMemory, without, stored];
    expect(await commands.loadEach(tally, ids, ({ sum }) => sum)).toEqual([0, 2, 1, 0, 2]);
    expect(await commands.loadEach(tally, [], ({ sum }) => sum)).toEqual([]);
  });

  it('reads neither a stream without events nor one whose state in memory is current; the command that creates it does not either', async () => {
    const counted = countedStore();
    const commands = commandsOn(counted.store);
    const ids = [newTally(), newTally()];
    expect(await commands.loadEach(tally, ids, ({ sum }) => sum)).toEqual([0, 0]);
    for (const id of ids) expect((await send(commands, id, add(3))).answer).toBe(3);
    expect(await commands.loadEach(tally, ids, ({ sum }) => sum)).toEqual([3, 3]);
    expect(counted.reads()).toBe(0);
    await send(commandsOn(otherStore), ids[1] ?? '', add(4));
    expect(await commands.loadEach(tally, ids, ({ sum }) => sum)).toEqual([3, 7]);
    expect(counted.reads()).toBe(1);
  });

  it('reads short streams that are not in memory together, and long ones by themselves', async () => {
    const there = commandsOn(otherStore);
    const [short, other, long] = [newTally(), newTally(), newTally()];
    for (const id of [short, other]) for (const amount of [1, 2]) await send(there, id, add(amount));
    for (let amount = 1; amount <= 20; amount += 1) await send(there, long, add(amount));
    const counted = countedStore();
    const commands = commandsOn(counted.store);
    expect(await commands.loadEach(tally, [short, long, other], whole)).toEqual([
      { sum: 3, amounts: [1, 2] },
      expect.objectContaining({ sum: 210 }),
      { sum: 3, amounts: [1, 2] },
    ]);
    expect(counted.reads()).toBe(1);
    expect((await send(commands, short, add(4))).answer).toBe(7);
    expect(counted.reads()).toBe(1);
  });

  it('is not answered with decisions that are not durable yet', async () => {
    const gate = gatedStore();
    const commands = commandsOn(gate.store);
    const id = newTally();
    await send(commands, id, add(1));
    const arrived = gate.hold();
    const sent = send(commands, id, add(2));
    await arrived;
    const answered: string[] = [];
    const loaded = commands.loadEach(tally, [id], ({ sum }) => sum).finally(() => answered.push('read'));
    await Promise.race([loaded, store.head().then(() => store.head())]);
    expect(answered).toEqual([]);
    gate.letGo();
    expect([(await sent).answer, await loaded]).toEqual([3, [3]]);
  });

  it('lets no decision stand that another process has made obsolete by creating the stream', async () => {
    const [here, there] = [commandsOn(store), commandsOn(otherStore)];
    const ids = [newTally(), newTally(), newTally(), newTally()];
    const [added = '', refused = '', unchanged = '', read = ''] = ids;
    expect(await here.loadEach(tally, ids, ({ sum }) => sum)).toEqual([0, 0, 0, 0]);
    for (const id of ids) await send(there, id, add(10));
    expect((await send(here, added, add(1))).answer).toBe(11);
    expect((await send(here, refused, take(4))).answer).toBe(6);
    expect(await send(here, unchanged, fillTo(10))).toMatchObject({ answer: 10, appended: 0 });
    expect(await here.loadEach(tally, [read, added], ({ sum }) => sum)).toEqual([10, 11]);
  });

  describe('of a store that does not prove ends', () => {
    const presuming = () => {
      const counted = countedStore();
      return { ...counted, commands: commandsOn({ ...counted.store, ends: async () => new Map() }) };
    };

    it('does not read streams that are presumed to be new and not in memory; the append finds their events', async () => {
      const { commands, reads } = presuming();
      const ids = [newTally(), newTally(), newTally(), newTally()];
      const [fresh = '', taken = '', refused = '', unnamed = ''] = ids;
      for (const id of [taken, refused, unnamed]) await send(commandsOn(otherStore), id, add(10));
      const presumed = { ids: new Set([fresh, taken, refused]), sample: 0 };
      const sums = () => commands.loadEach(tally, ids, ({ sum }) => sum, presumed);
      expect(await sums()).toEqual([0, 0, 0, 10]);
      expect(reads()).toBe(1);
      expect((await send(commands, fresh, add(1))).answer).toBe(1);
      expect(reads()).toBe(1);
      expect((await send(commands, taken, add(1))).answer).toBe(11);
      expect((await send(commands, refused, take(4))).answer).toBe(6);
      expect(await sums()).toEqual([1, 11, 6, 10]);
    });

    it.each([
      ['presumes that streams are new if a sample of them is', [], [0, 0, 0, 0, 0], 2],
      ['reads all of them if one of the sample has events', [1], [0, 10, 0, 0, 0], 5],
      [
        'reads the others when they are appended to, if none of the sample has events',
        [3],
        [0, 0, 0, 0, 0],
        2,
      ],
    ])('%s', async (_, written, sums, expected) => {
      const { commands, reads } = presuming();
      const ids = Array.from({ length: 5 }, newTally);
      for (const place of written) await send(commandsOn(otherStore), ids[place] ?? '', add(10));
      const presumed = { ids: new Set(ids), sample: 2 };
      expect(await commands.loadEach(tally, ids, ({ sum }) => sum, presumed)).toEqual(sums);
      expect(reads()).toBe(expected);
      for (const [place, id] of ids.entries())
        expect((await send(commands, id, add(1))).answer).toBe(written.includes(place) ? 11 : 1);
    });

    it('finds a command that another process has carried out in such a stream', async () => {
      const { commands } = presuming();
      const id = newTally();
      await send(commandsOn(otherStore), id, add(10), 'claim');
      expect(
        await commands.loadEach(tally, [id], ({ sum }) => sum, { ids: new Set([id]), sample: 0 }),
      ).toEqual([0]);
      expect(await send(commands, id, add(3), 'claim')).toMatchObject({ answer: 10 });
      expect(await eventsOf(store, `tally-${id}`)).toHaveLength(1);
    });
  });

  it('cannot hand out the state of a stream without events either', async () => {
    const handedOut: (state: object) => never = (state) => state as never;
    const loading = commandsOn(store).loadEach(tally, [newTally()], handedOut);
    await expect(loading).rejects.toThrow('does not leave its turn');
  });
});

describe('a cached state', () => {
  it('never causes a refusal that another process has made obsolete', async () => {
    const [here, there] = [commandsOn(store), commandsOn(otherStore)];
    const id = newTally();
    await send(here, id, add(1));
    await expect(send(here, id, take(5))).rejects.toThrow(Refusal);
    await send(there, id, add(10));
    expect((await send(here, id, take(5))).answer).toBe(6);
  });

  it('never answers "no change" when another process has undone it', async () => {
    const [here, there] = [commandsOn(store), commandsOn(otherStore)];
    const id = newTally();
    await send(here, id, fillTo(10));
    await send(there, id, take(10));
    expect(await send(here, id, fillTo(10))).toMatchObject({ answer: 10, appended: 1 });
  });

  it('answers a refusal after one look, even while another process keeps writing', async () => {
    const id = newTally();
    const there = commandsOn(otherStore);
    let reads = 0;
    const busy: EventStore = {
      ...store,
      async *readStream(stream, read) {
        reads += 1;
        yield* store.readStream(stream, read);
        // It is outdated as soon as it was read.
        if (reads < 50) await send(there, id, add(1));
      },
    };
    const here = commandsOn(busy);
    await here.load(tally, id, whole);
    reads = 0;
    await expect(send(here, id, take(1_000))).rejects.toThrow(Refusal);
    expect(reads).toBe(1);
    await expect(send(here, id, take(1_000))).rejects.toThrow(Refusal);
    expect(reads).toBe(2);
  });

  it('is refreshed before the next decisions when another process writes: no second conflict', async () => {
    const id = newTally();
    const there = commandsOn(otherStore);
    for (let index = 0; index < 300; index += 1) await send(there, id, add(1));
    const gate = gatedStore();
    const faulty = faultyEventStore(gate.store, { faultOf: () => null });
    const here = commandsOn(faulty);
    await here.load(tally, id, whole);
    await send(there, id, add(1));
    // The first meets a conflict and reads the whole stream again.
    expect((await send(here, id, add(1))).answer).toBe(302);
    const read = gate.eventsRead();
    for (let index = 0; index < 5; index += 1) {
      await send(there, id, add(1));
      await Promise.all([send(here, id, add(1)), send(here, id, add(1))]);
    }
    // Each look reads its last known event, which proves that the others follow, and the other's.
    expect(gate.eventsRead() - read).toBe(2 * 5);
    expect(faulty.appends).toHaveLength(2 + 5);
  });

  it('is bounded: streams that were not used lately are dropped, and read again on demand', async () => {
    const gate = gatedStore();
    const commands = commandsOn(gate.store, { cacheBytes: 10 * 2_048 });
    const ids = Array.from({ length: 30 }, newTally);
    for (const id of ids) await send(commands, id, add(7));
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    expect((await send(commands, last, add(1))).answer).toBe(8);
    expect(gate.eventsRead()).toBe(0);
    expect((await send(commands, first, add(1))).answer).toBe(8);
    expect(gate.eventsRead()).toBe(1);
  });

  it('keeps a stream that is used again and again while others come and go', async () => {
    const gate = gatedStore();
    const commands = commandsOn(gate.store, { cacheBytes: 10 * 2_048 });
    const often = newTally();
    const useBesideOthers = async (times: number): Promise<void> => {
      for (let others = 0; others < times; others += 1) {
        await send(commands, newTally(), add(1));
        await send(commands, often, add(1));
      }
    };
    await useBesideOthers(10);
    const read = gate.eventsRead();
    await useBesideOthers(40);
    expect(gate.eventsRead() - read).toBe(0);
  });

  it('of streams that do not exist, and of refused commands, is bounded as well', async () => {
    let made = 0;
    const counted = { ...tally, initial: () => ((made += 1), tally.initial()) };
    const commands = commandsOn(store, { cacheBytes: 10 * 1_024 });
    const ids = Array.from({ length: 40 }, newTally);
    for (const id of ids.slice(0, 20)) await commands.load(counted, id, whole);
    for (const id of ids.slice(20)) {
      const refused = commands.handle(counted, id, take(1), { context: contextOf() });
      await expect(refused).rejects.toThrow(Refusal);
    }
    expect(made).toBe(40);
    for (const id of ids) await commands.load(counted, id, whole);
    // Only the last one was still kept.
    expect(made).toBe(79);
  });

  it('is weighed by its folded events: one long stream counts as much as many short ones', async () => {
    const gate = gatedStore();
    const commands = commandsOn(gate.store, { cacheBytes: 20 * 1_024 });
    const [long, short] = [newTally(), newTally()];
    await Promise.all(Array.from({ length: 100 }, () => send(commands, long, add(1))));
    await send(commands, short, add(1));
    await send(commands, long, add(1));
    expect(gate.eventsRead()).toBe(100);
  });

  it('stays correct with any bound', async () => {
    const commands = commandsOn(store, { cacheBytes: 0 });
    const ids = Array.from({ length: 5 }, newTally);
    for (let round = 0; round < 4; round += 1)
      await Promise.all(ids.flatMap((id) => [send(commands, id, add(2)), send(commands, id, take(1))]));
    for (const id of ids) {
      const events = await eventsOf(store, `tally-${id}`);
      const state = await commands.load(tally, id, whole);
      expect(state).toEqual(events.reduce((folded, event) => evolve(tally, folded, event), tally.initial()));
      expect(state.sum).toBe(4);
    }
  });
});

describe('an appended stream', () => {
  it('stops at an event of a type that this version does not know, and says where', async () => {
    const commands = commandsOn(store);
    const id = newTally();
    await send(commands, id, add(1));
    await otherStore.append(`tally-${id}`, 0n, [newEvent('Multiplied', { by: 2 })]);
    await expect(send(commands, id, add(1))).rejects.toThrow(UnreadableEvent);
    await expect(commands.load(tally, id, whole)).rejects.toThrow(UnreadableEvent);
    expect(await eventsOf(store, `tally-${id}`)).toHaveLength(2);
  });

  it('never goes back in time, in one process or two', async () => {
    const id = newTally();
    await send(commandsOn(store, { clock: at('2026-01-02T00:00:00.000Z') }), id, add(1));
    const slow = commandsOn(otherStore, { clock: at('2026-01-01T00:00:00.000Z') });
    await send(slow, id, add(1));
    await send(slow, id, add(1));
    await send(commandsOn(store, { clock: at('2026-01-03T00:00:00.000Z') }), id, add(1));
    const times = (await eventsOf(store, `tally-${id}`)).map(({ metadata }) =>
      metadata['recordedAt']?.slice(0, 10),
    );
    expect(times).toEqual(['2026-01-02', '2026-01-02', '2026-01-02', '2026-01-03']);
  });

  it('is sealed in one chain across batches, conflicts and processes', async () => {
    const id = newTally();
    const writers = [commandsOn(store), commandsOn(otherStore), commandsOn(store)];
    await Promise.all(
      writers.flatMap((commands) => Array.from({ length: 20 }, () => send(commands, id, add(1)))),
    );
    const events = await eventsOf(store, `tally-${id}`);
    let hash = '';
    for (const event of events) {
      hash = sealTally(hash, event);
      expect(event.metadata['hash']).toBe(hash);
    }
    expect(events).toHaveLength(60);
    expect(new Set(events.map((event) => event.id)).size).toBe(60);
  });
});

describe('read-your-writes', () => {
  it('waits for the written types, and for the whole stream when nothing was written', async () => {
    const waited: WrittenEvents[] = [];
    const progress = {
      reached: async (written: WrittenEvents) => {
        waited.push(written);
        return true;
      },
    };
    const commands = commandsOn(store, { progress });
    const id = newTally();
    const written = await send(commands, id, add(4));
    await send(commands, id, fillTo(1));
    await commands.handle(tally, id, add(1), {
      context: contextOf(),
      waitForReadModels: false,
    });
    await commands.load(tally, id, whole);
    await expect(send(commands, id, take(100))).rejects.toThrow(Refusal);
    expect(waited).toEqual([
      { position: written.position, types: ['Added'], workspaceId: 1 },
      { position: written.position, types: ['Added', 'Taken'], workspaceId: 1 },
    ]);
  });

  it('answers a done write although the read models are late or fail, and counts it', async () => {
    const late: string[] = [];
    for (const reached of [async () => false, async () => Promise.reject(new Error('read store down'))]) {
      const id = newTally();
      const commands = commandsOn(store, {
        progress: { reached },
        onLateReadModels: (stream) => late.push(stream),
      });
      expect(await send(commands, id, add(4))).toMatchObject({ answer: 4, appended: 1 });
      expect(late.at(-1)).toBe(`tally-${id}`);
    }
    expect(late).toHaveLength(2);
  });
});
