import { FEED_TYPES } from '#projections/delivery/event-feed/event-feed.projection.js';
import { expectDescribed } from '#test/support/declared-answers.js';
import { furnish } from '#test/support/every-route.js';
import { scene, sharedWorkspace, type SceneList } from '#test/support/scene.js';
import { startReceiver, type Receiver } from '#test/support/webhook-receiver.js';

type Event = { readonly id: string; readonly type: string; readonly data: never };

/** Events about credits are covered in `thresholds`, and those about cover in `monitoring-money`. */
const CAUSED_HERE = [
  'signal.detected',
  'run.ended',
  'mapping.completed',
  'content_request.failed',
  'top_account.resolved',
  'list.member_unresolved',
  'endpoint.disabled',
];

describe('DLV-02 the events about each object', () => {
  let receiver: Receiver;
  let feed: readonly Event[];
  let list: SceneList;

  // Registered first, so that the receiver is closed before the service stops.
  afterAll(() => receiver.close());
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    settings: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' },
  });
  const workspace = sharedWorkspace(service, {}, async (own) => {
    receiver = await startReceiver();
    const { secret } = await own.data('POST /api/v3/webhook-endpoints', { url: receiver.url });
    receiver.secrets = [secret];
    const owned = await furnish(service, own);
    list = await own.list('influencer', ['not-there']);
    await service.drain();
    await service.ingest([{ kind: 'missing', ref: 'm:not-there', handle: 'not-there' }]);
    await service.drain();
    const endpoint = `/api/v3/webhook-endpoints/${owned['/api/v3/webhook-endpoints/']}`;
    await own.data(`PATCH ${endpoint}`, { enabled: false });
    feed = await own.data('GET /api/v3/events?limit=100');
  });

  const dataOf = (type: string): readonly unknown[] =>
    feed.filter((event) => event.type === type).map(({ data }) => data);
  /** Each object by its id, as the API lists it. */
  const listed = async (route: string) => {
    const data: readonly { readonly id: number }[] = await workspace.data(route);
    return new Map(data.map((thing) => [thing.id, thing]));
  };

  it('include every type that is covered here, and each type is a declared one', () => {
    expect([...new Set(feed.map(({ type }) => type))].sort()).toEqual([...CAUSED_HERE].sort());
    expect(CAUSED_HERE.filter((type) => !FEED_TYPES.some((known) => known === type))).toEqual([]);
  });

  it('have the form in which the API returns the object, with its credits and movement', async () => {
    const signals = await listed('POST /api/v3/signals/query');
    for (const signal of dataOf('signal.detected') as readonly { readonly id: number }[])
      expect(signal).toEqual(signals.get(signal.id));
    expect(dataOf('signal.detected')).toEqual(
      expect.arrayContaining([expect.objectContaining({ credits: 10, movement_id: expect.any(Number) })]),
    );
    for (const run of dataOf('run.ended') as readonly { readonly signal_request_id: number }[])
      expect(run).toEqual((await workspace.poll(run.signal_request_id)).body);
    const [account] = dataOf('top_account.resolved') as readonly { readonly id: number }[];
    expect(account).toMatchObject({ company: { domain: 'account-of-ours.example', status: 'found' } });
    const requests = await listed('GET /api/v2/content-requests');
    const [failed] = dataOf('content_request.failed') as readonly { readonly id: number }[];
    expect(failed).toEqual(requests.get(failed?.id ?? 0));
    const mappings = await listed('GET /api/v2/company-mappings');
    const [mapping] = dataOf('mapping.completed') as readonly { readonly id: number }[];
    expect(mapping).toEqual(mappings.get(mapping?.id ?? 0));
    const members = await listed(`GET /api/v2/${list.path}/members`);
    const [unresolved] = dataOf('list.member_unresolved') as readonly {
      readonly member: { readonly id: number };
    }[];
    expect(unresolved).toEqual({ list_id: list.id, member: members.get(unresolved?.member.id ?? 0) });
    const endpoints = await listed('GET /api/v3/webhook-endpoints');
    const [disabled] = dataOf('endpoint.disabled') as readonly { readonly id: number }[];
    expect(disabled).toEqual(endpoints.get(disabled?.id ?? 0));
  });

  it('are the same in a delivery, as its type is described', async () => {
    const received = await receiver.until(feed.length);
    for (const { id, body } of received) {
      const { previous_id: _, ...event } = body;
      expectDescribed(body);
      expect(event).toEqual(feed.find((each) => each.id === id));
    }
    expect(new Set(received.map(({ id }) => id)).size).toBe(feed.length);
  });
});
