import type { LeaseStore, RecordStore } from '#kernel/ports/read-store.port.js';
import { createHash } from 'node:crypto';
import { deliveryRecords } from '#delivery/webhooks/delivery-records.js';
import { webhookLane } from '#delivery/webhooks/webhook-lane.js';
import type { Outbound } from '#outbound/outbound.js';
import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import {
  webhookProgressKey,
  webhookProgressViews,
} from '#projections/delivery/webhook-progress/webhook-progress.projection.js';
import { mongoServer } from '../contract/mongo-read-store.fixture.js';
import { everyPoint, killedAt, killStride } from '../support/killed-points.js';
import { lifeUntil, mortal, type Life, type Lived } from '../support/mortal.js';
import { serverStores } from '../support/server-stores.js';
import { manualTimers, openWebhookScene, passUntil, type WebhookScene } from '../support/webhook-scene.js';

type HouseStoresOf = Parameters<typeof openWebhookScene>[0];

const EVENTS = 4;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

type Sent = { readonly id: string; readonly body: string; readonly isDelivered: boolean };

/** The distance between points: on servers a life takes long. */
const places: readonly (readonly [name: string, stores: HouseStoresOf | undefined, stride: number])[] = [
  ['embedded stores', undefined, 1],
  ['servers', serverStores, killStride(mongoServer === null ? 5 : 11)],
];

