import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { partitionLease } from '#process-engine/partitions.js';
import { groupLease } from '#projection-engine/group-lease.js';
import { readSettings } from '#runtime/settings.js';
import { openStores, type Stores } from '#runtime/stores.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { agentAbout, endedRun } from '../support/process-runs.js';
import {
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
  let agentId: number;
  beforeAll(async () => {
    stores = await openStores(readSettings({ DATA_DIR: folder, ...(await storesUnderTest(folder)) }));
    api = await startServiceProcess(folder, 'api');
  });
  afterAll(() => stores.close());

  const ready = async () => {
    const answer = await api.call('', 'GET /health/ready');
    if (answer === null) throw new Error('the api does not answer');
    return answer;
  };
  const grant = () =>
    api.command('credits.grant', { workspace_id: workspace.id, credits: 1, reason: 'test' });
  const balance = async (): Promise<number> =>
    (await api.call(workspace.apiKey, 'GET /api/v3/credits/balance'))?.body.data.balance;
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
    const ledger = await api.command('ledger.verify', { workspace_id: workspace.id });
    expect(ledger).toMatchObject({ ok: true, differences: [] });
    for (const name of ['credit-balances', 'agents'])
      expect(await api.command('projections.verify', { name })).toMatchObject({ ok: true });
  };

  it('the api alone is live and not ready: it names the view versions that no worker builds', async () => {
    expect(await api.call('', 'GET /health/live')).toMatchObject({ status: 200 });
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
    const created = await api.command('workspace.create', { name: 'Roles', credits: 10 });
    workspace = { id: created.workspace_id, apiKey: created.api_key };
    for (let granted = 11; granted <= 20; granted += 1) {
      await grant();
      expect(await balance()).toBe(granted);
    }
    agentId = await agentAbout('nothing', api, workspace.apiKey);
    const read = await api.call(workspace.apiKey, `GET /api/v2/agents/${agentId}`);
    expect(read).toMatchObject({ status: 200 });
  });

  it('both workers take their share of the work, and a run that the api launched is finished', async () => {
    const shares = async () => {
      const holders = await Promise.all(LEASES.slice(1).map(holderOf));
      return workers.map(({ pid }) => holders.filter((holder) => holder === pid).length);
    };
    await eventually(async () => (await shares()).every((share) => share === PARTITIONS / 2));
    expect(await endedRun(api, workspace.apiKey, agentId)).toMatchObject({ stage: 'completed' });
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
