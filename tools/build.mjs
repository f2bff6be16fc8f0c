// Compiles changed files into dist/ and removes compiled files without a source, so that a deleted spec does not run.
// Returns quickly if nothing changed since the last successful build. Programs are then bundled into few files if one of
// their parts changed; specs are not bundled. `--without-bundle` removes the bundles, so that modules are read one by one.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BOUND, bundle, isBundled, removeBundle } from './bundle.mjs';
import { endWithHelp } from './help.mjs';
import { orphansOf } from './orphans.mjs';

endWithHelp(import.meta.url);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, 'dist');
const stamp = join(output, '.built');
/** The files that determine how sources are compiled and bundled. */
const settings = [
  'tsconfig.json',
  'package.json',
  'tools/bundle.mjs',
  'tools/write-code-cache.mjs',
  'tools/jest/jest-parts.mjs',
].map((file) => join(root, file));
const sources = ['apps', 'libs', 'projections', 'test'].map((room) => join(root, room));

// Folders count too, because a deleted file changes their time.
const newest = Math.max(
  ...settings.map(timeOf),
  ...sources.flatMap((room) => [
    statSync(room).mtimeMs,
    ...readdirSync(room, { recursive: true }).map((file) => statSync(join(room, file)).mtimeMs),
  ]),
);
const startedAt = new Date();
if (!existsSync(stamp) || statSync(stamp).mtimeMs <= newest) {
  removeOrphans();
  // The compiler in Go takes a quarter of the time; lint and checks need the one with an API.
  const { resolve } = createRequire(import.meta.url);
  const compiler = join(dirname(resolve('typescript-native/package.json')), 'bin/tsc');
  const arguments_ = [compiler, '-p', join(root, 'tsconfig.json')];
  const { status } = spawnSync(process.execPath, arguments_, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (status === 0) {
    writeFileSync(stamp, '');
    utimesSync(stamp, startedAt, startedAt);
  }
  if (status !== 0 || newestPart() > timeOf(join(output, BOUND[0]))) removeBundle();
}
if (process.argv.includes('--without-bundle')) removeBundle();
else if (!process.exitCode && !isBundled()) await bundle();

/** The last change of a compiled part of the bundle, or of the files that determine it. */
function newestPart() {
  const compiled = ['apps', 'libs', 'projections']
    .map((room) => join(output, room))
    .filter(existsSync)
    .flatMap((room) =>
      readdirSync(room, { recursive: true })
        .filter((file) => /(?<!\.spec)\.(js|json)$/.test(file))
        .map((file) => timeOf(join(room, file))),
    );
  return Math.max(...compiled, ...settings.map(timeOf));
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function removeOrphans() {
  if (!existsSync(output)) return;
  const files = readdirSync(output, { recursive: true });
  for (const file of orphansOf(files, (source) => existsSync(join(root, source)))) rmSync(join(output, file));
}
