import { randomUUID } from 'node:crypto';
import { SHORT_LIVED_MS } from '#kernel/ports/short-lived.js';
import {
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
  type NewEvent,
} from '#kernel/ports/event-store.port.js';
import { copyStore } from '#runtime/copy-store.js';
import { errorOf, eventsOf, idsOf, soon } from '#test/support/event-stores.js';
import {
  eventStoreDbEventStores,
  type EventStoreDbEventStores,
} from '#test/support/eventstoredb-event-stores.js';
import { startTestService } from '#test/support/service.js';
import { startEventStoreDbServer, type EventStoreDbServer } from './eventstoredb/eventstoredb-server.js';
import type { AppendFault } from './eventstoredb/faults.js';

const STREAM = 'request-1_key';
const AN_HOUR_MS = 3_600_000;
const ANSWER_MS = 300;

const claim = (): NewEvent => ({ id: randomUUID(), type: 'Noted', data: {}, metadata: { workspaceId: '1' } });

describe('EventStoreDB, streams that expire (fault server)', () => {
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
  const metadataOf = (stream: string): readonly unknown[] =>
    server.log.stream(`$$${stream}`).map(({ data }) => JSON.parse(Buffer.from(data).toString()));

  it('get their maximum age before their first event, and no other stream does', async () => {
    const { revision } = await store.append(STREAM, 'no-stream', [claim()]);
    await store.append(STREAM, revision, [claim()]);
    for (const stream of ['list-1_1', 'request-operator_key'])
      await store.append(stream, 'no-stream', [claim()]);
    expect(metadataOf(STREAM)).toEqual([{ $maxAge: SHORT_LIVED_MS / 1_000 }]);
    const places = (stream: string) => server.log.stream(stream).map(({ position }) => position);
    const [ofMetadata] = places(`$$${STREAM}`);
    const [first] = places(STREAM);
    expect(ofMetadata !== undefined && first !== undefined && ofMetadata < first).toBe(true);
    expect([metadataOf('list-1_1'), metadataOf('request-operator_key')]).toEqual([[], []]);
  });

  const UNANSWERED: readonly AppendFault[] = ['silence before the write', 'clean end before the write'];
  for (const fault of UNANSWERED) {
    it(`${fault}: without an answer about the maximum age the append rejects in time, and the next one is stored`, async () => {
      const hasty = await stores.open({ answerMs: ANSWER_MS });
      server.faults.append = fault;
      const refusal = await errorOf(soon('the refusal', hasty.append(STREAM, 'no-stream', [claim()])));
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(refusal).toMatchObject({ outcome: 'nothing-written' });
      expect(server.log.stream(STREAM)).toEqual([]);
      const next = claim();
      await hasty.append(STREAM, 'no-stream', [next]);
      expect(idsOf(await eventsOf(hasty, STREAM))).toEqual([next.id]);
      expect(metadataOf(STREAM)).toHaveLength(1);
    });
  }

  it('are new again after their time, and continue counting', async () => {
    await store.append(STREAM, 'no-stream', [claim(), claim()]);
    server.log.age(SHORT_LIVED_MS + AN_HOUR_MS);
    expect(await eventsOf(store, STREAM)).toEqual([]);
    const again = claim();
    expect((await store.append(STREAM, 'no-stream', [again])).revision).toBe(2n);
    expect(idsOf(await eventsOf(store, STREAM))).toEqual([again.id]);
    expect(idsOf(await eventsOf(store, STREAM, { direction: 'backwards' }))).toEqual([again.id]);
    // While any event of it remains it is not new.
    await expect(store.append(STREAM, 'no-stream', [claim()])).rejects.toThrow(WrongExpectedRevision);
  });

  it('are read although their beginning is gone; every other stream is refused then', async () => {
    const both = [claim(), claim()];
    await store.append(STREAM, 'no-stream', both.slice(0, 1));
    await store.append('list-1_1', 'no-stream', both);
    server.log.age(SHORT_LIVED_MS + AN_HOUR_MS);
    server.log.scavenge(({ stream, revision }) => !stream.startsWith('$') && revision === 0n);
    const next = claim();
    await expect(eventsOf(store, 'list-1_1')).rejects.toThrow(/was cut on the server/);
    await store.append(STREAM, 'no-stream', [next]);
    expect(idsOf(await eventsOf(store, STREAM))).toEqual([next.id]);
  });

  it('have no checkpoint: a query for the last lasting event finds one before them', async () => {
    const { position } = await store.append('list-1_1', 'no-stream', [claim()]);
    const after = await store.append(STREAM, 'no-stream', [claim()]);
    expect((await store.lastEvent(after.position))?.stream).toBe(STREAM);
    expect((await store.lastEvent(after.position, 'lasting'))?.position).toBe(position);
    expect((await store.lastEvent(undefined, 'lasting'))?.position).toBe(position);
    expect(await store.sweep(new Date())).toEqual({ removed: 0, isDone: true });
  });
});

describe('OP-66 a service on EventStoreDB whose keys have expired', () => {
  it('carries a request out again, needs no rebuild after a scavenge, and is copied as before', async () => {
    using server = await startEventStoreDbServer();
    const environment = {
      EVENT_STORE_URL: server.url,
      CLOCK: 'manual',
      CURSOR_SECRET: 'the same in both processes',
    };
    const first = await startTestService(environment);
    await first.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    const workspace = await first.workspace();
    const post = (service: typeof first, key: string) =>
      service.call(
        'POST /api/v2/lists',
        { type: 'competitor', name: 'Rivals' },
        { authorization: `Bearer ${workspace.apiKey}`, 'idempotency-key': key },
      );
    const one = await post(first, 'kept');
    expect((await post(first, 'kept')).headers.get('idempotency-replayed')).toBe('true');
    await post(first, 'another');
    await first.service.stop();
    const before = await copyStore(
      { kind: 'esdb', url: server.url },
      { kind: 'sqlite', path: `${first.dataDirectory}/before.db` },
    );
    server.log.age(SHORT_LIVED_MS + AN_HOUR_MS);
    // The server keeps the last record of every stream.
    server.log.scavenge(
      ({ stream, revision }) =>
        stream.startsWith('request-1_') && revision + 1n < server.log.stream(stream).length,
    );
    const after = await copyStore(
      { kind: 'esdb', url: server.url },
      { kind: 'sqlite', path: `${first.dataDirectory}/after.db` },
    );
    expect([after.sha256, after.events]).toEqual([before.sha256, before.events]);

    const second = await startTestService(environment, first.dataDirectory);
    const { body } = await second.ops('projections.list');
    expect(body.projections.map(({ live }: { readonly live: number }) => live)).toEqual(
      body.projections.map(() => 1),
    );
    await second.ops('clock.advance', { ms: SHORT_LIVED_MS + AN_HOUR_MS });
    const anew = await post(second, 'kept');
    expect([anew.status, anew.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(anew.body.data.id).not.toBe(one.body.data.id);
    const replayed = await post(second, 'kept');
    expect([replayed.status, replayed.body]).toEqual([201, anew.body]);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    await second.stop();
  });
});
