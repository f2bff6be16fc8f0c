// Runs the compiled specs with Node's own test runner. `npm test -- ledger cursor` runs the files whose path
// contains one of the words. The last line is the count: `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tools = dirname(fileURLToPath(import.meta.url));
const root = dirname(tools);
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

/** What hangs is ended and counted as failed; the longest file needs a tenth of it. */
const FILE_PATIENCE_MS = 600_000;
const folder = mkdtempSync(join(tmpdir(), 'test-counts-'));
const countsFile = join(folder, 'counts.json');
const { status } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    '--test-concurrency=2',
    `--test-timeout=${FILE_PATIENCE_MS}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(tools, 'count-tests.mjs')}`,
    `--test-reporter-destination=${countsFile}`,
    ...files,
  ],
  { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, NODE_ENV: 'test' } },
);
const { pass = 0, fail = 0, cancelled = 0, skipped = 0 } = JSON.parse(readFileSync(countsFile, 'utf8'));
rmSync(folder, { recursive: true });
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${pass} passed, ${fail + cancelled} failed`);
process.exitCode = pass > 0 && fail + cancelled === 0 ? (status ?? 1) : 1;
