// `npm run check`: the checks of CI without the tests, and the specs of the house, two steps at a time, each with its
// time. `.cache/` stores the files that passed lint and formatting, and the steps that passed: a step is not run again
// until something that it reads has changed. `-- --anew` runs all steps. `-- --changed` checks lint and formatting only
// of files that differ from the branch `main`.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles } from './changed-files.mjs';
import { argumentsOf, endWithHelp } from './help.mjs';
import { readKept, writeKept } from './kept-file.mjs';
import { stepKeys } from './kept-steps.mjs';
import { sideBySide } from './side-by-side.mjs';

endWithHelp(import.meta.url);

const tools = dirname(fileURLToPath(import.meta.url));
const { resolve } = createRequire(import.meta.url);
const prettier = join(dirname(resolve('prettier/package.json')), 'bin/prettier.cjs');

const { values } = argumentsOf({
  options: { changed: { type: 'boolean', default: false }, anew: { type: 'boolean', default: false } },
});
const formatted = values.changed ? changedFiles() : ['.'];
const kept = ['--cache', '--cache-strategy=content', '--cache-location=.cache/prettier'];

/**
 * Longest first; most steps read the output of the types step. `reads` says what the result depends on: the whole
 * `tree`, or its `code`, which is everything except specs. The types step skips unchanged files itself.
 */
const steps = [
  { name: 'types', run: [join(tools, 'build.mjs')] },
  {
    name: 'house specs',
    run: [join(tools, 'test.mjs'), 'test/house/', 'document-budget', 'stored-forms', '--maxWorkers=1'],
    after: 'types',
    reads: 'tree',
  },
  {
    name: 'generated documents',
    run: [join(tools, 'generate-docs.mjs'), '--check'],
    after: 'types',
    reads: 'code',
  },
  {
    name: 'examples of the API document',
    run: [join(tools, 'record-examples.mjs'), '--check'],
    after: 'types',
    reads: 'code',
  },
  { name: 'API document', run: [join(tools, 'check-openapi.mjs')], after: 'types', reads: 'code' },
  {
    name: 'lint',
    run: [join(tools, 'lint.mjs'), ...(values.changed ? ['--changed'] : [])],
    after: 'types',
    reads: 'tree',
    isPartial: values.changed,
  },
  {
    name: 'formatting',
    run: [prettier, '--check', '--log-level=warn', '--ignore-unknown', ...kept, ...formatted],
    isLeftOut: formatted.length === 0,
    reads: 'tree',
    isPartial: values.changed,
  },
  { name: 'exports', run: [join(tools, 'check-exports.mjs')], reads: 'tree' },
  { name: 'rooms', run: [join(tools, 'check-rooms.mjs')], reads: 'tree' },
  { name: 'libraries', run: [join(tools, 'check-libraries.mjs')], reads: 'tree' },
  { name: 'rules', run: [join(tools, 'check-rules.mjs')], reads: 'tree' },
  { name: 'tree', run: [join(tools, 'check-tree.mjs')], reads: 'tree' },
];
const AT_ONCE = 2;

/** A step that skipped something is run again next time: its result is not stored. */
const LEFT_SOMETHING_OUT = /\bskipped\b/;

const keyOf = stepKeys();
/** The key with which each step last passed, by name. */
const passed = values.anew ? {} : readKept('check.json');
const outcomes = new Map();
await sideBySide(
  steps.filter(({ isLeftOut = false }) => !isLeftOut),
  AT_ONCE,
  take,
);

// A file saved while a step ran may or may not have been read.
const keyNow = stepKeys();
for (const { name, reads } of steps) {
  if (reads !== undefined && passed[name] === keyOf(reads) && keyNow(reads) !== keyOf(reads))
    delete passed[name];
}
writeKept('check.json', passed);
const failed = [...outcomes].filter(([, outcome]) => outcome !== 'passed').map(([name]) => name);
console.log(failed.length === 0 ? `${outcomes.size} checks passed` : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function take({ name, run, after, reads, isPartial = false }) {
  if (after !== undefined && outcomes.get(after) !== 'passed') {
    outcomes.set(name, 'not run');
    console.log(`- ${name}: not run, ${after} failed`);
    return;
  }
  const key = reads === undefined ? null : keyOf(reads);
  if (key !== null && passed[name] === key) {
    outcomes.set(name, 'passed');
    console.log(`✓ ${name}: passed before, and its inputs have not changed`);
    return;
  }
  const startedAt = performance.now();
  const { status, output } = await runNode(run);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  outcomes.set(name, status === 0 ? 'passed' : 'failed');
  delete passed[name];
  if (key !== null && status === 0 && !isPartial && !LEFT_SOMETHING_OUT.test(output)) passed[name] = key;
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
