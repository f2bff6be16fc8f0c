import { setImmediate } from 'node:timers/promises';
import {
  START,
  StoreUnavailable,
  StoreUnusable,
  type EventBatch,
  type EventStore,
} from '#kernel/ports/event-store.port.js';
import { decodeEvent, UnreadableEvent } from '#kernel/events/event-codec.js';
import { event } from '#kernel/events/event.js';
import { logPosition, positionText } from '#event-store/eventstoredb/position-text.js';
import {
  batchesOf,
  eventsOf,
  everythingAfter,
  idsOf,
  newEvent,
  newEvents,
  soon,
  errorOf,
} from '#test/support/event-stores.js';
import {
  eventStoreDbEventStores,
  type EventStoreDbEventStores,
} from '#test/support/eventstoredb-event-stores.js';
import { Type } from '@sinclair/typebox';
import { proposed, type ProposedEvent } from './eventstoredb/event-log.js';
import { startEventStoreDbServer, type EventStoreDbServer } from './eventstoredb/eventstoredb-server.js';

const OURS = Buffer.from('{"workspaceId":"1"}');
const REFUSED_MS = 300;
const TRIES_OF_A_READ = 4;

/** A position between two positions at which a record begins. */
function insideOf(position: string): string {
  const at = logPosition(position);
  if (at === 'start') throw new Error('no position');
  return positionText({ commit: at.commit + 1n, prepare: at.prepare + 1n });
}

