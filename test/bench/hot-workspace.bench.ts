import { startTestService } from '../support/service.js';
import { fdatasyncMs } from './append.bench.js';
import type { ClientReport } from './hold-clients.js';
import { runHoldClients } from './run-hold-clients.js';
import type { Bench } from './bench.js';

const CLIENTS = 50;
const HOLDS = 12_000;
const LONE_HOLDS = 1_000;
/** Nearest published peer: holds a second on one hot account, p99 in ms. */
const PEER_HOLDS_PER_SECOND = 999;
const PEER_P99_MS = 114;

/** Holds on a new workspace, and whether ledger and read models agree with the clients afterwards. */
async function measured(
  clients: number,
  holds: number,
): Promise<{ readonly report: ClientReport; readonly fsyncMs: number; readonly proof: string }> {
  // as in production: tests also check each answer against its declaration
  const service = await startTestService({ NODE_ENV: 'production' });
  const { id } = await service.workspace({ credits: 1_000_000 });
  const fsyncMs = await fdatasyncMs(service.dataDirectory);
  const opsUrl = service.service.opsUrl ?? '';
  const report = await runHoldClients({ opsUrl, token: service.token, workspaceIds: [id], clients, holds });
  const { body: balance } = await service.ops('ledger.as_of', { workspace_id: id });
  const { body: verified } = await service.ops('ledger.verify', { workspace_id: id });
  await service.stop();
  const agrees =
    balance.balance.captured === report.captured &&
    balance.balance.held === 0 &&
    verified.ok &&
    report.mismatches === 0;
  const proof = `${report.mismatches} mismatches; captured ${balance.balance.captured} of ${report.captured}; verify ${agrees ? 'ok' : 'DIFFERS'}`;
  return { report, fsyncMs, proof };
}

export const hotWorkspaceBench: Bench = {
  name: 'hot-workspace',
  async run() {
    const { report, proof } = await measured(CLIENTS, HOLDS);
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

export const loneHoldBench: Bench = {
  name: 'lone-hold',
  async run() {
    const { report, fsyncMs, proof } = await measured(1, LONE_HOLDS);
    return [
      {
        what: 'one hold over HTTP, one client, with the wait for read models',
        measured: report.p50Ms,
        unit: 'ms',
        beside: 'F, one fdatasync',
        besideValue: fsyncMs,
        goal: { atMost: 6 },
        proof,
      },
    ];
  },
};
