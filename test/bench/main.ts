import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { appendBench } from './append.bench.js';
import { backupBench } from './backup.bench.js';
import { consoleBench } from './console.bench.js';
import { detectionSizeBench } from './detection-size.bench.js';
import { eventStoreDbBench } from './eventstoredb.bench.js';
import type { Measurement } from './bench.js';
import { hotWorkspaceBench, loneHoldBench } from './hot-workspace.bench.js';
import { ingestBesideBench } from './ingest-beside.bench.js';
import { keywordsBench } from './keywords.bench.js';
import { ledgerStartBench } from './ledger-start.bench.js';
import { memberPageBench } from './member-page.bench.js';
import { monitoringBench } from './monitoring.bench.js';
import { networkEngagementBench } from './network-engagement.bench.js';
import { networkMovesBench } from './network-moves.bench.js';
import { livePassesBench } from './live-passes.bench.js';
import { openHoldsBench } from './open-holds.bench.js';
import { scaleBench } from './scale.bench.js';
import { pageBench } from './page.bench.js';
import { paidDetectionBench } from './paid-detection.bench.js';
import { postgresLedgerBench } from './postgres-ledger.bench.js';
import { queriesBench } from './queries.bench.js';
import { rebuildBench } from './rebuild.bench.js';
import { rebuildBesideBench } from './rebuild-beside.bench.js';
import { fitBench } from './fit.bench.js';
import { roundBench } from './round.bench.js';
import { serverEventsBench } from './server-events.bench.js';
import { signalRunBench } from './signal-run.bench.js';
import { sourcesBench } from './sources.bench.js';
import { spreadWorkspacesBench } from './spread-workspaces.bench.js';
import { cliStartBench, startBench } from './start.bench.js';
import { idleBench } from './idle.bench.js';
import { statementBench } from './statement.bench.js';
import { removeTemporaryFolders } from './temporary-folder.js';
import { topAccountsBench } from './top-accounts.bench.js';
import { sharedRunsBench } from './shared-runs.bench.js';
import { sharedProjectingBench } from './shared-projecting.bench.js';
import { twoProcessesBench } from './two-processes.bench.js';
import { validatedPostBench } from './validated-post.bench.js';
import { verifyBench } from './verify.bench.js';
import { eventStreamsBench } from './event-streams.bench.js';
import { holdsWithWebhookBench } from './holds-with-webhook.bench.js';
import { webhooksBench } from './webhooks.bench.js';

const benches = [
  appendBench,
  eventStoreDbBench,
  hotWorkspaceBench,
  spreadWorkspacesBench,
  loneHoldBench,
  twoProcessesBench,
  sharedProjectingBench,
  sharedRunsBench,
  serverEventsBench,
  openHoldsBench,
  postgresLedgerBench,
  validatedPostBench,
  rebuildBench,
  rebuildBesideBench,
  pageBench,
  queriesBench,
  memberPageBench,
  keywordsBench,
  networkEngagementBench,
  networkMovesBench,
  scaleBench,
  signalRunBench,
  roundBench,
  ingestBesideBench,
  livePassesBench,
  sourcesBench,
  paidDetectionBench,
  detectionSizeBench,
  startBench,
  cliStartBench,
  idleBench,
  fitBench,
  ledgerStartBench,
  statementBench,
  consoleBench,
  verifyBench,
  backupBench,
  topAccountsBench,
  monitoringBench,
  webhooksBench,
  eventStreamsBench,
  holdsWithWebhookBench,
];

const HELP = `npm run bench [-- WORD… --json --routes=WORD,WORD]

Runs the benchmarks whose names contain one of the words (without a word: all), each with its limit or peer.
  --json             the figures as JSON
  --routes=a,b       of a benchmark that walks the routes: those with one of these words in their path

${benches.map(({ name }) => name).join(' ')}`;

const { values, positionals: wanted } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    json: { type: 'boolean', default: false },
    routes: { type: 'string' },
  },
  allowPositionals: true,
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const { json: asJson, routes } = values;
const chosen = benches.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (chosen.length === 0) {
  console.error(
    `no benchmark is called ${wanted.join(' ')}; there are ${benches.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const shown = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(3);

function verdict({ measured, besideValue, ratio = measured / besideValue, goal }: Measurement): string {
  if (goal === null) return `ratio ${ratio.toFixed(2)}`;
  const [met, bound] =
    'atLeast' in goal
      ? [ratio >= goal.atLeast, `>= ${goal.atLeast.toFixed(2)}`]
      : [ratio <= goal.atMost, `<= ${goal.atMost.toFixed(2)}`];
  return `ratio ${ratio.toFixed(2)} (goal ${bound}: ${met ? 'met' : 'MISSED'})`;
}

const all: Measurement[] = [];
if (!asJson)
  console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
for (const bench of chosen) {
  const measurements = await bench.run(routes?.split(',') ?? ['']).finally(removeTemporaryFolders);
  for (const measurement of measurements) {
    all.push(measurement);
    if (asJson) continue;
    const { what, measured, unit, beside, besideValue, proof } = measurement;
    console.log(
      `${what}\n    ${shown(measured)} ${unit} | ${beside}: ${shown(besideValue)} ${unit} | ${verdict(measurement)}\n    ${proof}`,
    );
  }
}
if (asJson) console.log(JSON.stringify(all, null, 2));
// A loaded machine misses goals that the code meets: the figures are for people, so a missed goal is no failure here.
process.exit(0);
