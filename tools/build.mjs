// Compiles what changed into dist/ and removes compiled files whose source is gone, so that a deleted spec
// does not go on running. Does nothing, quickly, when nothing changed since the last good build.
// What runs as a program is then bound into few files.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, removeBundle } from './bundle.mjs';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, 'dist');
const stamp = join(output, '.built');
const sources = ['apps', 'libs', 'projections', 'test'].map((room) => join(root, room));

// Folders count too: their time changes when a file in them is deleted.
const newest = Math.max(
  ...[join(root, 'tsconfig.json'), join(root, 'package.json')].map((file) => statSync(file).mtimeMs),
  ...sources.flatMap((room) => [
    statSync(room).mtimeMs,
    ...readdirSync(room, { recursive: true }).map((file) => statSync(join(room, file)).mtimeMs),
  ]),
);
const startedAt = new Date();
if (!existsSync(stamp) || statSync(stamp).mtimeMs <= newest) {
  removeBundle();
  removeOrphans();
  // The compiler in Go takes a quarter of the time; lint and checks need the one whose parts can be called.
  const { resolve } = createRequire(import.meta.url);
  const compiler = join(dirname(resolve('typescript-native/package.json')), 'bin/tsc');
  const arguments_ = [compiler, '-p', join(root, 'tsconfig.json')];
  const { status } = spawnSync(process.execPath, arguments_, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (status === 0) {
    writeFileSync(stamp, '');
    utimesSync(stamp, startedAt, startedAt);
  }
}
if (!process.exitCode && !existsSync(join(output, 'bundle'))) await bundle();

function removeOrphans() {
  if (!existsSync(output)) return;
  for (const file of readdirSync(output, { recursive: true })) {
    const source = /^(?<stem>.*)\.js(\.map)?$/.exec(file)?.groups?.stem;
    if (source !== undefined && !existsSync(join(root, `${source}.ts`))) rmSync(join(output, file));
  }
}
