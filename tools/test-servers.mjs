// Runs the contract suites and end-to-end tests (with --whole also all of test/api and test/bad-days) on the servers in
// TEST_EVENT_STORE_URL and TEST_READ_STORE_URL; fails without one. test/servers/gaps.json lists the cases that fail on a
// server, with the reason. Such a case runs as every other, is reported, and fails the run if it passes, because the list is
// out of date then. TEST_READ_STORE_SERVER selects the list.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSpecFile } from './jest/run-spec-file.mjs';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const tools = dirname(fileURLToPath(import.meta.url));
const root = dirname(tools);
const words = process.argv.slice(2).filter((word) => word !== '--whole');
const isWhole = process.argv.includes('--whole');
/** A hanging file is ended and counted as failed; the longest file needs a tenth of this time. */
const FILE_PATIENCE_MS = 300_000;

/**
 * Always run end to end, over HTTP and with processes of their own: runs and their cost, stats, usage, the statement,
 * monitored months, mappings, deliveries and roles that are stopped and killed. With `--whole` also everything else
 * that uses the service from outside.
 */
const END_TO_END = new Set([
  'api/monitoring-summary.spec.js',
  'api/signal-run-charges.spec.js',
  'api/signal-setup-stats.spec.js',
  'api/statement.spec.js',
  'api/usage.spec.js',
  'e2e/roles.spec.js',
  'simulation/mapping-server-kills.spec.js',
  'simulation/webhook-kills.spec.js',
]);
const isEndToEnd = (file) =>
  isWhole ? /^(api|bad-days|e2e)\/.*\.spec\.js$/.test(file) : END_TO_END.has(file);

/** The spec files for each server. */
const SUITES = [
  {
    variable: 'TEST_EVENT_STORE_URL',
    server: process.env.TEST_EVENT_STORE_SERVER || 'EventStoreDB',
    isOne: (file) => /(^|\/)eventstoredb-[^/]*-server\.spec\.js$/.test(file),
  },
  {
    variable: 'TEST_READ_STORE_URL',
    server: process.env.TEST_READ_STORE_SERVER || 'MongoDB',
    isOne: (file) => /(^|\/)mongo-[^/]*\.spec\.js$/.test(file),
  },
  {
    // Every service needs a separate event store, which only the fault server provides.
    variable: 'TEST_READ_STORE_URL',
    server: process.env.TEST_READ_STORE_SERVER || 'MongoDB',
    beside: 'the fault server of EventStoreDB',
    environment: { TEST_SERVICE_EVENT_STORE: 'fault-server' },
    isOne: isEndToEnd,
  },
];

/** Requirements of some files besides a server. */
const NEEDS = {
  'contract/mongo-restart': {
    variable: 'TEST_READ_STORE_COMMAND',
    text: '{folder}',
    reason:
      'it kills a server and restarts it on its data, and this server cannot be restarted (or stores no data)',
  },
};

const named = SUITES.filter(({ variable }) => process.env[variable]);
if (named.length === 0) {
  console.error('name a server: TEST_EVENT_STORE_URL=esdb://… or TEST_READ_STORE_URL=mongodb://…');
  process.exit(1);
}
const unnamed = SUITES.filter((suite) => !named.includes(suite)).map(({ variable }) => variable);
for (const variable of new Set(unnamed)) {
  console.log(`not run: ${variable} names no server`);
}
let passed = 0;
let failed = 0;
let notRun = 0;
for (const suite of named) await run(suite);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed + notRun > 0 && failed === 0 ? 0 : 1;

async function run({ server, beside, environment = {}, isOne }) {
  const files = readdirSync(join(root, 'dist/test'), { recursive: true })
    .filter((file) => isOne(file) && (words.length === 0 || words.some((word) => file.includes(word))))
    .sort();
  const gaps = JSON.parse(readFileSync(join(root, 'test/servers/gaps.json'), 'utf8'))[server] ?? [];
  console.log(`${server}${beside === undefined ? '' : ` and ${beside}`}: ${files.length} spec files`);
  for (const file of files) {
    const own = gaps.filter((gap) => gap.file === file.replace(/\.js$/, '.ts'));
    const whole = own.find(({ notRun }) => notRun !== undefined);
    if (whole !== undefined) {
      console.log(`gap of ${server}: ${file} is not run: ${whole.notRun}`);
      notRun += 1;
      continue;
    }
    const before = { passed, failed, at: performance.now() };
    const cases = await casesOf(join(root, 'dist/test', file), environment);
    const only = NEEDS[file.replace(/\.spec\.js$/, '')];
    if (cases.length === 0 && only !== undefined && !process.env[only.variable]?.includes(only.text)) {
      console.log(`${server}: ${file} is not run: ${only.reason}`);
    } else if (cases.length === 0) fault(`${file} ran no case`);
    else if (only !== undefined && !cases.some(({ title }) => title.includes('replica set')))
      console.log(
        `${server}: ${file} is not run for a replica set: TEST_READ_STORE_COMMAND starts no mongod`,
      );
    for (const one of cases) judge(server, own, one);
    for (const gap of own.filter(({ title }) => !cases.some((one) => one.title === title))) {
      fault(`${server}: the gap "${gap.title}" is no case of ${file}`);
    }
    const seconds = Math.round((performance.now() - before.at) / 1_000);
    console.log(`${file}: ${passed - before.passed} passed, ${failed - before.failed} failed, ${seconds} s`);
  }
}

function judge(server, gaps, { title, outcome, message }) {
  const gap = gaps.find((one) => one.title === title);
  if (gap === undefined) {
    if (outcome === 'passed') passed += 1;
    else if (outcome === 'skipped') console.log(`skipped by itself: ${title}`);
    else fault(`${title}\n${message}`);
  } else if (gap.outcome === 'either' || outcome === 'failed') {
    console.log(`gap of ${server}: ${title} (${outcome}): ${gap.reason}`);
  } else {
    fault(`${server} no longer has the gap: ${title} (${outcome}); remove it from the list`);
  }
}

function fault(message) {
  failed += 1;
  console.error(`FAILED ${message}`);
}

/** Runs one spec file in a separate process; an error outside of its cases counts as a failed case. */
async function casesOf(file, environment) {
  const stop = new AbortController();
  const end = () => {
    stop.abort();
    process.exit(1);
  };
  process.once('SIGTERM', end).once('SIGINT', end);
  const { cases, faults } = await runSpecFile(file, {
    environment,
    patienceMs: FILE_PATIENCE_MS,
    signal: stop.signal,
  });
  process.off('SIGTERM', end).off('SIGINT', end);
  return [
    ...cases.map(({ titles, outcome, errors }) => ({
      title: titles.join(' > '),
      outcome,
      message: errors.join('\n').slice(0, 2_000),
    })),
    ...faults.map((message) => ({ title: file, outcome: 'failed', message })),
  ];
}
