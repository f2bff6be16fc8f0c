import { mortalEventStoreDb } from '../support/mortal-eventstoredb.js';
import { OPS_TOKEN, startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { removeStores } from '../support/stores-under-test.js';
import type { Bench, Measurement } from './bench.js';
import { percentile } from './bench.js';
import { workedMs } from './process-usage.js';
import { runHoldClients } from './run-hold-clients.js';
import { temporaryFolder } from './temporary-folder.js';
import { operator, untilReady } from './two-processes.bench.js';

const WORKSPACES = 32;
const CLIENTS = Number(process.env['SHARED_CLIENTS'] ?? 16);
const WORKERS = 4;
const HOLDS = Number(process.env['SHARED_HOLDS'] ?? 2_000);
const PAIRS = Number(process.env['SHARED_PAIRS'] ?? 3);
/** The goal for the processor time of all processes with four workers, beside one. */
const MOST = 1.6;

type Measured = {
  readonly apiMs: number;
  readonly workersMs: number;
  readonly holdsPerSecond: number;
  readonly isRight: boolean;
};

/** Holds of one api process whose events a number of workers project, on servers. */
async function holdsWith(workers: number, eventStoreUrl: string): Promise<Measured> {
  const folder = temporaryFolder();
  const environment = { EVENT_STORE_URL: eventStoreUrl, CURSOR_SECRET: 'a secret of all processes' };
  const api = await startServiceProcess(folder, 'api', environment);
  const projecting: ServiceProcess[] = [];
  for (let count = 0; count < workers; count += 1)
    projecting.push(await startServiceProcess(folder, 'worker', environment));
  await untilReady(api);
  const workspaceIds: number[] = [];
  for (let count = 1; count <= WORKSPACES; count += 1) {
    const created = await operator(api, 'workspace.create', { name: `Bench ${count}`, credits: 1_000_000 });
    workspaceIds.push(created.workspace_id);
  }
  const clients = { opsUrl: api.opsUrl, token: OPS_TOKEN, workspaceIds, clients: CLIENTS };
  // The caches of each worker, and the plan by which they share.
  await runHoldClients({ ...clients, holds: HOLDS / 2 });
  const worked = (): number => projecting.reduce((sum, { pid }) => sum + workedMs(pid), 0);
  const before = { api: workedMs(api.pid), workers: worked() };
  const { holdsPerSecond, mismatches } = await runHoldClients({ ...clients, holds: HOLDS });
  const measured = { apiMs: workedMs(api.pid) - before.api, workersMs: worked() - before.workers };
  let isRight = mismatches === 0;
  for (const workspace_id of workspaceIds.slice(0, 4)) {
    const { ok } = await operator(api, 'ledger.verify', { workspace_id });
    isRight &&= ok;
  }
  for (const service of [api, ...projecting]) await service.stop();
  await removeStores(folder);
  return { ...measured, holdsPerSecond, isRight };
}

/** On the fault server of EventStoreDB, each time a new one, and the read store of TEST_READ_STORE_URL. */
async function onNewServer(workers: number): Promise<Measured> {
  const server = await mortalEventStoreDb();
  try {
    return await holdsWith(workers, server.url);
  } finally {
    await server.remove();
  }
}

export const sharedProjectingBench: Bench = {
  name: 'shared-projecting',
  async run() {
    if (!process.env['TEST_READ_STORE_URL']) {
      console.log('shared-projecting is not run: TEST_READ_STORE_URL names no server');
      return [];
    }
    const pairs: { readonly one: Measured; readonly four: Measured }[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1)
      pairs.push({ one: await onNewServer(1), four: await onNewServer(WORKERS) });
    const median = (of: (pair: (typeof pairs)[number]) => number): number => percentile(pairs.map(of), 0.5);
    const total = ({ apiMs, workersMs }: Measured): number => apiMs + workersMs;
    const rates = `${median(({ one }) => one.holdsPerSecond).toFixed(0)} and ${median(({ four }) => four.holdsPerSecond).toFixed(0)} holds/s`;
    const workers = `workers alone ${median(({ one, four }) => four.workersMs / one.workersMs).toFixed(2)}x`;
    const right = pairs.every(({ one, four }) => one.isRight && four.isRight)
      ? 'verify ok'
      : 'verify DIFFERS';
    const measurement: Measurement = {
      what: `processor time of an api and ${WORKERS} workers for a hold over ${WORKSPACES} workspaces`,
      measured: median(({ four }) => total(four)) / HOLDS,
      unit: 'ms',
      beside: 'one worker',
      besideValue: median(({ one }) => total(one)) / HOLDS,
      ratio: median(({ one, four }) => total(four) / total(one)),
      goal: { atMost: MOST },
      proof: `${right}; ${workers}; ${rates}`,
    };
    return [measurement];
  },
};
