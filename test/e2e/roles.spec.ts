import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { partitionLease } from '#process-engine/partitions.js';
import { groupLease } from '#projection-engine/group-lease.js';
import { readSettings } from '#runtime/settings.js';
import { openStores, type Stores } from '#runtime/stores.js';
import { eventually } from '#test/projections/engine-fixture.js';
import {
  OPS_TOKEN,
  request,
  startServiceProcess,
  serviceFolder,
  type ServiceProcess,
} from '../support/service-process.js';
import { storesUnderTest } from '../support/stores-under-test.js';

const PROJECTIONS = groupLease('all');
const LEASES = [PROJECTIONS, ...Array.from({ length: PARTITIONS }, (_, number) => partitionLease(number))];

describe('an api and two workers, each in a separate process', () => {
  const folder = serviceFolder('roles');
  let stores: Stores;
  let api: ServiceProcess;
  let workers: readonly ServiceProcess[] = [];
  let workspace = { id: 0, apiKey: '' };
  beforeAll(async () => {
    stores = await openStores(readSettings({ DATA_DIR: folder, ...(await storesUnderTest(folder)) }));
    api = await startServiceProcess(folder, 'api');
  });
  afterAll(() => stores.close());

  const ready = async () => {
    const answer = await request(`${api.url}/health/ready`, '');
    if (answer === null) throw new Error('the api does not answer');
    return answer;
  };
  const grant = async (service = api) => {
    const answer = await request(`${service.opsUrl}/ops/credits.grant`, OPS_TOKEN, {
      workspace_id: workspace.id,
      credits: 1,
      reason: 'test',
    });
    expect(answer?.status).toBe(200);
  };
  const balance = async (): Promise<number> =>
    (await request(`${api.url}/api/v3/credits/balance`, workspace.apiKey))?.body.data.balance;
  /** The process id of the current holder of a lease, or null. */
  const holderOf = async (lease: string): Promise<number | null> => {
    const found = await stores.reads.lease(lease);
    return found === null || found.remainingMs <= 0 ? null : Number(found.holder.split(':')[1]);
  };
  const leader = async (): Promise<ServiceProcess> => {
    for (;;) {
      const pid = await holderOf(PROJECTIONS);
      const found = workers.find((worker) => worker.pid === pid);
      if (found !== undefined) return found;
    }
  };
  const other = (than: ServiceProcess): ServiceProcess => {
    const found = workers.find((worker) => worker !== than);
    if (found === undefined) throw new Error('there is one worker only');
    return found;
  };
  const verified = async (): Promise<void> => {
    const ledger = await request(`${api.opsUrl}/ops/ledger.verify`, OPS_TOKEN, {
      workspace_id: workspace.id,
    });
    expect(ledger?.body).toMatchObject({ ok: true, differences: [] });
    for (const name of ['credit-balances', 'agents']) {
      const models = await request(`${api.opsUrl}/ops/projections.verify`, OPS_TOKEN, { name });
      expect(models).toMatchObject({ status: 200, body: { ok: true } });
    }
  };

  it('the api alone is live and not ready: it names the view versions that no worker builds', async () => {
    expect(await request(`${api.url}/health/live`, '')).toMatchObject({ status: 200 });
    const { status, body } = await ready();
    expect(status).toBe(503);
    expect(body.reasons).toContainEqual(
      expect.stringMatching(/^credit-balances: version \d+ has not caught up yet, and no worker builds it$/),
    );
    expect(body.degraded).toEqual(
      expect.arrayContaining([
        'read models of the group all: no worker projects them',
        'background work: no worker processes due work',
      ]),
    );
  });

  it('the api is ready when workers exist, which report their own health on the operator listener', async () => {
    workers = [await startServiceProcess(folder, 'worker'), await startServiceProcess(folder, 'worker')];
    await eventually(async () => (await ready()).status === 200);
    for (const worker of workers) {
      expect(worker.url).toBeNull();
      expect(await request(`${worker.opsUrl}/health/ready`, '')).toMatchObject({ status: 200 });
    }
    expect(await holderOf(PROJECTIONS)).toBe((await leader()).pid);
  });

  it('CONV-10 the api shows its own writes as soon as they are answered', async () => {
    const created = await request(`${api.opsUrl}/ops/workspace.create`, OPS_TOKEN, {
      name: 'Roles',
      credits: 10,
    });
    workspace = { id: created?.body.workspace_id, apiKey: created?.body.api_key };
    for (let granted = 11; granted <= 20; granted += 1) {
      await grant();
      expect(await balance()).toBe(granted);
    }
    const agent = await request(`${api.url}/api/v2/agents`, workspace.apiKey, {
      type: 'keyword_post_search',
      parameters: { tracking_keywords: ['nothing'] },
    });
    expect(agent?.status).toBe(201);
    const read = await request(`${api.url}/api/v2/agents/${agent?.body.data.id}`, workspace.apiKey);
    expect(read).toMatchObject({ status: 200 });
  });

  it('both workers take their share of the work, and a run that the api launched is finished', async () => {
    const shares = async () => {
      const holders = await Promise.all(LEASES.slice(1).map(holderOf));
      return workers.map(({ pid }) => holders.filter((holder) => holder === pid).length);
    };
    await eventually(async () => (await shares()).every((share) => share === PARTITIONS / 2));
    const agents = await request(`${api.url}/api/v2/agents`, workspace.apiKey);
    const launched = await request(`${api.url}/api/v2/workspace/signal-runs`, workspace.apiKey, {
      agent_id: agents?.body.data[0].id,
    });
    const run = `${api.url}/api/v2/workspace/signal-runs/${launched?.body[0].signal_request_id}`;
    await eventually(async () => (await request(run, workspace.apiKey))?.body.stage !== 'running');
    expect((await request(run, workspace.apiKey))?.body).toMatchObject({ stage: 'completed' });
  });

  it('a worker that was paused and resumes after another took over overwrites nothing', async () => {
    const stopped = await leader();
    stopped.pause();
    const before = await balance();
    // Answered although no process projects it yet: a done write is never turned into an error.
    await grant();
    await eventually(async () => (await holderOf(PROJECTIONS)) === other(stopped).pid);
    await eventually(async () => (await balance()) === before + 1);
    stopped.resume();
    for (let granted = 2; granted <= 6; granted += 1) {
      await grant();
      expect(await balance()).toBe(before + granted);
    }
    expect(await holderOf(PROJECTIONS)).toBe(other(stopped).pid);
    await verified();
  });

  it('a worker that is asked to end releases its leases at once, and another continues', async () => {
    const ended = await leader();
    const rest = other(ended);
    expect(await ended.stop()).toBe(0);
    const holders = await Promise.all(LEASES.map((lease) => stores.reads.lease(lease)));
    for (const lease of holders) {
      if (lease !== null) expect(Number(lease.holder.split(':')[1])).toBe(rest.pid);
    }
    workers = [rest];
    expect(await leader()).toBe(rest);
    const before = await balance();
    await grant();
    await eventually(async () => (await balance()) === before + 1);
  });

  it('without any worker the api serves, and reports the read models that are behind and their lag', async () => {
    const last = await leader();
    await last.kill();
    workers = [];
    const before = await balance();
    await grant();
    expect(await balance()).toBe(before);
    const lags = async (): Promise<readonly string[]> => {
      const { status, body } = await ready();
      expect(status).toBe(200);
      return body.degraded;
    };
    const isLag = (text: string): boolean => /^credit-balances: \d+ s behind$/.test(text);
    while (!(await lags()).some(isLag));
    while (!(await lags()).includes('read models of the group all: no worker projects them'));
    expect(await api.stop()).toBe(0);
  });
});
