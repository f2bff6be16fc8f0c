// `npm run check`: everything that CI asks beside the tests, and the specs of the house, two steps at a time, each with
// its time. `.cache/` keeps which files passed lint and formatting. `-- --changed` asks these two of the files alone that
// differ from the branch `main`.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changedFiles } from './changed-files.mjs';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const tools = dirname(fileURLToPath(import.meta.url));
const { resolve } = createRequire(import.meta.url);
const prettier = join(dirname(resolve('prettier/package.json')), 'bin/prettier.cjs');

const { values } = parseArgs({ options: { changed: { type: 'boolean', default: false } } });
const formatted = values.changed ? changedFiles() : ['.'];
const kept = ['--cache', '--cache-strategy=content', '--cache-location=.cache/prettier'];

/** Longest first; most steps look at what the types step compiled. */
const steps = [
  { name: 'types', run: [join(tools, 'build.mjs')] },
  {
    name: 'formatting',
    run: [prettier, '--check', '--log-level=warn', '--ignore-unknown', ...kept, ...formatted],
    isLeftOut: formatted.length === 0,
  },
  {
    name: 'house specs',
    run: [join(tools, 'test.mjs'), 'test/house/', 'document-budget', '--maxWorkers=1'],
    after: 'types',
  },
  { name: 'lint', run: [join(tools, 'lint.mjs'), ...(values.changed ? ['--changed'] : [])], after: 'types' },
  { name: 'generated documents', run: [join(tools, 'generate-docs.mjs'), '--check'], after: 'types' },
  { name: 'API document', run: [join(tools, 'check-openapi.mjs')], after: 'types' },
  { name: 'rooms', run: [join(tools, 'check-rooms.mjs')] },
  { name: 'exports', run: [join(tools, 'check-exports.mjs')] },
  { name: 'libraries', run: [join(tools, 'check-libraries.mjs')] },
  { name: 'rules', run: [join(tools, 'check-rules.mjs')] },
  { name: 'tree', run: [join(tools, 'check-tree.mjs')] },
];
const AT_ONCE = 2;

const outcomes = new Map();
const waiting = steps.filter(({ isLeftOut = false }) => !isLeftOut);
await Promise.all(Array.from({ length: AT_ONCE }, lane));

const failed = [...outcomes].filter(([, outcome]) => outcome !== 'passed').map(([name]) => name);
console.log(failed.length === 0 ? `${outcomes.size} checks passed` : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function lane() {
  for (;;) {
    const next = waiting.findIndex(({ after }) => after === undefined || outcomes.has(after));
    // What is left waits for a step that the other lane is running, and the other lane will take it.
    if (next === -1) return;
    await take(waiting.splice(next, 1)[0]);
  }
}

async function take({ name, run, after }) {
  if (after !== undefined && outcomes.get(after) !== 'passed') {
    outcomes.set(name, 'not run');
    console.log(`- ${name}: not run, ${after} failed`);
    return;
  }
  const startedAt = performance.now();
  const { status, output } = await runNode(run);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  outcomes.set(name, status === 0 ? 'passed' : 'failed');
  console.log(`${status === 0 ? '✓' : '✗'} ${name} ${seconds} s`);
  if (status !== 0) console.log(output.trimEnd());
}

function runNode(command) {
  return new Promise((done) => {
    const child = spawn(process.execPath, command, {
      cwd: dirname(tools),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.on('close', (status) => done({ status, output }));
  });
}
