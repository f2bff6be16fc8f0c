import { mortalEventStoreDb } from '../support/mortal-eventstoredb.js';
import { OPS_TOKEN, request, startServiceProcess, type ServiceProcess } from '../support/service-process.js';
import { removeStores } from '../support/stores-under-test.js';
import { fdatasyncMs } from './append.bench.js';
import { below, type Bench, type Measurement } from './bench.js';
import { runHoldClients } from './run-hold-clients.js';
import { temporaryFolder } from './temporary-folder.js';

const HOLDS = 400;
/** The goal for a hold when another process projects its events. */
const MOST_MS = 5;

type Environment = { readonly [variable: string]: string };
type Roles = Parameters<typeof startServiceProcess>[1];
type Measured = {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly fsyncMs: number;
  readonly proof: string;
};

/** The answer of an operator command; throws for a refusal. */
export async function operator(service: ServiceProcess, command: string, input: object) {
  const answer = await request(`${service.opsUrl}/ops/${command}`, OPS_TOKEN, input);
  if (answer?.status !== 200) throw new Error(`${command}: ${JSON.stringify(answer)}`);
  return answer.body;
}

/** Resolves when the read models are available. */
export async function untilReady(service: ServiceProcess): Promise<void> {
  while ((await request(`${service.opsUrl}/health/ready`, OPS_TOKEN))?.status !== 200);
}

/** Successive holds, each awaited until the read models show it; the first of the roles serves them. */
async function holds(roles: readonly Roles[], environment: Environment): Promise<Measured> {
  const folder = temporaryFolder();
  const services: ServiceProcess[] = [];
  for (const role of roles) services.push(await startServiceProcess(folder, role, environment));
  const [serving] = services;
  if (serving === undefined) throw new Error('nobody serves');
  await untilReady(serving);
  const { workspace_id } = await operator(serving, 'workspace.create', { name: 'Bench', credits: 1_000_000 });
  const fsyncMs = await fdatasyncMs(folder);
  const { opsUrl } = serving;
  const report = await runHoldClients({
    opsUrl,
    token: OPS_TOKEN,
    workspaceIds: [workspace_id],
    clients: 1,
    holds: HOLDS,
  });
  const { balance } = await operator(serving, 'ledger.as_of', { workspace_id });
  const { ok } = await operator(serving, 'ledger.verify', { workspace_id });
  for (const service of services) await service.stop();
  await removeStores(folder);
  const agrees = balance.captured === report.captured && balance.held === 0 && ok && report.mismatches === 0;
  const proof = `${report.mismatches} mismatches; captured ${balance.captured} of ${report.captured}; verify ${agrees ? 'ok' : 'DIFFERS'}`;
  return { ...report, fsyncMs, proof };
}

/** Apart and together in the same run, on the same stores. */
async function both(where: string, environment: Environment): Promise<readonly Measurement[]> {
  const apart = await holds(['api', 'worker'], environment);
  const together = await holds(['api,worker'], environment);
  const shown = `p99 ${apart.p99Ms.toFixed(1)} ms; F ${apart.fsyncMs.toFixed(3)} ms; one process ${together.p50Ms.toFixed(2)} ms`;
  return [
    below(
      `one hold over HTTP, api and worker in two processes, ${where}`,
      'ms',
      apart.p50Ms,
      MOST_MS,
      `${apart.proof}; ${shown}`,
    ),
  ];
}

export const twoProcessesBench: Bench = {
  name: 'two-processes',
  async run() {
    const files = await both('embedded stores', {});
    const server = await mortalEventStoreDb();
    const environment = { EVENT_STORE_URL: server.url, CURSOR_SECRET: 'a secret of both processes' };
    const views = process.env['TEST_READ_STORE_URL'] ? 'MongoDB' : 'files';
    const onServer = await both(`events on the fault server of EventStoreDB, views in ${views}`, environment);
    await server.remove();
    return [...files, ...onServer];
  },
};
