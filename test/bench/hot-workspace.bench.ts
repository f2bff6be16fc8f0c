import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startTestService } from '../support/service.js';
import type { ClientReport } from './hold-clients.js';
import type { Bench } from './bench.js';

const CLIENTS = 50;
const HOLDS = 12_000;
/** Nearest published peer: holds a second on one hot account, p99 in ms. */
const PEER_HOLDS_PER_SECOND = 999;
const PEER_P99_MS = 114;

/** The clients run in a process of their own: what they cost must not be the service's. */
function runClients(opsUrl: string, token: string, workspaceId: number): Promise<ClientReport> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./hold-clients.js', import.meta.url)), {
      env: {
        ...process.env,
        OPS_URL: opsUrl,
        TOKEN: token,
        WORKSPACE: String(workspaceId),
        CLIENTS: String(CLIENTS),
        HOLDS: String(HOLDS),
      },
    });
    child.once('message', (report) => resolve(report as ClientReport));
    child.once('exit', (code) => reject(new Error(`the clients ended with ${code}`)));
  });
}

export const hotWorkspaceBench: Bench = {
  name: 'hot-workspace',
  async run() {
    // as it is served: tests hold each answer against its declaration besides
    const service = await startTestService({ NODE_ENV: 'production' });
    const { id } = await service.workspace({ credits: 1_000_000 });
    const report = await runClients(service.service.opsUrl ?? '', service.token, id);
    const { body: balance } = await service.ops('ledger.as_of', { workspace_id: id });
    const { body: verified } = await service.ops('ledger.verify', { workspace_id: id });
    await service.stop();
    const agrees =
      balance.balance.captured === report.captured &&
      balance.balance.held === 0 &&
      verified.ok &&
      report.mismatches === 0;
    const proof = `${report.mismatches} mismatches; captured ${balance.balance.captured} of ${report.captured}; verify ${agrees ? 'ok' : 'DIFFERS'}`;
    return [
      {
        what: `hot workspace over HTTP, ${CLIENTS} clients, holds (each then captured or released)`,
        measured: report.holdsPerSecond,
        unit: 'holds/s',
        beside: 'nearest published peer',
        besideValue: PEER_HOLDS_PER_SECOND,
        goal: { atLeast: 3 },
        proof,
      },
      {
        what: 'p99 of a hold',
        measured: report.p99Ms,
        unit: 'ms',
        beside: 'nearest published peer',
        besideValue: PEER_P99_MS,
        goal: { atMost: 0.35 },
        proof,
      },
    ];
  },
};
