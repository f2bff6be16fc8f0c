import { feedPage, feedPoint, feedSource, type FeedSource } from '#delivery/event-feed.js';
import { deliveryRecords } from '#delivery/webhooks/delivery-records.js';
import { webhookLane, type WebhookLane } from '#delivery/webhooks/webhook-lane.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadModels, ViewShape } from '#kernel/ports/read-store.port.js';
import type { Outbound } from '#outbound/outbound.js';
import { deleteParkedWorkspace, putParkedWorkspace } from '#projection-engine/parked.js';
import { viewStanding } from '#projection-engine/view-standing.js';
import { eventFeed, type FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import {
  webhookEndpointViews,
  type WebhookEndpointDocument,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import {
  manualTimers,
  openWebhookScene,
  passUntil,
  type ManualTimers,
  type WebhookScene,
} from '../support/webhook-scene.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const MINUTE_MS = 60_000;

describe('webhooks of a workspace that is parked in a read model', () => {
  let scene: WebhookScene;
  const lanes: WebhookLane[] = [];
  /** Views in which every workspace is parked. */
  const parkedViews = new Set<string>();
  /** Entries that the feed lacks: a rebuilt generation has parked them. */
  const hidden = new Set<string>();
  beforeAll(async () => {
    scene = await openWebhookScene();
  });
  afterEach(async () => {
    hidden.clear();
    parkedViews.clear();
    await Promise.all(lanes.splice(0).map((lane) => lane.stop()));
  });
  afterAll(() => scene.house.close());

  const readModels = (): ReadModels =>
    new Proxy<ReadModels>(scene.house.reads, {
      get(reads, name) {
        const member: unknown = Reflect.get(reads, name);
        if (typeof member !== 'function') return member;
        return async (view: ViewShape, ...rest: unknown[]): Promise<unknown> => {
          const found: unknown = await Reflect.apply(member, reads, [view, ...rest]);
          return view.name === eventFeed.name && Array.isArray(found)
            ? found.filter(({ id }) => !hidden.has(id))
            : found;
        };
      },
    });
  const source = (): FeedSource =>
    feedSource(readModels(), scene.house.operator.network.directory, {
      standing: (_, workspaceId) => viewStanding(scene.house.reads, eventFeed, workspaceId),
      watch: () => () => undefined,
      isParked: async (view) => parkedViews.has(view),
    });

  /** Delivers; records the deliveries in their order, and the reported failures. */
  function deliver(): {
    readonly timers: ManualTimers;
    readonly troubles: readonly unknown[];
    readonly bodies: readonly { id: string; previous_id: string | null; data: unknown }[];
  } {
    const timers = manualTimers(Date.parse('2026-03-01T12:00:00.000Z'));
    const bodies: { id: string; previous_id: string | null; data: unknown }[] = [];
    const troubles: unknown[] = [];
    const outbound: Outbound = {
      request: async ({ body = '' }) => {
        bodies.push(JSON.parse(String(body)));
        const rest = { headers: {}, url: '', movedTo: null, usedException: false, discard: () => undefined };
        return { status: 204, body: (async function* () {})(), ...rest };
      },
    };
    const lane = webhookLane({
      source: source(),
      readModels: readModels(),
      reads: scene.house.reads,
      commands: scene.house.operator.commands,
      secrets: { get: async (names) => new Map(names.map((name) => [name, SECRET])) },
      outbound,
      holder: 'test',
      now: scene.house.now,
      nowMs: timers.nowMs,
      random: () => 0,
      later: timers.later,
      watch: () => () => undefined,
      whenSetBack: () => undefined,
      onAttempt: () => undefined,
      onTrouble: (_, error) => void troubles.push(error),
    });
    lanes.push(lane);
    lane.start();
    return { timers, bodies, troubles };
  }

  const ids = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map(({ id }) => id);

  async function passMinutes(timers: ManualTimers, minutes: number): Promise<void> {
    const until = timers.nowMs() + minutes * MINUTE_MS;
    await passUntil(timers, () => timers.nowMs() >= until, 1_000);
  }

  it('DLV-04 sends nothing that a parked read model would render wrongly, and all of it afterwards', async () => {
    const endpoint = await scene.endpoint();
    const events = await scene.happen(endpoint, 3);
    parkedViews.add(webhookEndpointViews.name);
    const { timers, bodies, troubles } = deliver();
    await passMinutes(timers, 3);
    expect(bodies).toEqual([]);
    // Each of them is tried once a second.
    expect(troubles.length).toBeGreaterThan(10);
    expect(troubles.length).toBeLessThanOrEqual(events.length * 3 * 61);
    parkedViews.clear();
    await passUntil(timers, () => bodies.length === events.length);
    expect(ids(bodies)).toEqual(ids(events));
    expect(bodies.map(({ data }) => data)).toEqual(
      events.map(() => expect.objectContaining({ url: endpoint.url })),
    );
    await scene.remove(endpoint);
  });

  it('DLV-05 skips nothing while a read model that its filters need is parked', async () => {
    const endpoint = await scene.endpoint({ signalTemplateKeys: ['mentioned-keywords-on-network'] });
    const events = await scene.happen(endpoint, 2);
    parkedViews.add('signal-setups').add('signal-runs');
    const { timers, bodies } = deliver();
    await passMinutes(timers, 1);
    expect(bodies).toEqual([]);
    parkedViews.clear();
    await passUntil(timers, () => bodies.length === events.length);
    expect(ids(bodies)).toEqual(ids(events));
    await scene.remove(endpoint);
  });

  /** Parks the workspace in the feed at an event, like a failed fold. */
  async function parkFeedAt(
    { workspaceId }: WebhookEndpointDocument,
    { position }: FeedEntryDocument,
  ): Promise<() => Promise<void>> {
    const { reads } = scene.house;
    const { live } = await reads.generations(eventFeed);
    const generation = { view: eventFeed, generation: live ?? 0 };
    const parked = { reason: 'a test', type: '', stream: '', revision: '0', position };
    await putParkedWorkspace(reads, generation, { ...parked, workspaceId: String(workspaceId) });
    return () => deleteParkedWorkspace(reads, generation, String(workspaceId));
  }

  it('DLV-01 stop where the feed of the workspace stops, and continue by themselves after the drain', async () => {
    const endpoint = await scene.endpoint();
    const events = await scene.happen(endpoint, 5);
    const [, , third] = events;
    if (third === undefined) throw new Error('five events happened');
    const unpark = await parkFeedAt(endpoint, third);
    const asked = {
      workspaceId: endpoint.workspaceId,
      types: null,
      after: null,
      since: new Date(0),
      limit: 10,
    };
    const page = await feedPage(source(), asked);
    expect([ids(page.entries), page.hasMore, page.isStopped]).toEqual([ids(events.slice(0, 2)), false, true]);
    const { timers, bodies } = deliver();
    await passMinutes(timers, 3);
    expect(ids(bodies)).toEqual(ids(events.slice(0, 2)));
    await unpark();
    const unparkedAt = timers.nowMs();
    await passUntil(timers, () => bodies.length === events.length, 1_000);
    expect(timers.nowMs() - unparkedAt).toBeLessThanOrEqual(2 * MINUTE_MS);
    expect(ids(bodies)).toEqual(ids(events));
    await scene.remove(endpoint);
  });

  /** Sends events and ends; then the feed is rebuilt and parks the last of them, and one more event happens. */
  async function stoppedAtTheLast(endpoint: WebhookEndpointDocument) {
    const events = await scene.happen(endpoint, 3);
    const { timers, bodies } = deliver();
    await passUntil(timers, () => bodies.length === events.length);
    // The settled position is on the stream of the endpoint by then.
    await passMinutes(timers, 2);
    await lanes.pop()?.stop();
    await scene.house.caughtUp();
    const last = events[2];
    if (last === undefined) throw new Error('three events happened');
    const [next] = (await scene.happen(endpoint, 1)).slice(events.length);
    if (next === undefined) throw new Error('one more event happened');
    hidden.add(last.id).add(next.id);
    const unpark = await parkFeedAt(endpoint, last);
    return {
      last,
      next,
      async fold(): Promise<void> {
        hidden.clear();
        await unpark();
      },
    };
  }

  it.each([
    ['its record', false],
    ['the log, after the read store was lost', true],
  ])(
    'DLV-05 wait if the event at their position by %s is parked: none is sent again or skipped',
    async (_, isLost) => {
      const endpoint = await scene.endpoint();
      const { last, next, fold } = await stoppedAtTheLast(endpoint);
      if (isLost) await deliveryRecords(scene.house.reads).forget(endpoint.id);
      const { timers, bodies, troubles } = deliver();
      await passMinutes(timers, 3);
      expect(bodies).toEqual([]);
      expect(troubles.length).toBeGreaterThan(10);
      expect(troubles.every((error) => error instanceof StoreUnavailable)).toBe(true);
      await fold();
      await passUntil(timers, () => bodies.length > 0);
      await passMinutes(timers, 3);
      expect(bodies.map(({ id, previous_id }) => [id, previous_id])).toEqual([[next.id, last.id]]);
      await scene.remove(endpoint);
    },
  );

  it('DLV-01 a parked cursor is answered 503 and not 410, until it is drained', async () => {
    const endpoint = await scene.endpoint();
    const { last, fold } = await stoppedAtTheLast(endpoint);
    const place = () => feedPoint(source(), endpoint.workspaceId, last.id);
    await expect(place()).rejects.toThrow(StoreUnavailable);
    await fold();
    expect(await place()).toMatchObject({ position: last.position, place: last.place });
    await scene.remove(endpoint);
  });
});
