import { addTo } from '#test/support/list-agents.js';
import { heldCalls, includesType } from '#test/support/held-calls.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { soon } from '#test/support/event-stores.js';

const MEMBERS = 102;
const MEMBERS_OF_A_CALL = 100;
/** More than a thousand units. */
const PERSONAS = 10;

/** Calls of the worker, and those of the process that answers. */
const held = heldCalls();
const heldThere = heldCalls();
let other: TestService;

// Registered first, so that it stops before the service whose stores it uses.
afterAll(() => other.service.stop());
const service = scene({
  outside: held.outside,
  async prepare({ dataDirectory, ops }) {
    other = await startTestService({ ROLES: 'api' }, dataDirectory, heldThere.outside);
    await ops('prices.set', { item: 'bucket:essential', credits: 0 });
  },
});
// Also if a case fails: held calls would prevent the service from stopping.
afterEach(() => {
  held.release();
  heldThere.release();
});

const isStop = (method: string, [, , events]: readonly unknown[]): boolean =>
  method === 'append' && includesType(events, 'MonitoringUnwanted');

describe('OP-28 a list of more than a thousand units', () => {
  let path: string;
  let memberIds: readonly number[];
  const workspace = sharedWorkspace(service, {}, async (made) => {
    for (let persona = 0; persona < PERSONAS; persona += 1) await made.persona();
    const list = await made.list('customer');
    const handles = Array.from({ length: MEMBERS }, (_, index) => `large-${index}`);
    const added = [];
    for (let from = 0; from < MEMBERS; from += MEMBERS_OF_A_CALL)
      added.push(...(await addTo(made, 'company', list.id, handles.slice(from, from + MEMBERS_OF_A_CALL))));
    memberIds = added.map(({ id }) => id);
    path = list.path;
    await made.call(`PUT /api/v3/${path}`, { signal_buckets: ['essential'] });
    await service.drain();
  });
  const asked = (route: string, body?: object) =>
    other.call(route, body, { authorization: `Bearer ${workspace.apiKey}` });
  const monitoredCount = async (): Promise<unknown> =>
    (await asked(`GET /api/v3/${path}`)).body.data.monitored_count;

  it('stops one member within the request', async () => {
    expect(await monitoredCount()).toBe(MEMBERS);
    // The worker does not do it.
    held.hold(isStop);
    const [memberId] = memberIds;
    const { status } = await asked(`PATCH /api/v3/${path}/members/${memberId}/signal-buckets`, {
      signal_buckets: null,
    });
    expect(status).toBe(200);
    expect(await monitoredCount()).toBe(MEMBERS - 1);
  });

  it('leaves it to a worker to stop all of them', async () => {
    held.hold(isStop);
    heldThere.hold(isStop);
    const stopped = asked(`PUT /api/v3/${path}`, { signal_buckets: null });
    // The answer does not wait for a stop that is written.
    expect((await soon('the answer', stopped)).status).toBe(200);
    held.release();
    heldThere.release();
    await service.drain();
    expect(await monitoredCount()).toBe(0);
    expect(await workspace.command('monitoring.verify')).toMatchObject({ ok: true, differences: [] });
  });
});

describe('OP-26 the monitored_count of a list that is partly covered', () => {
  const PRICE = 5;
  const FEW = 4;
  let path: string;
  const workspace = sharedWorkspace(service, { credits: 3 * PRICE }, async (made) => {
    await service.ops('prices.set', { item: 'bucket:essential', credits: PRICE });
    await made.persona();
    await made.persona();
    const list = await made.list('customer');
    await addTo(
      made,
      'company',
      list.id,
      Array.from({ length: FEW }, (_, index) => `partly-${index}`),
    );
    path = list.path;
    await made.call(`PUT /api/v3/${path}`, { signal_buckets: ['essential'] });
    await service.drain();
  });
  const counts = async (): Promise<readonly unknown[]> => {
    const { body: one } = await workspace.call(`GET /api/v3/${path}`);
    const { body: all } = await workspace.call('GET /api/v3/lists');
    const [listed] = all.data.filter((each: { id: number }) => each.id === one.data.id);
    return [one.data.monitored_count, listed.monitored_count];
  };

  it('counts the members with a covered unit if most units are not covered', async () => {
    // Three of eight units: both of the first company, and one of the second.
    expect(await counts()).toEqual([2, 2]);
  });

  it('counts them if few units are not covered', async () => {
    await workspace.command('credits.grant', { credits: 2 * PRICE, reason: 'more' });
    await service.drain();
    // Five of eight: both of two companies, and one of the third.
    expect(await counts()).toEqual([3, 3]);
  });
});