describe.each(places)('delivering webhooks, killed at every point: %s', (_, stores, stride) => {
  let scene: WebhookScene;
  beforeAll(async () => {
    scene = await openWebhookScene(stores);
  });
  afterAll(() => scene.house.close());

  /** A receiver that refuses the first attempt of one event, or all of them, from any process. */
  function receiver(refusedId: string, sent: Sent[] = [], refusesAll = false) {
    const outbound: Outbound = {
      request: async ({ headers = {}, body = '' }) => {
        const id = headers['webhook-id'] ?? '';
        const isDelivered = id !== refusedId || (!refusesAll && sent.some((earlier) => earlier.id === id));
        sent.push({ id, body: String(body), isDelivered });
        const status = isDelivered ? 204 : 500;
        const empty = (async function* () {})();
        const rest = { headers: {}, url: '', movedTo: null, usedException: false, discard: () => undefined };
        return { status, body: empty, ...rest };
      },
    };
    return { sent, outbound };
  }

  type World = {
    readonly endpoint: WebhookEndpointDocument;
    readonly events: readonly FeedEntryDocument[];
    readonly timers: ReturnType<typeof manualTimers>;
    readonly receiver: ReturnType<typeof receiver>;
  };
  async function world(): Promise<World> {
    const endpoint = await scene.endpoint();
    const events = await scene.happen(endpoint, EVENTS);
    const timers = manualTimers(Date.parse('2026-03-01T12:00:00.000Z'));
    return { endpoint, events, timers, receiver: receiver(events[1]?.id ?? '') };
  }

  /** The lane of a process that dies with its life. */
  function openLane(
    { timers, receiver: { outbound } }: World,
    life: Life,
    reads: RecordStore & LeaseStore = scene.house.reads,
  ) {
    const { house } = scene;
    let grown = (): void => undefined;
    const source = {
      ...scene.source(life),
      watch: (moved: () => void) => ((grown = moved), () => undefined),
    };
    const troubles: unknown[] = [];
    let hasEnded = false;
    void life.death.then(() => (hasEnded = true));
    const lane = webhookLane({
      source,
      readModels: source.readModels,
      reads: mortal(reads, life),
      commands: house.worker(life).commands,
      secrets: { get: (names) => life.step(async () => new Map(names.map((name) => [name, SECRET]))) },
      outbound: mortal(outbound, life),
      holder: 'test',
      now: house.now,
      nowMs: timers.nowMs,
      random: () => 0,
      // Timers of a dead process do not fire.
      later: (ms, act) => timers.later(ms, () => hasEnded || act()),
      watch: () => () => undefined,
      whenSetBack: () => undefined,
      onAttempt: () => undefined,
      onTrouble: (_, error) => void troubles.push(error),
    });
    return { lane, troubles, grown: () => grown(), end: () => (hasEnded = true), hasEnded: () => hasEnded };
  }

  /** Delivers until everything is delivered, stored and marked, or the process dies; returns whether it died. */
  async function deliverUntil(world: World, fatalPoint: number): Promise<Lived> {
    const { endpoint, events, timers } = world;
    const { house } = scene;
    const life = lifeUntil(fatalPoint);
    const { lane, troubles, end, hasEnded } = openLane(world, life);
    let isDone = false;
    const records = deliveryRecords(house.reads);
    const lastId = events.at(-1)?.id ?? '';
    const look = async (): Promise<void> => {
      const state = await records.state(endpoint.id);
      isDone = state !== null && state.open.length === 0 && state.markedId === lastId;
    };
    lane.start();
    for (let turns = 0; !hasEnded() && !isDone; turns += 1) {
      if (turns > 2_000) throw new Error(`it does not end: ${String(troubles)}`);
      const before = timers.nowMs();
      await passUntil(timers, () => hasEnded() || timers.nowMs() > before, 5_000);
      await look();
    }
    // A dead process releases nothing; a process may also die while it stops.
    if (!hasEnded()) await Promise.race([lane.stop(), life.death]);
    end();
    expect(troubles).toEqual([]);
    return { died: life.points() >= fatalPoint, points: life.points() };
  }

  /** Each event at least once, no others, each equal to its first delivery, and no work is left. */
  async function expectDelivered({ endpoint, events, receiver: { sent } }: World): Promise<void> {
    const delivered = new Set(sent.filter(({ isDelivered }) => isDelivered).map(({ id }) => id));
    expect([...delivered].sort()).toEqual(events.map(({ id }) => id).sort());
    for (const { id, body } of sent) {
      const before = events[events.findIndex((event) => event.id === id) - 1];
      expect(JSON.parse(body)).toMatchObject({ id, previous_id: before?.id ?? null });
    }
    const bodies = new Set(
      sent.map(({ id, body }) => `${id} ${createHash('sha256').update(body).digest('hex')}`),
    );
    expect(bodies.size).toBe(events.length);
    const records = deliveryRecords(scene.house.reads);
    const rows = await records.rows(endpoint.id, 100);
    expect(rows.map(({ row }) => row.status)).toEqual(rows.map(() => 'delivered'));
    await scene.house.caughtUp();
    const progress = await scene.house.reads.get(webhookProgressViews, webhookProgressKey(endpoint.id));
    expect(progress?.throughId).toBe(events.at(-1)?.id);
    await records.forget(endpoint.id);
    await scene.remove(endpoint);
  }

  it('DLV-05 delivers every event at least once and skips none, wherever and however often the process died', async () => {
    const deaths = await killedAt({
      pointsOf: (points) => everyPoint(points, stride),
      begin: world,
      workUntil: deliverUntil,
      async finish(disturbed, { died, fatalPoint }) {
        await deliverUntil(disturbed, fatalPoint);
        await deliverUntil(disturbed, Infinity);
        return died;
      },
      async check(delivered, died) {
        if (died === undefined) expect(delivered.receiver.sent.length).toBe(EVENTS + 1);
        await expectDelivered(delivered);
      },
    });
    expect(deaths.filter((died) => died).length * stride).toBeGreaterThan(50);
  }, 120_000);

  it.each([
    ['the request of an event is answered', 'request'],
    ['the row of a failed delivery is stored', 'row'],
  ])('DLV-05 sends an event again if the process dies before %s', async (_unfinished, what) => {
    const undelivered = await world();
    const { endpoint, events, timers, receiver: usual } = undelivered;
    const chosen = events[1]?.id ?? '';
    const never = new Promise<never>(() => undefined);
    const refusing = receiver(chosen, usual.sent, true).outbound;
    const outbound: Outbound = {
      request: (wanted) =>
        what === 'request' && wanted.headers?.['webhook-id'] === chosen ? never : refusing.request(wanted),
    };
    const { reads } = scene.house;
    const slow = {
      ...reads,
      putRecord: (...record: Parameters<typeof reads.putRecord>) =>
        record[0] === 'webhook-deliveries' ? never : reads.putRecord(...record),
    };
    const life = lifeUntil(Infinity);
    const unfinished = { ...undelivered, receiver: { ...usual, outbound } };
    const { lane, grown } = openLane(unfinished, life, what === 'row' ? slow : reads);
    lane.start();
    const isDelivered = (id: string): boolean => usual.sent.some((one) => one.id === id && one.isDelivered);
    await passUntil(timers, () => events.every(({ id }) => id === chosen || isDelivered(id)));
    // A later event moves the window, and what is settled is stored once a second.
    const more = { ...undelivered, events: await scene.happen(endpoint, 1) };
    grown();
    await passUntil(timers, () => isDelivered(more.events.at(-1)?.id ?? ''), 5_000);
    const until = timers.nowMs() + 5_000;
    await passUntil(timers, () => timers.nowMs() >= until);
    expect(await deliveryRecords(reads).state(endpoint.id)).not.toBeNull();
    life.kill();
    await deliverUntil(more, Infinity);
    await expectDelivered(more);
  });

  it('DLV-05 continues from the mark on the stream of the endpoint if the read store is lost', async () => {
    const continued = async (disturbed: World, killed?: Lived): Promise<World> => {
      await deliveryRecords(scene.house.reads).forget(disturbed.endpoint.id);
      await scene.house.caughtUp();
      const sentBefore = disturbed.receiver.sent.length;
      const more = { ...disturbed, events: await scene.happen(disturbed.endpoint, 1) };
      await deliverUntil(more, Infinity);
      // If everything was marked, only new events are sent.
      if (killed?.died !== true) expect(disturbed.receiver.sent.length).toBe(sentBefore + 1);
      return more;
    };
    await killedAt({
      pointsOf: (points) => everyPoint(points, 7 * stride, 2),
      begin: world,
      workUntil: deliverUntil,
      finish: continued,
      check: async (delivered, more) => expectDelivered(more ?? (await continued(delivered))),
    });
  }, 120_000);
});
