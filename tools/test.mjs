// Runs the compiled specs with Node's own test runner. `npm test -- ledger cursor` runs the files whose path
// contains one of the words.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const files = readdirSync(join(root, 'dist'), { recursive: true })
  .filter((file) => file.endsWith('.spec.js'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()
  .map((file) => join(root, 'dist', file));
if (files.length === 0) {
  console.error(`no spec file matches: ${words.join(' ')}`);
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test', '--test-concurrency=2', '--test-reporter=spec', ...files],
  { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test' } },
);
process.exitCode = status ?? 1;
