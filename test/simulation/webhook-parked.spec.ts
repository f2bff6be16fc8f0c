import { feedPage, feedSource, type FeedSource } from '#delivery/event-feed.js';
import { webhookLane, type WebhookLane } from '#delivery/webhooks/webhook-lane.js';
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
  /** Whether the feed of a generation that was built anew lacks what was set aside. */
  let isHidden = false;
  beforeAll(async () => {
    scene = await openWebhookScene();
  });
  afterEach(async () => {
    isHidden = false;
    parkedViews.clear();
    await Promise.all(lanes.splice(0).map((lane) => lane.stop()));
  });
  afterAll(() => scene.house.close());

  const readModels = (): ReadModels =>
    new Proxy<ReadModels>(scene.house.reads, {
      get(reads, name) {
        const member: unknown = Reflect.get(reads, name);
        if (typeof member !== 'function') return member;
        return (view: ViewShape, ...rest: unknown[]): unknown =>
          isHidden && name === 'find' && view.name === eventFeed.name
            ? Promise.resolve([])
            : Reflect.apply(member, reads, [view, ...rest]);
      },
    });
  const source = (): FeedSource =>
    feedSource(readModels(), scene.house.operator.network.directory, {
      standing: (_, workspaceId) => viewStanding(scene.house.reads, eventFeed, workspaceId),
      watch: () => () => undefined,
      isParked: async (view) => parkedViews.has(view),
    });

  /** Delivers; what came, in the order of its coming, and what was told to have failed. */
  function deliver(): {
    readonly timers: ManualTimers;
    readonly troubles: readonly unknown[];
    readonly bodies: readonly { id: string; data: unknown }[];
  } {
    const timers = manualTimers(Date.parse('2026-03-01T12:00:00.000Z'));
    const bodies: { id: string; data: unknown }[] = [];
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

  it('DLV-04 sends nothing that a parked read model would have told wrongly, and all of it afterwards', async () => {
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

  it('DLV-05 skips nothing that its filters cannot decide about while a read model is parked', async () => {
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

  /** Parks the workspace in the feed at an event, as a fold that fails does. */
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

  it('DLV-01 stop where the feed of the workspace stops, and go on by themselves when it is folded', async () => {
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
});
