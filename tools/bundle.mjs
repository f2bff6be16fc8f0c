import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = join(root, 'dist');
/** What is bound of the compiled files, in `dist/`: the programs, the parts of Jest and, by a run of tests, its specs. */
export const BOUND = ['bundle', 'jest-parts.js', 'bound-specs', '.bundle'];
const output = join(compiled, 'bundle');
const jestParts = join(compiled, 'jest-parts.js');
/** Beside it, for addresses count from there; a bundle is there whole or not at all. */
const unfinished = join(compiled, '.bundle');

/** What each program begins with, by the name that its `main` asks for. */
const PROGRAMS = { api: 'apps/api/src/run.js', cli: 'apps/cli/src/run.js', worker: 'apps/worker/src/run.js' };

/** Read where a setting asks for them, if at all: clients of servers, and what Nest offers to whoever installs it. */
export const APART = [
  '@eventstore/db-client',
  'mongodb',
  '@photostructure/sqlite',
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
];

/** What is bound keeps its names: schemas and errors are called after their classes. */
export const COMMON = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: true,
  banner: {
    js: "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);",
  },
  logLevel: 'warning',
};

/** Until the next build each module is read by itself. */
export function removeBundle() {
  rmSync(output, { recursive: true, force: true });
}

/** Whether programs and the parts of Jest are there in bound form. */
export function isBundled() {
  return (
    Object.keys(PROGRAMS).every((name) => existsSync(join(output, `${name}.js`))) && existsSync(jestParts)
  );
}

/**
 * Binds the compiled programs and threads, with the packages that they need, into few files: of a thousand modules
 * and more, most of a start is spent in finding them. Source maps lead back to the TypeScript.
 */
export async function bundle() {
  const { build } = await import('esbuild');
  rmSync(unfinished, { recursive: true, force: true });
  await build({
    ...COMMON,
    entryPoints: Object.fromEntries(
      [...Object.entries(PROGRAMS), ...threads()].map(([name, file]) => [name, join('dist', file)]),
    ),
    outdir: unfinished,
    splitting: true,
    external: APART,
    sourcemap: true,
    sourcesContent: false,
    plugins: [{ name: 'addresses', setup: keepAddresses }],
  });
  await bundleJest(build);
  removeBundle();
  renameSync(unfinished, output);
}

/** Beside the bundle and not in it, which goes where no specs are. */
async function bundleJest(build) {
  await build({
    ...COMMON,
    entryPoints: ['tools/jest/jest-parts.mjs'],
    outfile: jestParts,
    plugins: [{ name: 'no snapshots', setup: withoutSnapshots }],
  });
}

/** Jest gives its matchers those of snapshots, and with them Babel: half of what a small spec costs, and none uses it. */
function withoutSnapshots({ onResolve, onLoad }) {
  onResolve({ filter: /^@jest\/expect$/ }, ({ path }) => ({ path, namespace: 'matchers' }));
  onLoad({ filter: /^@jest\/expect$/, namespace: 'matchers' }, () => ({
    contents: "export { expect as jestExpect } from 'expect';",
    resolveDir: root,
  }));
}

function threads() {
  const files = ['apps', 'libs', 'projections'].flatMap((room) =>
    readdirSync(join(compiled, room), { recursive: true })
      .filter((file) => file.endsWith('.worker.js'))
      .map((file) => [basename(file, '.js'), join(room, file)]),
  );
  if (new Set(files.map(([name]) => name)).size < files.length) throw new Error('two threads of one name');
  return files;
}

/** The address of a module stays that of its own file, whichever it was bound into; a thread is bound as well. */
function keepAddresses({ onLoad }) {
  onLoad({ filter: /[/\\]dist[/\\](apps|libs|projections)[/\\].*\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta.url')) return null;
    const own = `new URL(${JSON.stringify(`../${relative(compiled, path).replaceAll('\\', '/')}`)}, import.meta.url).href`;
    const contents = text.replaceAll(
      /new URL\('\.\/[\w-]+\.worker\.js', import\.meta\.url\)|import\.meta\.url/g,
      (found) => (found === 'import.meta.url' ? own : found),
    );
    return { contents, loader: 'js' };
  });
}
