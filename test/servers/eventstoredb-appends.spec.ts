import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AppendTooLarge,
  START,
  StoreUnavailable,
  StoreUnusable,
  type EventStore,
} from '#kernel/ports/event-store.port.js';
import {
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
import { mortalEventStoreDb, type MortalEventStoreDb } from '#test/support/mortal-eventstoredb.js';
import { proposed } from './eventstoredb/event-log.js';
import { startEventStoreDbServer, type EventStoreDbServer } from './eventstoredb/eventstoredb-server.js';
import type { AppendFault } from './eventstoredb/faults.js';

/** Shorter waits than in the service: some servers here stay silent permanently. */
const IMPATIENT = { answerMs: 1_000, patienceMs: 1_500, silenceMs: 1_000 };

describe('EventStoreDB, connection and appends (fault server)', () => {
  let server: EventStoreDbServer;
  let stores: EventStoreDbEventStores;
  let store: EventStore;
  beforeEach(async () => {
    server = await startEventStoreDbServer();
    stores = eventStoreDbEventStores(server.url);
    store = await stores.open(IMPATIENT);
  });
  afterEach(async () => {
    await stores.closeAll();
    server.stop();
  });
  const idsIn = (stream: string): readonly string[] => server.log.stream(stream).map(({ id }) => id);

  describe('connection', () => {
    it('one client’s stream error rejects no append of another client in the process', async () => {
      using other = await startEventStoreDbServer();
      const others = eventStoreDbEventStores(other.url);
      const neighbour = await others.open();
      server.faults.append = 'break after the write';
      const all = [
        store.append('mine-1', 'no-stream', newEvents(1)),
        ...Array.from({ length: 20 }, (_, index) =>
          neighbour.append(`theirs-${index}`, 'no-stream', newEvents(1)),
        ),
      ];
      expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(all.map(() => 'fulfilled'));
      expect(other.seenAppends).toHaveLength(20);
      expect(server.seenAppends).toHaveLength(2);
      await others.closeAll();
    });

    it('the client of the successor is never loaded beside it, and persistent subscriptions are never used', () => {
      expect(readFileSync('package.json', 'utf8')).not.toContain('@kurrent');
      const folder = 'libs/event-store/eventstoredb';
      const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
      expect(sources.length).toBeGreaterThan(5);
      expect(sources.filter((source) => /ersistentSubscription/.test(source))).toEqual([]);
    });

    it('the package is hidden behind the port: only one folder of the shipped code imports it', () => {
      const knowing = ['apps', 'libs', 'projections'].flatMap((room) =>
        readdirSync(room, { recursive: true, encoding: 'utf8' })
          .map((file) => join(room, file))
          .filter((file) => file.endsWith('.ts') && readFileSync(file, 'utf8').includes('@eventstore/')),
      );
      expect(knowing.length).toBeGreaterThan(5);
      expect([...new Set(knowing.map((file) => dirname(file)))]).toEqual(['libs/event-store/eventstoredb']);
    });

    it('credentials are those of the connection string: no call brings its own, and without TLS none is sent', async () => {
      const named = await stores.open({ url: server.url.replace('//', '//admin:hunter2@') });
      await named.append('s-1', 'no-stream', newEvents(1));
      expect(await everythingAfter(named, START)).toHaveLength(1);
      expect(server.seenSubscriptions).toHaveLength(1);
      expect(server.seenCredentials).toEqual([]);
      const folder = 'libs/event-store/eventstoredb';
      const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
      expect(sources.filter((source) => /\bcredentials:/.test(source))).toEqual([]);
    });

    it('takes esdb:// and esdb+discover:// only, and shows no password of another', async () => {
      const refusal = await errorOf(stores.open({ url: 'http://admin:hunter2@127.0.0.1:2113' }));
      expect(refusal).toBeInstanceOf(StoreUnusable);
      expect(String(refusal)).not.toContain('hunter2');
      expect(String(refusal)).not.toContain('\n');
      const discovering = await stores.open({ url: server.discoverUrl });
      await discovering.append('found-1', 'no-stream', newEvents(1));
      const named = await stores.open({ url: server.url.replace('//', '//admin:hunter2@') });
      expect(await eventsOf(named, 'found-1')).toHaveLength(1);
    });

    it('$all needs $admins or an ACL: without the right the store does not open', async () => {
      server.faults.read = 'access denied';
      server.faults.readTimes = 99;
      const refusal = await errorOf(stores.open(IMPATIENT));
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(refusal).toMatchObject({ message: expect.stringMatching(/Access Denied/i) });
    });

    it('with the server down it rejects as not written, and recovers by itself when it is back', async () => {
      await store.append('s-1', 'no-stream', newEvents(1));
      server.stop();
      for (const attempt of [1, 2, 3, 4]) {
        const refusal = await errorOf(store.append(`down-${attempt}`, 'no-stream', newEvents(1)));
        expect(refusal).toBeInstanceOf(StoreUnavailable);
      }
      expect(await errorOf(store.append('down-5', 'no-stream', newEvents(1)))).toMatchObject({
        outcome: 'nothing-written',
      });
      expect(await errorOf(store.head())).toBeInstanceOf(StoreUnavailable);
      server = await startEventStoreDbServer({ port: server.port, log: server.log });
      await store.append('s-1', 0n, newEvents(1));
      expect(idsIn('s-1')).toHaveLength(2);
      expect(idsIn('down-5')).toEqual([]);
    });

    it('esdb+discover:// stays unusable after one failed discovery: a new client finds the leader again', async () => {
      const discovering = await stores.open({ ...IMPATIENT, url: server.discoverUrl });
      await discovering.append('s-1', 'no-stream', newEvents(1));
      const { port, log } = server;
      server.stop();
      expect(await errorOf(discovering.append('s-1', 0n, newEvents(1)))).toBeInstanceOf(StoreUnavailable);
      server = await startEventStoreDbServer({ port, log });
      server.faults.gossip = 'no leader';
      expect(await errorOf(discovering.append('s-1', 0n, newEvents(1)))).toMatchObject({
        outcome: 'nothing-written',
      });
      server.faults.gossip = null;
      await discovering.append('s-1', 0n, newEvents(1));
      expect(log.stream('s-1')).toHaveLength(2);
    });

    it('follows the server to the leader that it names', async () => {
      server.faults.append = 'not leader';
      await store.append('s-1', 'no-stream', newEvents(2));
      expect(idsIn('s-1')).toHaveLength(2);
    });
  });

  describe('append', () => {
    const STORED_ONCE: readonly AppendFault[] = [
      'silence before the write',
      'silence after the write',
      'clean end before the write',
      'clean end after the write',
      'break after the write',
      'timeout after the write',
      'internal error after the write',
      'unknown before the write',
      'not ready',
    ];
    for (const fault of STORED_ONCE) {
      it(`${fault}: with or without a known outcome, the same ids at the same revision are sent again and are stored once`, async () => {
        await store.append('s-1', 'no-stream', newEvents(1));
        server.faults.append = fault;
        const events = newEvents(3);
        const answer = await soon('the answer', store.append('s-1', 0n, events));
        expect(answer.revision).toBe(3n);
        expect(idsIn('s-1').slice(1)).toEqual(idsOf(events));
        const [, first, second] = server.seenAppends;
        expect(second).toEqual(first);
        expect(server.seenAppends).toHaveLength(3);
      });
    }

    it('the deadline is only sent to the server: the own timer detects a server that stays silent', async () => {
      server.faults.append = 'silence after the write';
      server.faults.appendTimes = 99;
      const refusal = await soon('the answer', errorOf(store.append('s-1', 'no-stream', newEvents(1))));
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(refusal).toMatchObject({ outcome: 'unknown' });
      expect(idsIn('s-1')).toHaveLength(1);
    });

    it('while the server starts, appends fail with "Server Is Not Ready": retryable, and nothing was written', async () => {
      server.faults.append = 'not ready';
      server.faults.appendTimes = 99;
      expect(await errorOf(store.append('s-1', 'no-stream', newEvents(1)))).toMatchObject({
        name: 'StoreUnavailable',
        outcome: 'nothing-written',
        message: expect.stringContaining('Server Is Not Ready'),
      });
    });

    it('an internal error of the server differs from "not ready" only by its message: the outcome is unknown', async () => {
      server.faults.append = 'internal error after the write';
      server.faults.appendTimes = 99;
      expect(await errorOf(store.append('s-1', 'no-stream', newEvents(1)))).toMatchObject({
        name: 'StoreUnavailable',
        outcome: 'unknown',
      });
    });

    it('on WrongExpectedVersion it reads back: own event ids present means success', async () => {
      const events = newEvents(2);
      const first = await store.append('s-1', 'no-stream', events);
      await store.append('s-1', 1n, newEvents(1));
      server.faults.append = 'forgets ids';
      expect(await store.append('s-1', 'no-stream', events)).toEqual(first);
      expect(idsIn('s-1')).toHaveLength(3);
    });

    it('the refusal names the correct actual version, for any revision', async () => {
      await store.append('s-1', 'no-stream', newEvents(7));
      expect(await errorOf(store.append('s-1', 2n, newEvents(1)))).toMatchObject({
        expected: 2n,
        actual: 6n,
      });
    });

    it('a BigInt or a throwing toJSON in the data is refused before anything is sent', async () => {
      const rejections: unknown[] = [];
      const note = (reason: unknown): unknown => rejections.push(reason);
      process.on('unhandledRejection', note);
      const broken = [
        { amount: 1n },
        {
          toJSON: () => {
            throw new TypeError('no');
          },
        },
      ];
      for (const data of broken) {
        const event = { ...newEvent(), data: data as never };
        expect(await errorOf(store.append('s-1', 'no-stream', [event]))).toBeInstanceOf(TypeError);
      }
      await store.append('s-1', 'no-stream', newEvents(1));
      process.removeListener('unhandledRejection', note);
      expect(rejections).toEqual([]);
      expect(server.seenAppends).toHaveLength(1);
    });

    it('an append over the server’s limit is not retried', async () => {
      const event = newEvent('x'.repeat(600_000));
      const patient = await stores.open();
      expect(await errorOf(patient.append('s-1', 'no-stream', [event]))).toBeInstanceOf(AppendTooLarge);
      expect(server.seenAppends).toHaveLength(1);
    });

    it('a server without batch appends is too old, and this is reported at the first one', async () => {
      server.faults.withoutBatches = true;
      const refusal = await errorOf(store.append('s-1', 'no-stream', newEvents(1)));
      expect(refusal).toBeInstanceOf(StoreUnusable);
      expect(String(refusal)).toContain('22.10');
    });

    it('an append that is denied is not repeated, and nothing was written', async () => {
      server.faults.append = 'access denied';
      expect(await errorOf(store.append('s-1', 'no-stream', newEvents(1)))).toMatchObject({
        name: 'StoreUnavailable',
        outcome: 'nothing-written',
      });
      expect(server.seenAppends).toHaveLength(1);
    });

    it('never expects "any": every append that arrives has no-stream or an exact revision', async () => {
      await store.append('s-1', 'no-stream', newEvents(2));
      await store.append('s-1', 1n, newEvents(1));
      expect(server.seenAppends.map(({ expected }) => expected)).toEqual(['no-stream', 1n]);
    });

    it('takes the answer to an append whose correlation id comes in two halves', async () => {
      server.faults.structuredIds = true;
      expect(await store.append('s-1', 'no-stream', newEvents(2))).toMatchObject({ revision: 1n });
      expect(server.seenAppends).toHaveLength(1);
    });

    it('reports the store as unusable when a stream was deleted on the server', async () => {
      await store.append('s-1', 'no-stream', newEvents(2));
      server.log.write('s-1', 'any', [proposed('$streamDeleted', '')]);
      expect(await errorOf(store.append('s-1', 1n, newEvents(1)))).toBeInstanceOf(StoreUnusable);
      expect(await errorOf(eventsOf(store, 's-1'))).toBeInstanceOf(StoreUnusable);
      await store.append('s-2', 'no-stream', newEvents(2));
      server.log.write('$$s-2', 'any', [proposed('$metadata', '{"$tb":9223372036854775807}')]);
      expect(await errorOf(store.append('s-2', 'no-stream', newEvents(1)))).toBeInstanceOf(StoreUnusable);
    });
  });
});

describe('EventStoreDB in a process that freezes and dies', () => {
  let server: MortalEventStoreDb;
  let stores: EventStoreDbEventStores;
  beforeEach(async () => {
    server = await mortalEventStoreDb();
    stores = eventStoreDbEventStores(server.url);
  });
  afterEach(async () => {
    await stores.closeAll();
    await server.remove();
  });

  it('a frozen server is noticed by the own timer, not after the keepalive of the client', async () => {
    const store = await stores.open({ answerMs: 1_000, patienceMs: 1_000, silenceMs: 1_000 });
    const events = newEvents(2);
    await store.append('s-1', 'no-stream', newEvents(1));
    server.freeze();
    const refusal = await soon('the own timer', errorOf(store.append('s-1', 0n, events)));
    const silent = await soon('the own timer', errorOf(eventsOf(store, 's-1')));
    server.thaw();
    expect(refusal).toMatchObject({ name: 'StoreUnavailable', outcome: 'unknown' });
    expect(silent).toBeInstanceOf(StoreUnavailable);
    const patient = await stores.open();
    expect(await patient.append('s-1', 0n, events)).toMatchObject({ revision: 2n });
    expect(await eventsOf(patient, 's-1')).toHaveLength(3);
  });

  it('a killed server rejects every append in flight: each is stored whole or not, and is answered after the restart', async () => {
    const store = await stores.open({ patienceMs: 20_000 });
    const batches = Array.from({ length: 64 }, () => newEvents(3));
    await server.set({ append: 'kill after the write', appendAfter: 20 });
    const answers = Promise.allSettled(
      batches.map((events, index) => store.append(`s-${index}`, 'no-stream', events)),
    );
    await server.ended();
    await server.restart();
    const outcomes = await soon('every answer', answers);
    for (const [index, events] of batches.entries()) {
      const stored = idsOf(await eventsOf(store, `s-${index}`));
      if (outcomes[index]?.status === 'fulfilled') expect(stored).toEqual(idsOf(events));
      else expect([[], idsOf(events)]).toContainEqual(stored);
    }
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(20);
  });

  for (const fault of ['kill before the write', 'kill after the write'] as const) {
    it(`${fault}: the append is finished after the restart and is stored once`, async () => {
      const store = await stores.open({ patienceMs: 20_000 });
      await store.append('s-1', 'no-stream', newEvents(1));
      await server.set({ append: fault });
      const events = newEvents(2);
      const answer = store.append('s-1', 0n, events);
      await server.ended();
      await server.restart();
      expect(await soon('the answer', answer)).toMatchObject({ revision: 2n });
      expect(idsOf(await eventsOf(store, 's-1')).slice(1)).toEqual(idsOf(events));
    });
  }
});
