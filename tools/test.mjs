// Compiles changed files and runs the specs with Jest. `npm test -- ledger cursor` runs the files whose path contains one of
// the words, `-t 'part of a title'` the cases with such a title; `--watch` compiles and runs again after changes;
// `--maxWorkers=1` runs one file at a time instead of four; `--times` prints the processor time of each file and folder,
// including processes that they start, and the elapsed time.
// The last line is the count: `N passed, N failed`. A checkout has one run at a time.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import jest from 'jest';
import { argumentsOf, endWithHelp } from './help.mjs';
import { isOnlyRun } from './one-run.mjs';

endWithHelp(import.meta.url);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals: words } = argumentsOf({
  options: {
    testNamePattern: { type: 'string', short: 't' },
    watch: { type: 'boolean', default: false },
    maxWorkers: { type: 'string' },
    times: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

if (!isOnlyRun(root)) {
  console.error(
    'Another process runs the tests of this checkout, and a second run would replace files that it reads. ' +
      'Wait for its end, or use another checkout (git worktree).',
  );
  process.exit(1);
}

const { testNamePattern, watch, maxWorkers, times } = values;
if (times) process.env.TEST_TIMES = '1';
/** Jest's patterns match whole paths; the parent folder must not match a word. */
const patterns = words.map(
  (word) => `/dist/.*${RegExp.escape?.(word) ?? word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`,
);
/** Whether only specs beside their code are requested: they start no program. */
function isBesideCode() {
  const specs = readdirSync(join(root, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => `/dist/test/${file.replaceAll('\\', '/')}`);
  return (
    patterns.length > 0 && !specs.some((spec) => patterns.some((one) => new RegExp(one, 'i').test(spec)))
  );
}
// Watching, and such specs, need no bundle: programs that a spec starts load the modules themselves.
const building = [join(root, 'tools/build.mjs'), ...(watch || isBesideCode() ? ['--without-bundle'] : [])];
const built = spawnSync(process.execPath, building, { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

if (watch) {
  process.env.TEST_WITHOUT_BUNDLE = '1';
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['-p', join(root, 'tsconfig.json'), '--watch', '--preserveWatchOutput'];
  const compiling = spawn(process.execPath, [compiler, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.on('exit', () => compiling.kill());
  // Without a listener a signal would end only this process. Spec files end when this process has ended.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  // npm sends a signal to its shell, which ends without passing it on.
  const shell = process.ppid;
  setInterval(() => process.ppid !== shell && process.exit(1), 250).unref();
}
await jest.run([
  `--config=${join(root, 'jest.config.js')}`,
  ...(testNamePattern === undefined ? [] : [`--testNamePattern=${testNamePattern}`]),
  ...(maxWorkers === undefined ? [] : [`--maxWorkers=${maxWorkers}`]),
  // Git never lists compiled files as changed.
  ...(watch ? ['--watchAll'] : []),
  ...patterns,
]);
