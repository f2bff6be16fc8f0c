import {
  serviceFolder,
  startReadyService,
  startServiceProcess,
  type ServiceProcess,
} from '../support/service-process.js';

const MANUAL = { CLOCK: 'manual' };
const CREATE = 'POST /api/v2/lists';

const folder = serviceFolder('shared-facts');

describe('state that two processes share', () => {
  let worker: ServiceProcess;
  let api: ServiceProcess;
  let workspace = { id: 0, apiKey: '' };
  beforeAll(async () => {
    worker = await startServiceProcess(folder, 'api,worker', MANUAL);
    api = await startReadyService(folder, 'api', MANUAL);
    const created = await api.command('workspace.create', { name: 'Facts', credits: 10 });
    workspace = { id: created.workspace_id, apiKey: created.api_key };
  });

  const lists = async (service: ServiceProcess, query = '', apiKey = workspace.apiKey) =>
    service.call(apiKey, `GET /api/v2/lists${query}`);

  it('the manual clock: work due at a time set through the api is done by the worker', async () => {
    const { now: noon } = await api.command('clock.advance', { duration: 'PT1H' });
    const held = { workspace_id: workspace.id, key: 'k', credits: 4, product: 'test' };
    expect(await worker.command('credits.hold', held)).toMatchObject({ status: 'held' });
    await api.command('clock.advance', { duration: 'P2D' });
    await api.command('work.drain');
    const later = new Date(Date.parse(noon) + 48 * 3_600_000).toISOString();
    for (const service of [api, worker]) {
      expect(await service.command('clock.advance', { ms: 0 })).toEqual({ now: later });
      const balance = await service.call(workspace.apiKey, 'GET /api/v3/credits/balance');
      expect(balance?.body.data).toMatchObject({ balance: 10 });
    }
    expect(await api.command('credits.hold', held)).toMatchObject({ status: 'released', replayed: true });
  });

  it('OP-66 one Idempotency-Key sent to both at once is carried out once', async () => {
    const counts = async () =>
      Promise.all([api, worker].map(async (service) => (await lists(service))?.body.data.length));
    const [before = 0] = await counts();
    const send = (service: ServiceProcess) =>
      service.call(
        workspace.apiKey,
        CREATE,
        { type: 'competitor', name: 'Rivals' },
        {
          'Idempotency-Key': 'both',
        },
      );
    const answers = await Promise.all([send(api), send(worker), send(api), send(worker)]);
    for (const answer of answers) expect([201, 409]).toContain(answer?.status);
    const created = answers.find((answer) => answer?.status === 201);
    expect(created).toBeDefined();
    for (const service of [api, worker]) expect((await send(service))?.body).toEqual(created?.body);
    expect(await counts()).toEqual([before + 1, before + 1]);
  });

  it('AUTH-08 a key that one revokes the other refuses', async () => {
    const issued = await worker.command('apikey.issue', { workspace_id: workspace.id, label: 'second' });
    for (const service of [api, worker])
      expect(await lists(service, '', issued.api_key)).toMatchObject({ status: 200 });
    await worker.command('apikey.revoke', { workspace_id: workspace.id, key_id: issued.key_id });
    for (const service of [api, worker])
      expect(await lists(service, '', issued.api_key)).toMatchObject({ status: 401 });
  });

  it('a cursor of one is accepted by the other', async () => {
    const list = await api.call(workspace.apiKey, CREATE, { type: 'prospect', name: 'Two of them' });
    const path = `/api/v2/lists/company/${list?.body.data.id}/members`;
    const members = ['one', 'two'].map((handle) => ({ network_handle: handle }));
    expect(await api.call(workspace.apiKey, `POST ${path}`, { members })).toMatchObject({ status: 200 });
    const first = await api.call(workspace.apiKey, `GET ${path}?limit=1`);
    const cursor = encodeURIComponent(first?.body.meta.next_cursor);
    const second = await worker.call(workspace.apiKey, `GET ${path}?limit=1&cursor=${cursor}`);
    expect(second?.status).toBe(200);
    const ids = [first, second].flatMap((page) => page?.body.data.map((member: { id: number }) => member.id));
    expect(new Set(ids).size).toBe(2);
  });
});