describe('EventStoreDB, reads and subscriptions (fault server)', () => {
  let server: EventStoreDbServer;
  let stores: EventStoreDbEventStores;
  let store: EventStore;
  beforeEach(async () => {
    server = await startEventStoreDbServer();
    stores = eventStoreDbEventStores(server.url);
    store = await stores.open();
  });
  afterEach(async () => {
    await stores.closeAll();
    server.stop();
  });
  /** An event that this product did not write. */
  const foreign = (stream: string, ...events: readonly ProposedEvent[]): void => {
    server.log.write(stream, 'any', events);
    server.log.commit();
  };
  /** Ids of the first `count` events that a subscription gives; `onBatch` runs before each next one is requested. */
  const subscribed = async (
    count: number,
    onBatch: (batch: EventBatch, seen: number) => unknown = () => undefined,
    reader = store,
    wanted: { readonly types?: readonly string[]; readonly batchSize?: number; readonly after?: string } = {},
  ): Promise<readonly string[]> => {
    const stop = new AbortController();
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const batch of reader.subscribe({ ...wanted, signal: stop.signal })) {
        seen.push(...idsOf(batch.events));
        await onBatch(batch, seen.length);
        if (seen.length >= count) stop.abort();
      }
    };
    await soon(`${count} events`, reading());
    return seen;
  };
  const stored = (): readonly string[] =>
    server.log.all.filter(({ stream }) => !stream.startsWith('$')).map(({ id }) => id);

  describe('read', () => {
    it('readAll ignores a filter: the types are filtered by a subscription on the server, and exactly by the client', async () => {
      await store.append('s-1', 'no-stream', [
        ...newEvents(3),
        ...newEvents(2, 'NotedAgain'),
        ...newEvents(40, 'Other'),
      ]);
      const all = await everythingAfter(store, START, { types: ['Noted'] });
      expect(all.map(({ type }) => type)).toEqual(['Noted', 'Noted', 'Noted']);
      expect(server.seenSubscriptions.at(-1)).toMatchObject({ prefixes: ['Noted'] });
      expect(server.traffic.sentEvents).toBe(5);
      expect(await everythingAfter(store, START, { types: [] })).toEqual([]);
    });

    it('JSON numbers above 2^53 are rounded on read: credits are text and keep every digit', async () => {
      await store.append('s-1', 'no-stream', [newEvent('Noted', { credits: '9007199254740993' })]);
      expect((await eventsOf(store, 's-1'))[0]?.data).toEqual({ credits: '9007199254740993' });
    });

    it('malformed JSON arrives unchanged, and is refused by name at the decoding of events', async () => {
      const vocabulary = { Noted: event(Type.Object({})) };
      foreign('s-1', proposed('Noted', '{"cut', { metadata: OURS }));
      foreign('s-2', proposed('Noted', '[1]', { metadata: OURS }));
      foreign('s-3', proposed('Noted', Buffer.from([1, 2]), { metadata: OURS, isJson: false }));
      foreign('s-4', proposed('Noted', '{}', { metadata: OURS, isJson: false }));
      const all = await everythingAfter(store, START);
      expect(all.map(({ stream }) => stream)).toEqual(['s-1', 's-2', 's-3', 's-4']);
      for (const damaged of all) expect(() => decodeEvent(vocabulary, damaged)).toThrow(UnreadableEvent);
    });

    it('records of other programs are passed over, and the position advances: binary metadata, none, links, system events', async () => {
      await store.append('s-1', 'no-stream', newEvents(1));
      foreign('orders-1', proposed('Placed', '{}', { metadata: Buffer.from([0xff, 0xfe]) }));
      foreign('orders-2', proposed('Placed', '{}'));
      foreign('orders-3', proposed('Placed', '{}', { metadata: Buffer.from('{"nested":{}}') }));
      foreign('$ce-s', proposed('$>', '0@s-1', { isJson: false, metadata: OURS }));
      foreign('$stats-127.0.0.1:2113', proposed('$statsCollected', '{}', { metadata: OURS }));
      const last = server.log.all.at(-1)?.position ?? 0n;
      for (const wanted of [{}, { types: ['Noted', 'Placed'] }]) {
        const batches = await batchesOf(store.readAll(wanted));
        expect(idsOf(batches.flatMap(({ events }) => events))).toEqual(stored().slice(0, 1));
        expect(batches.at(-1)).toMatchObject({
          caughtUp: true,
          position: positionText({ commit: last, prepare: last }),
        });
      }
    });

    it('a resolved event whose target was deleted has no event: it is passed over, and no stream of the product has it', async () => {
      await store.append('s-1', 'no-stream', newEvents(2));
      foreign(
        'links-1',
        ...['0@s-7', '1@s-7'].map((target) => proposed('Noted', target, { metadata: OURS })),
      );
      server.faults.lostTargetsIn = 'links-1';
      const end = server.log.all.at(-1)?.position ?? 0n;
      const whole = positionText({ commit: end, prepare: end });
      const plain = await stores.open({ quietMs: 50 });
      for (const [reader, fault] of [
        [store, null],
        [plain, 'deaf'],
      ] as const) {
        server.faults.subscription = fault;
        const batches = await batchesOf(reader.readAll());
        expect(idsOf(batches.flatMap(({ events }) => events))).toEqual(stored().slice(0, 2));
        expect(batches.at(-1)?.position).toBe(whole);
      }
      expect(server.faults.subscription).toBeNull();
      const [, last] = await eventsOf(store, 's-1');
      expect(await store.head()).toBe(last?.position);
      expect(await errorOf(eventsOf(store, 'links-1'))).toBeInstanceOf(StoreUnusable);
    });

    it('the head is the last event of the product, however much the server writes after it', async () => {
      expect(await store.head()).toBe(START);
      const { position } = await store.append('s-1', 'no-stream', newEvents(2));
      for (let turn = 0; turn < 300; turn += 1) foreign('$stats-0', proposed('$statsCollected', '{}'));
      expect(await store.head()).toBe(position);
      foreign('$stats-0', proposed('$statsCollected', '{}'));
      expect(await store.head()).toBe(position);
      const next = await store.append('s-1', 1n, newEvents(1));
      expect(await store.head()).toBe(next.position);
    });

    it('a stream whose beginning was cut off, or that others wrote into, is refused', async () => {
      await store.append('s-1', 'no-stream', newEvents(5));
      foreign('$$s-1', proposed('$metadata', '{"$maxCount":2}'));
      expect(await errorOf(eventsOf(store, 's-1'))).toBeInstanceOf(StoreUnusable);
      expect(await errorOf(eventsOf(store, 's-1', { direction: 'backwards' }))).toBeInstanceOf(StoreUnusable);
      const end = await eventsOf(store, 's-1', { direction: 'backwards', maxCount: 1 });
      expect(end.map(({ revision }) => revision)).toEqual([4n]);
      await store.append('s-2', 'no-stream', newEvents(1));
      foreign('s-2', proposed('Placed', '{}'));
      expect(await errorOf(eventsOf(store, 's-2'))).toBeInstanceOf(StoreUnusable);
    });

    for (const fault of ['unavailable', 'not ready', 'clean end'] as const) {
      it(`a read that meets "${fault}" once is retried`, async () => {
        const events = newEvents(3);
        await store.append('s-1', 'no-stream', events);
        server.faults.subscription = fault;
        expect(idsOf(await everythingAfter(store, START))).toEqual(idsOf(events));
        if (fault === 'clean end') return;
        server.faults.read = fault;
        expect(idsOf(await eventsOf(store, 's-1'))).toEqual(idsOf(events));
      });
    }
  });

  describe('positions', () => {
    it('both offsets are kept, in text that sorts like them', () => {
      const positions = [
        { commit: 9n, prepare: 9n },
        { commit: 10n, prepare: 2n },
        { commit: 10n, prepare: 10n },
        { commit: 2n ** 40n, prepare: 1n },
      ];
      const texts = positions.map(positionText);
      expect(texts).toEqual(texts.toSorted());
      expect(texts.map(logPosition)).toEqual(positions);
      expect(START < (texts[0] ?? '')).toBe(true);
      expect(() => logPosition('0000000000000001')).toThrow(RangeError);
    });

    it('2^64-1 is refused: a server before 22.6 does not report the positions of events in a stream', async () => {
      await store.append('s-1', 'no-stream', newEvents(1));
      server.faults.withoutPositions = true;
      expect(await errorOf(eventsOf(store, 's-1'))).toMatchObject({
        name: 'StoreUnusable',
        message: expect.stringContaining('22.10'),
      });
    });

    it('an event that was passed already is refused, not delivered again', async () => {
      await store.append('s-1', 'no-stream', newEvents(9));
      server.faults.goesBack = true;
      expect(await errorOf(everythingAfter(store, START, { types: ['Noted', '$Epoch'] }))).toBeInstanceOf(
        StoreUnusable,
      );
    });

    it('resume is exclusive, even on a server that begins with the last event again', async () => {
      const { position } = await store.append('s-1', 'no-stream', newEvents(2));
      await store.append('s-1', 1n, newEvents(3));
      for (const inclusiveResume of [false, true]) {
        server.faults.inclusiveResume = inclusiveResume;
        expect(idsOf(await everythingAfter(store, position))).toEqual(stored().slice(2));
      }
    });

    it('a position past the end belongs to another store, though the server itself accepts it as a future one', async () => {
      await store.append('s-1', 'no-stream', newEvents(1));
      const beyond = positionText({ commit: 10n ** 9n, prepare: 10n ** 9n });
      const reading = subscribed(1, undefined, store, { after: beyond });
      expect(await errorOf(reading)).toBeInstanceOf(StoreUnusable);
      expect(await errorOf(everythingAfter(store, beyond))).toBeInstanceOf(StoreUnusable);
    });

    it('a position inside a record belongs to another store', async () => {
      const { position } = await store.append('s-1', 'no-stream', newEvents(1));
      await store.append('s-1', 0n, newEvents(1));
      const inside = insideOf(position);
      const strict = await stores.open({ refusedMs: REFUSED_MS });
      expect(await errorOf(everythingAfter(strict, inside))).toBeInstanceOf(StoreUnusable);
      const startedAt = performance.now();
      expect(await strict.lastEvent(inside)).toBeNull();
      expect(performance.now() - startedAt).toBeGreaterThan(REFUSED_MS);
      expect(await strict.readBack(inside, 5)).toEqual([]);
    });

    it('a failed read of the server’s disk does not mean another store, although the error is the same', async () => {
      const events = newEvents(1);
      const { position } = await store.append('s-1', 'no-stream', events);
      const strict = await stores.open({ refusedMs: REFUSED_MS });
      const failing = (times: number): void => {
        server.faults.read = 'unreadable';
        server.faults.readTimes = times;
      };
      failing(TRIES_OF_A_READ);
      expect((await strict.lastEvent(position))?.id).toBe(events[0]?.id);
      failing(TRIES_OF_A_READ);
      expect(idsOf(await strict.readBack(null, 5))).toEqual(idsOf(events));
      failing(99);
      expect(await errorOf(strict.lastEvent(position))).toBeInstanceOf(StoreUnavailable);
      expect(await errorOf(strict.readBack(position, 5))).toBeInstanceOf(StoreUnavailable);
    });

    it('resumes without a gap when the record of the position was scavenged: the server skips the next one', async () => {
      await store.append('s-1', 'no-stream', newEvents(1));
      foreign('$stats-0', proposed('$statsCollected', '{}'));
      const position = (await batchesOf(store.readAll())).at(-1)?.position ?? START;
      await store.append('s-1', 0n, newEvents(2));
      server.log.scavenge(({ stream }) => stream === '$stats-0');
      expect(idsOf(await everythingAfter(store, position))).toEqual(stored().slice(1));
    });
  });

  describe('subscribe', () => {
    it('a live subscription is dropped by 16 concurrent writers; it continues from the last handled position', async () => {
      const writers = Array.from({ length: 16 }, (_, index) => index);
      let writing: Promise<unknown> | null = null;
      // One append is more than the server buffers for a live subscription.
      const write = async (writer: number): Promise<void> => {
        await store.append(`s-${writer}`, 'no-stream', newEvents(40));
        await store.append(`s-${writer}`, 39n, newEvents(20));
      };
      const marks: EventBatch['resumed'][] = [];
      const seen = await subscribed(960, ({ caughtUp, resumed }) => {
        marks.push(resumed);
        if (caughtUp) writing ??= Promise.all(writers.map(write));
      });
      await writing;
      expect(seen).toEqual(stored());
      expect(server.seenSubscriptions.length).toBeGreaterThan(1);
      // The server delivers the last handled event again, so its log is the same.
      expect(marks).not.toContain(true);
    });

    it('a dropped subscription continues with its last record, without another read', async () => {
      const reads: number[] = [];
      const marks: EventBatch['resumed'][] = [];
      let written = 0;
      const seen = await subscribed(12, async ({ caughtUp, resumed }, count) => {
        marks.push(resumed);
        if (!caughtUp || count < written || written >= 12) return;
        reads.push(server.traffic.reads);
        server.faults.endAfterEvents = 3 + Math.min(1, written);
        await store.append(`s-${written}`, 'no-stream', newEvents(3));
        written += 3;
      });
      expect(seen).toEqual(stored());
      expect(server.seenSubscriptions).toHaveLength(4);
      expect(reads).toEqual([reads[0], reads[0], reads[0], reads[0]]);
      expect(marks).not.toContain(true);
    });

    it.each([
      ['the last record was', (at: number) => at === 2],
      ['the last two records were', (at: number) => at > 0],
      ['all delivered records were', () => true],
    ])('nothing is omitted if %s scavenged when the subscription is dropped', async (_, isWaste) => {
      let begun = false;
      const seen = await subscribed(6, async ({ caughtUp }, count) => {
        if (caughtUp && !begun) {
          begun = true;
          server.faults.endAfterEvents = 3;
          await store.append('s-1', 'no-stream', newEvents(3));
        }
        if (count !== 3 || server.faults.endAfterEvents === null) return;
        server.faults.endAfterEvents = null;
        server.log.scavenge(({ stream, revision }) => stream === 's-1' && isWaste(Number(revision)));
        await store.append('s-2', 'no-stream', newEvents(3));
      });
      expect(seen.slice(3)).toEqual(idsOf(await eventsOf(store, 's-2')));
    });

    it('is marked as resumed if the server no longer delivers the last handled event at its position', async () => {
      const { port } = server;
      const write = (count: number): void =>
        foreign('s-1', ...Array.from({ length: count }, () => proposed('Noted', '{}', { metadata: OURS })));
      write(3);
      const marks: EventBatch['resumed'][] = [];
      let handled: string | null = null;
      const seen = await subscribed(5, async ({ position, resumed }, count) => {
        marks.push(resumed);
        // The three events may come in several batches.
        if (count < 3 || handled !== null) return;
        handled = position;
        server.stop();
        server = await startEventStoreDbServer({ port });
        write(5);
      });
      const placeOfThird = server.log.all.filter(({ stream }) => stream === 's-1')[2]?.position ?? 0n;
      expect(handled).toBe(positionText({ commit: placeOfThird, prepare: placeOfThird }));
      expect(seen.slice(3)).toEqual(stored().slice(3));
      expect(marks.filter((mark) => mark === true)).toHaveLength(1);
    });

    it('only an error comes when the server dies: the subscription continues when it is back', async () => {
      const { log, port } = server;
      await store.append('s-1', 'no-stream', newEvents(3));
      let restarted = false;
      const seen = await subscribed(5, async () => {
        if (restarted) return;
        restarted = true;
        server.stop();
        server = await startEventStoreDbServer({ log, port });
        await store.append('s-1', 2n, newEvents(2));
      });
      expect(seen).toEqual(stored());
    });

    it('a clean end while it runs is a drop, not the end', async () => {
      await store.append('s-1', 'no-stream', newEvents(12));
      server.faults.endAfterEvents = 5;
      expect(await subscribed(12)).toEqual(stored());
      expect(server.seenSubscriptions.length).toBeGreaterThanOrEqual(3);
    });

    it('a drop for slowness resubscribes from the last handled event', async () => {
      const events = newEvents(4);
      await store.append('s-1', 'no-stream', events);
      server.faults.subscription = 'consumer too slow';
      server.faults.subscriptionTimes = 3;
      expect(await subscribed(4)).toEqual(idsOf(events));
    });

    it('checkpoints run ahead of the consumer: no position is given before everything up to it', async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        await store.append(`s-${turn}`, 'no-stream', newEvents(60));
        await store.append(`other-${turn}`, 'no-stream', newEvents(300, 'Other'));
      }
      const due = server.log.all
        .filter(({ type }) => type === 'Noted')
        .map(({ position }) => positionText({ commit: position, prepare: position }));
      let given = 0;
      let marks = 0;
      await subscribed(
        360,
        async ({ events, position }) => {
          given += events.length;
          expect(position < (due[given] ?? '~')).toBe(true);
          if (position > (due[given - 1] ?? START)) marks += 1;
          await setImmediate();
        },
        store,
        { types: ['Noted'], batchSize: 7 },
      );
      expect(marks).toBeGreaterThan(0);
    });

    it('a checkpoint past events that were not sent yet is refused when they come', async () => {
      for (let turn = 0; turn < 12; turn += 1) await store.append(`s-${turn}`, 'no-stream', newEvents(60));
      server.faults.checkpointAhead = true;
      expect(await errorOf(subscribed(720))).toBeInstanceOf(StoreUnusable);
    });

    for (const then of ['the event follows', 'the stream ends'] as const) {
      it(`a checkpoint at an event comes before the event, as on 22.10, and ${then}: nothing is lost`, async () => {
        await store.append('s-1', 'no-stream', newEvents(1));
        let written: Promise<unknown> | null = null;
        const seen = await subscribed(3, ({ caughtUp }) => {
          if (!caughtUp || written !== null) return;
          server.faults.markBeforeEvent = then;
          written = store.append('s-1', 0n, newEvents(2));
        });
        await written;
        expect(seen).toEqual(stored());
        expect(server.faults.markBeforeEvent).toBeNull();
      });
    }

    it('a checkpoint callback that throws would hang the subscription: a checkpoint without a position is passed over', async () => {
      server.faults.checkpointsWithoutPosition = true;
      await store.append('s-1', 'no-stream', newEvents(2));
      for (let turn = 0; turn < 6; turn += 1) {
        await store.append(`other-${turn}`, 'no-stream', newEvents(300, 'Other'));
      }
      await store.append('s-1', 1n, newEvents(2));
      const due = server.log.all
        .filter(({ type }) => type === 'Noted')
        .map(({ position }) => positionText({ commit: position, prepare: position }));
      const positions: string[] = [];
      const seen = await subscribed(4, ({ position }) => positions.push(position), store, {
        types: ['Noted'],
      });
      expect(seen).toHaveLength(4);
      expect(server.traffic.checkpoints).toBeGreaterThan(2);
      // The last event and the end of the log are the same position.
      expect(positions.filter((position) => !due.includes(position))).toEqual([]);
    });

    it('a finite read ends at the end of the log when it began, despite later writes', async () => {
      await store.append('s-0', 'no-stream', newEvents(20));
      let batches = 0;
      for await (const batch of store.readAll({ batchSize: 5 })) {
        batches += 1;
        if (batches > 50) throw new Error('still reading');
        if (!batch.caughtUp) await store.append(`s-${batches}`, 'no-stream', newEvents(20));
      }
      expect(batches).toBeLessThan(10);
    });

    it('caughtUp carries no position: the end that was read before is used, past records of others', async () => {
      await store.append('s-1', 'no-stream', newEvents(2));
      foreign('$stats-0', proposed('$statsCollected', '{}'));
      const end = server.log.all.at(-1)?.position ?? 0n;
      const positions: string[] = [];
      await subscribed(2, ({ position }) => positions.push(position), store, { batchSize: 1 });
      expect((await batchesOf(store.readAll())).at(-1)?.position).toBe(
        positionText({ commit: end, prepare: end }),
      );
    });

    it('small or idle stores never emit a checkpoint, and old servers no caughtUp: it catches up all the same', async () => {
      const quick = await stores.open({ quietMs: 50 });
      server.faults.neverCaughtUp = true;
      await store.append('s-1', 'no-stream', newEvents(3));
      await store.append('s-2', 'no-stream', newEvents(700, 'Other'));
      const batches = await soon('the end', batchesOf(quick.readAll({ types: ['Noted'], batchSize: 2 })));
      expect(idsOf(batches.flatMap(({ events }) => events))).toEqual(stored().slice(0, 3));
      expect(batches.map(({ caughtUp }) => caughtUp).filter(Boolean)).toHaveLength(1);
      expect(batches.at(-1)?.caughtUp).toBe(true);
    });

    it('own heartbeat: nothing comes while the head moves, so it subscribes again', async () => {
      const watchful = await stores.open({ heartbeatMs: 50 });
      let written: Promise<unknown> | null = null;
      const seen = await subscribed(
        2,
        ({ caughtUp }) => {
          if (!caughtUp || written !== null) return;
          server.faults.deafWhenLive = true;
          written = store.append('s-1', 'no-stream', newEvents(2));
        },
        watchful,
      );
      await written;
      expect(seen).toEqual(stored());
    });

    it('the filter holds back other events: the position passes them while the subscription lives', async () => {
      await store.append('s-1', 'no-stream', newEvents(1));
      const ended = new AbortController();
      const passes = async (): Promise<readonly string[]> => {
        const seen: string[] = [];
        let held: { readonly position: string } | null = null;
        for await (const batch of store.subscribe({ types: ['Noted'], signal: ended.signal })) {
          seen.push(...idsOf(batch.events));
          if (batch.caughtUp && held === null)
            held = await store.append('s-2', 'no-stream', newEvents(1, 'Other'));
          if (held !== null && batch.position >= held.position) return seen;
        }
        throw new Error('the subscription ended');
      };
      expect(await soon('the position', passes())).toEqual(stored().slice(0, 1));
      ended.abort();
    });

    it('a position that nobody waits for is not asked for: the subscription stays, and its events come', async () => {
      const ended = new AbortController();
      const seen: string[] = [];
      const batches: EventBatch[] = [];
      const patient = await stores.open({ heartbeatMs: 10, eventsHeartbeatMs: 3_600_000 });
      const follow = async (read: { readonly types: readonly string[]; readonly onlyEvents?: boolean }) => {
        for await (const batch of patient.subscribe({ ...read, signal: ended.signal })) {
          if (read.onlyEvents !== true) {
            batches.push(batch);
            continue;
          }
          seen.push(...idsOf(batch.events));
          if (seen.length === 1) return;
        }
      };
      const following = follow({ types: ['Noted'], onlyEvents: true });
      const beside = follow({ types: ['Never'] });
      const passed = async (position: string): Promise<void> => {
        while ((batches.at(-1)?.position ?? START) < position) await setImmediate();
      };
      for (let turn = 0; turn < 3; turn += 1) {
        const { position } = await patient.append(`s-${turn}`, 'no-stream', newEvents(2, 'Other'));
        await soon('the position', passed(position));
      }
      const begun = (type: string): number =>
        server.seenSubscriptions.filter(({ prefixes }) => prefixes.includes(type)).length;
      expect(begun('Never')).toBeGreaterThan(1);
      expect(begun('Noted')).toBe(1);
      const events = newEvents(1);
      await patient.append('s-9', 'no-stream', events);
      await soon('the event', following);
      expect(seen).toEqual(idsOf(events));
      ended.abort();
      await beside;
    });

    it('a dead subscription of which only events are wanted begins again as well', async () => {
      const watchful = await stores.open({ heartbeatMs: 3_600_000, eventsHeartbeatMs: 50 });
      let written: Promise<unknown> | null = null;
      const ended = new AbortController();
      const seen: string[] = [];
      const reading = async (): Promise<void> => {
        for await (const batch of watchful.subscribe({ onlyEvents: true, signal: ended.signal })) {
          seen.push(...idsOf(batch.events));
          if (seen.length === 2) ended.abort();
          if (!batch.caughtUp || written !== null) continue;
          server.faults.deafWhenLive = true;
          written = watchful.append('s-1', 'no-stream', newEvents(2));
        }
      };
      await soon('the events', reading());
      await written;
      expect(seen).toEqual(stored());
    });

    it('events of another process also reach a subscription that is dead', async () => {
      const watchful = await stores.open({ heartbeatMs: 50 });
      let written: Promise<unknown> | null = null;
      const seen = await subscribed(
        2,
        ({ caughtUp }) => {
          if (!caughtUp || written !== null) return;
          server.faults.deafWhenLive = true;
          written = store.append('s-1', 'no-stream', newEvents(2));
        },
        watchful,
      );
      await written;
      expect(seen).toEqual(stored());
    });

    const other = () => newEvents(1, 'Other');
    /** Ways in which this process learns of an event that the filter holds back; `there` is another process. */
    const waysToKnow: {
      readonly [how: string]: (here: EventStore, there: EventStore) => Promise<unknown>;
    } = {
      written: (here) => here.append('s-1', 'no-stream', other()),
      'read from its stream': async (here, there) => {
        await there.append('s-1', 'no-stream', other());
        await eventsOf(here, 's-1');
      },
      'read from the end of its stream': async (here, there) => {
        await there.append('s-1', 'no-stream', other());
        await eventsOf(here, 's-1', { direction: 'backwards', maxCount: 1 });
      },
      'found at the end of the log': async (here, there) => {
        await there.append('s-1', 'no-stream', other());
        await here.head();
      },
      'received by another subscription': async (here, there) => {
        const { position } = await there.append('s-1', 'no-stream', other());
        const { signal } = new AbortController();
        for await (const batch of here.subscribe({ types: ['Other'], signal }))
          if (batch.position >= position) break;
      },
    };
    for (const [how, learn] of Object.entries(waysToKnow)) {
      it(`the position passes an event that this process has ${how}, without a turn of the clock`, async () => {
        const here = await stores.open({ heartbeatMs: 10, now: () => 0 });
        const { signal } = new AbortController();
        let learning: Promise<unknown> | null = null;
        const passes = async (): Promise<void> => {
          for await (const { caughtUp, position } of here.subscribe({ types: ['Noted'], signal })) {
            if (caughtUp) learning ??= learn(here, store);
            const [held] = await eventsOf(store, 's-1');
            if (held !== undefined && position >= held.position) return;
          }
        };
        await soon('the position', passes());
        await learning;
      });
    }

    it('a subscription that never begins is replaced by plain reading', async () => {
      const quick = await stores.open({ quietMs: 50 });
      await store.append('s-1', 'no-stream', newEvents(3));
      server.faults.subscription = 'deaf';
      expect(idsOf(await everythingAfter(quick, START))).toEqual(stored());
    });

    it('a slow consumer slows the server down, and keeps the order', async () => {
      const text = 'x'.repeat(50_000);
      for (let turn = 0; turn < 60; turn += 1) {
        const events = Array.from({ length: 8 }, () => newEvent('Noted', { text }));
        await store.append(`s-${turn}`, 'no-stream', events);
      }
      let sentMeanwhile = 0;
      const seen = await subscribed(
        480,
        async (_, count) => {
          if (sentMeanwhile > 0) return;
          for (let before = -1; before !== server.traffic.sentEvents;) {
            before = server.traffic.sentEvents;
            for (let turn = 0; turn < 200; turn += 1) await setImmediate();
          }
          sentMeanwhile = server.traffic.sentEvents - count;
        },
        store,
        { batchSize: 10 },
      );
      expect(seen).toEqual(stored());
      expect(sentMeanwhile).toBeLessThan(240);
    });

    it('leaving the loop ends the call on the server', async () => {
      await store.append('s-1', 'no-stream', newEvents(3));
      for await (const batch of store.subscribe({ signal: new AbortController().signal })) {
        expect(batch.events.length).toBeGreaterThan(0);
        break;
      }
      const gone = async (): Promise<void> => {
        while (server.traffic.subscriptions > 0) await setImmediate();
      };
      await soon('the end of the call', gone());
      expect(server.traffic.subscriptions).toBe(0);
    });

    it('deleted streams still replay', async () => {
      const events = newEvents(2);
      await store.append('s-1', 'no-stream', events);
      await store.append('s-2', 'no-stream', newEvents(1));
      foreign('$$s-1', proposed('$metadata', '{"$tb":9223372036854775807}'));
      foreign('s-2', proposed('$streamDeleted', ''));
      expect(idsOf(await everythingAfter(store, START))).toEqual(stored().slice(0, 3));
      expect(await eventsOf(store, 's-1')).toEqual([]);
    });

    it('a store that is closed ends its subscriptions and leaves no call on the server', async () => {
      const reading = errorOf(subscribed(9, ({ caughtUp }) => void (caughtUp && store.close())));
      expect(await reading).toBeInstanceOf(StoreUnavailable);
      const gone = async (): Promise<void> => {
        while (server.traffic.subscriptions > 0) await setImmediate();
      };
      await soon('the end of the call', gone());
    });
  });
});
