// The long runs. Exits with 1 at the first loss, double charge or hang, and prints its seed. In this order:
// 1. The simulation of the money path with SIMULATION_COMMANDS (1,000,000) commands, seeds from SIMULATION_FIRST_SEED (the
//    present time), and RANDOM_REQUESTS (100,000) requests made from the OpenAPI document, seeds from RANDOM_SEED (the same).
// 2. The bad days at full length: OUTAGES (5) outages of OUTAGE_SECONDS (30) seconds, WRITE_KILLS (1,000) kills of the event
//    store around a write, STREAM_KILLS (50) kills of a service with open streams, REBUILD_KILLS (50) kills of a rebuild,
//    BACKUPS (20) backups beside continuous writes, MONTHS (12) months of monitored accounts with a killed process in each.
// 3. KILLS (200) kills of the service under traffic, seeds from SEED (1); the state after each restart is printed.
// 4. All API tests, end-to-end tests and bad days on the servers that this machine can provide.
// Single parts:
// `npm run soak -- unread`: a client that reads beside clients that read nothing, slow readers and both, for UNREAD_SECONDS
//   (480); prints its waits and the memory of the process. Fails above 400 MiB, a p99 of 100 ms, or if a lease lapses.
// `npm run soak -- delays`: DELAY_SEEDS (200) seeds of late stores from DELAY_FIRST_SEED (1). Fails at the first other
//   charge, other order or loss.
// `npm run soak -- kills`: the tests that kill a worker or an answering process, at every point; `npm test` skips some
//   points. Fails at the first loss or double charge.
// `npm run soak -- streams`: STREAM_KILLS (50) kills of a service with open streams of events and a receiver, and
//   LEADER_CHANGES (10) of the projecting process. Fails at the first gap, or at an event that a stream sends twice.
// `npm run soak -- mcp`: MCP_CALLS (1,000) random tool calls of an assistant from MCP_SEED (1). Fails beyond its cap.
// `npm run soak -- quotes`: a launch with a quote in each of QUOTED_NETWORKS (500) random networks from QUOTED_FIRST_SEED
//   (1). Fails if a launch spends more than its quote, or less than an exact quote.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'expect';
import { runSpecFile } from './jest/run-spec-file.mjs';
import { endAsWrongUsage, endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

/** Kills that `npm test` does at fewer points. */
const KILLS = [
  'simulation/signal-run-kills',
  'simulation/lead-discovery-kills',
  'simulation/detector-kills',
  'simulation/enrichment-kills',
  'simulation/top-account-kills',
  'simulation/mapping-server-kills',
  'simulation/keyed-request-kills',
  'simulation/webhook-kills',
  'e2e/keyed-request-kill',
  'e2e/import-kill',
];

/** The single parts, by the word that asks for one. */
const PARTS = {
  unread: () => unread(Number(given('UNREAD_SECONDS', 480).UNREAD_SECONDS)),
  delays: () => run('delays/delays', { ...given('DELAY_SEEDS', 200), ...given('DELAY_FIRST_SEED', 1) }),
  async kills() {
    for (const name of KILLS) {
      console.log(name);
      await run(name, { KILL_STRIDE: '1' });
    }
  },
  streams,
  mcp: () => run('mcp/agent-loop', { ...given('MCP_CALLS', 1_000), ...given('MCP_SEED', 1) }),
  quotes: () =>
    run('api/quoted-networks', { ...given('QUOTED_NETWORKS', 500), ...given('QUOTED_FIRST_SEED', 1) }),
};
const words = process.argv.slice(2);
const other = words.find((word) => !Object.hasOwn(PARTS, word));
if (other !== undefined)
  endAsWrongUsage(`no part is called ${other}; there are ${Object.keys(PARTS).join(', ')}`);
const [part] = words;
if (part !== undefined) {
  await PARTS[part]();
  process.exit();
}

const simulated = {
  ...given('SIMULATION_FIRST_SEED', Math.floor(Date.now() / 1_000)),
  ...given('SIMULATION_COMMANDS', 1_000_000),
};
const { SIMULATION_FIRST_SEED: firstSeed, SIMULATION_COMMANDS: commands } = simulated;
console.log(`${commands} simulated commands, SIMULATION_FIRST_SEED=${firstSeed}`);
await run('simulation/money-path', simulated);

const random = { ...given('RANDOM_SEED', firstSeed), ...given('RANDOM_REQUESTS', 100_000) };
console.log(`${random.RANDOM_REQUESTS} random requests, RANDOM_SEED=${random.RANDOM_SEED}`);
await run('random/random-requests', random);

const outages = { ...given('OUTAGES', 5), ...given('OUTAGE_SECONDS', 30) };
console.log('bad days', outages);
await run('bad-days/event-store-gone', outages);
await run('bad-days/kills-around-writes', given('WRITE_KILLS', 1_000));
await streams();
await run('bad-days/killed-rebuilds', given('REBUILD_KILLS', 50));
await run('restore/backup-under-writes', given('BACKUPS', 20));
await run('e2e/monitoring-kill', given('MONTHS', 12));

// It uses Jest's expect, as specs do.
globalThis.expect = expect;
const { killCampaign } = await import('#test/support/kill-campaign.js');

const kills = Number(given('KILLS', 200).KILLS);
const seed = Number(given('SEED', 1).SEED);
const row = (...cells) => console.log(cells.map((cell) => String(cell).padStart(13)).join(''));

row('kill', 'seed', 'during', 'acknowledged', 'unfinished', 'restart ms');
let done = 0;
try {
  await killCampaign(kills, seed, (report) => {
    done += 1;
    row(report.kill, report.seed, report.traffic, report.acknowledged, report.unfinished, report.restartMs);
  });
  console.log(`\n${done} kills: no acknowledged write lost, nothing charged twice, nothing left unfinished.`);
} catch (error) {
  console.error(error);
  console.error(`\nFailed after ${done} kills. Repeat it: KILLS=${kills} SEED=${seed} npm run soak`);
  process.exitCode = 1;
}

if (process.exitCode === undefined) {
  const servers = fileURLToPath(new URL('local-servers.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [servers, '--whole'], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

/** A variable of this process, or its default, as the environment of a spec. */
function given(variable, otherwise) {
  return { [variable]: process.env[variable] ?? String(otherwise) };
}

/** Kills the service while clients follow its events. */
async function streams() {
  await run('e2e/events-kill', given('STREAM_KILLS', 50));
  await run('e2e/events-leaders', given('LEADER_CHANGES', 10));
}

/** Prints the experience of a good customer beside clients that do not read. */
async function unread(seconds) {
  globalThis.expect = expect;
  const { unreadCampaign } = await import('#test/support/unread-campaign.js');
  const everyMs = 50;
  const requestsOfBoth = Math.ceil((seconds * 1_000) / everyMs);
  const campaign = {
    requestsOfEach: Math.ceil(requestsOfBoth / 8),
    requestsOfBoth,
    everyMs,
    slowReaders: 200,
  };
  const cells = (...texts) => console.log(texts.map((text) => String(text).padStart(13)).join(''));
  cells('phase', 'requests', 'p50 ms', 'p99 ms', 'peak MiB', 'cut', 'lapses');
  await unreadCampaign(campaign, ({ phase, requests, p50Ms, p99Ms, peakMiB, cut, lapses }) => {
    cells(phase, requests, p50Ms, p99Ms, peakMiB, cut, lapses);
    if (p99Ms < 100 && lapses === 0) return;
    console.error(`p99 of ${p99Ms} ms, ${lapses} looks at which a lease had no holder`);
    process.exitCode = 1;
  });
}

/** Runs one spec with larger limits than `npm test`; ends the soak if it fails. */
async function run(name, environment) {
  const spec = fileURLToPath(new URL(`../dist/test/${name}.spec.js`, import.meta.url));
  // A soak is long: failures are printed at once, and their errors at the end.
  const onFailure = (titles) => console.error(`failed: ${titles.join(' > ')}`);
  const { cases, faults } = await runSpecFile(spec, { environment, stdio: 'inherit', onFailure });
  const failures = cases.filter(({ outcome }) => outcome === 'failed');
  for (const { titles, outcome } of cases) console.log(`${outcome}: ${titles.join(' > ')}`);
  for (const error of [...failures.flatMap(({ errors }) => errors), ...faults]) console.error(error);
  if (failures.length + faults.length > 0) process.exit(1);
}
