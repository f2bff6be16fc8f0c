import { startTestService, type TestService } from '../support/service.js';
import { below, percentile, type Bench, type Measurement } from './bench.js';
import type { ClientReport } from './hold-clients.js';
import { runHoldClients } from './run-hold-clients.js';

const CLIENTS = 50;
const HOLDS_A_TURN = 6_000;
const TURNS = 3;
const SPREADS = [
  { workspaces: 32, goal: { atLeast: 1.3 } },
  { workspaces: 1_000, goal: { atLeast: 1 } },
];
const MOST_P99_MS = 60;

type Group = { readonly workspaceIds: readonly number[]; readonly reports: ClientReport[] };

/** The load of one hot workspace spread over many, in turns with one hot workspace of the same service. */
export const spreadWorkspacesBench: Bench = {
  name: 'spread-workspaces',
  async run() {
    const service = await startTestService({ NODE_ENV: 'production' });
    try {
      const hot = await group(service, 1);
      const spreads = [];
      for (const spread of SPREADS) spreads.push({ ...spread, ...(await group(service, spread.workspaces)) });
      for (let turn = 0; turn < TURNS; turn += 1) {
        for (const each of [hot, ...spreads]) {
          const { workspaceIds } = each;
          const opsUrl = service.service.opsUrl ?? '';
          const load = { workspaceIds, clients: CLIENTS, holds: HOLDS_A_TURN };
          each.reports.push(await runHoldClients({ opsUrl, token: service.token, ...load }));
        }
      }
      const lines: Measurement[] = [];
      for (const spread of spreads) {
        const proof = `${await proofOf(service, spread)}; the hot one: ${await proofOf(service, hot)}`;
        lines.push(...linesOf(spread, hot, proof));
      }
      return lines;
    } finally {
      await service.stop();
    }
  },
};

async function group(service: TestService, workspaces: number): Promise<Group> {
  const workspaceIds: number[] = [];
  while (workspaceIds.length < workspaces)
    workspaceIds.push((await service.workspace({ credits: 1_000_000 })).id);
  return { workspaceIds, reports: [] };
}

function linesOf(
  { workspaces, goal, reports }: Group & (typeof SPREADS)[number],
  hot: Group,
  proof: string,
): readonly Measurement[] {
  const middle = (of: (report: ClientReport, turn: number) => number, from = reports): number =>
    percentile(from.map(of), 0.5);
  const named = `spread over ${workspaces.toLocaleString('en')} workspaces`;
  return [
    {
      what: `holds over HTTP, ${CLIENTS} clients, ${named}`,
      measured: middle(({ holdsPerSecond }) => holdsPerSecond),
      unit: 'holds/s',
      beside: 'one hot workspace, alternating',
      besideValue: middle(({ holdsPerSecond }) => holdsPerSecond, hot.reports),
      ratio: middle(
        ({ holdsPerSecond }, turn) => holdsPerSecond / (hot.reports[turn]?.holdsPerSecond ?? Number.NaN),
      ),
      goal,
      proof,
    },
    below(
      `p99 of a hold, ${named}`,
      'ms',
      middle(({ p99Ms }) => p99Ms),
      MOST_P99_MS,
      `${middle(({ p99Ms }) => p99Ms, hot.reports).toFixed(1)} ms on one hot workspace`,
    ),
  ];
}

/** Whether ledger and read models of every workspace agree with the clients. */
async function proofOf(service: TestService, { workspaceIds, reports }: Group): Promise<string> {
  const mismatches = reports.reduce((sum, report) => sum + report.mismatches, 0);
  let differing = 0;
  for (const [at, workspaceId] of workspaceIds.entries()) {
    const captured = reports.reduce((sum, report) => sum + (report.capturedIn[at] ?? 0), 0);
    const { body: asOf } = await service.ops('ledger.as_of', { workspace_id: workspaceId });
    const { body: verified } = await service.ops('ledger.verify', { workspace_id: workspaceId });
    if (asOf.balance.captured !== captured || asOf.balance.held !== 0 || !verified.ok) differing += 1;
  }
  return `${mismatches} mismatches; verify ${differing === 0 ? 'ok' : `DIFFERS in ${differing}`}`;
}
