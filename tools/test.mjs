// Runs the compiled specs with Jest. `npm test -- ledger cursor` runs the files whose path contains one of the words,
// `-t 'part of a title'` the cases with such a title; `--watch` compiles and runs again what changes.
// The last line is the count: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import jest from 'jest';
import { removeBundle } from './bundle.mjs';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals: words } = parseArgs({
  options: {
    testNamePattern: { type: 'string', short: 't' },
    watch: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

/** Jest's patterns are of whole paths; the folder that the house stands in must not match a word. */
const patterns = words.map(
  (word) => `/dist/.*${RegExp.escape?.(word) ?? word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`,
);
const { testNamePattern, watch } = values;
if (watch) {
  // What changes is not bound anew: programs that a spec starts read the modules themselves.
  removeBundle();
  process.env.TEST_WITHOUT_BUNDLE = '1';
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = ['-p', join(root, 'tsconfig.json'), '--watch', '--preserveWatchOutput'];
  const compiling = spawn(process.execPath, [compiler, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.on('exit', () => compiling.kill());
}
await jest.run([
  `--config=${join(root, 'jest.config.js')}`,
  ...(testNamePattern === undefined ? [] : [`--testNamePattern=${testNamePattern}`]),
  // What Git knows to have changed is never the compiled file.
  ...(watch ? ['--watchAll'] : []),
  ...patterns,
]);
