import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = join(root, 'dist');
/** The bundled files in `dist/`: the programs, the parts of Jest and, for a run of tests, its specs. */
export const BOUND = ['bundle', 'jest-parts.js', 'bound-specs', '.bundle'];
const output = join(compiled, 'bundle');
const jestParts = join(compiled, 'jest-parts.js');
/** In a folder next to the bundle, because relative addresses start there; a bundle is complete or does not exist. */
const unfinished = join(compiled, '.bundle');

/** The entry points of the programs, by the name that their `main` uses: see `runBundled`. */
const PROGRAMS = {
  api: 'apps/api/src/run.js',
  cli: 'apps/cli/src/run.js',
  worker: 'apps/worker/src/run.js',
  'due-work': 'libs/runtime/do-due-work.js',
};
const PROGRAMS_FILE = 'programs.cjs';
/** Another version of Node takes no compiled code of this one. */
const NODE_VERSION = 'node-version';
const codeCacheWriter = join(dirname(fileURLToPath(import.meta.url)), 'write-code-cache.mjs');

/** Not bundled, and loaded only if configured: clients of servers, and optional packages of Nest. */
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

/** Names are kept, because schemas and errors are named after their classes. */
const OF_ANY_FORMAT = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  keepNames: true,
  logLevel: 'warning',
};

export const COMMON = {
  ...OF_ANY_FORMAT,
  format: 'esm',
  banner: {
    js: "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);",
  },
};

/** Source maps without the sources. */
export const MAPPED = { sourcemap: true, sourcesContent: false };

/** Removes the bundle, so that modules are loaded separately until the next build. */
export function removeBundle() {
  rmSync(output, { recursive: true, force: true });
}

/** Whether programs and the parts of Jest are bundled. */
export function isBundled() {
  const version = join(output, NODE_VERSION);
  return existsSync(version) && readFileSync(version, 'utf8') === process.version && existsSync(jestParts);
}

/**
 * Bundles the compiled programs and threads, with the packages that they need, into few files: with more than a
 * thousand modules, most of the start-up time is spent finding them. Source maps refer to the TypeScript.
 */
export async function bundle() {
  const { build } = await import('esbuild');
  rmSync(unfinished, { recursive: true, force: true });
  // One after the other: each checks that its functions are named as they should be.
  await bundlePrograms(build);
  await bundleThreads(build);
  await Promise.all([writeCodeCaches(), bundleJest(build)]);
  writeFileSync(join(unfinished, NODE_VERSION), process.version);
  removeBundle();
  renameSync(unfinished, output);
}

/**
 * The programs are one CommonJS file, because V8 can keep its compiled code only for scripts, and compiling was half of the
 * time of a start.
 */
async function bundlePrograms(build) {
  const loaders = Object.entries(PROGRAMS).map(
    ([name, file]) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`./dist/${file}`)})`,
  );
  const outfile = join(unfinished, PROGRAMS_FILE);
  await build({
    ...OF_ANY_FORMAT,
    ...MAPPED,
    format: 'cjs',
    stdin: { contents: `module.exports = { ${loaders.join(', ')} };`, resolveDir: root },
    outfile,
    external: APART,
    minifyWhitespace: true,
    lineLimit: 160,
    banner: {
      js: '(function (exports, require, module, __filename, __dirname) { "use strict"; const $url = require("node:url").pathToFileURL(__filename).href;',
    },
    footer: { js: '})' },
    define: { 'import.meta.url': '$url' },
    // A script has no `import()`, unless an experimental feature of Node is used.
    supported: { 'dynamic-import': false },
    plugins: [{ name: 'addresses', setup: keepAddresses }],
  });
  nameOnlyRenamed(unfinished);
  // Regular expressions of packages are left as they are by esbuild. The columns of the few lines with them shift in stacks.
  const text = readFileSync(outfile, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped);
  const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
  writeFileSync(outfile, `/*${id}*/${text}`);
}

/** One UTF-16 unit, as it may be written in strings, regular expressions and names. */
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Threads that need only a part of the repository, with shared chunks. */
async function bundleThreads(build) {
  await build({
    ...COMMON,
    ...MAPPED,
    entryPoints: Object.fromEntries(threads().map(([name, file]) => [name, join('dist', file)])),
    outdir: unfinished,
    splitting: true,
    external: APART,
    plugins: [{ name: 'addresses', setup: keepAddresses }],
  });
  nameOnlyRenamed(unfinished);
}

/** By a process for each program, so that a cache has no code of another one. */
async function writeCodeCaches() {
  const file = join(unfinished, PROGRAMS_FILE);
  await Promise.all(
    Object.keys(PROGRAMS).map((name) => promisify(execFile)(process.execPath, [codeCacheWriter, file, name])),
  );
}

/** What esbuild adds for `keepNames`, and calls whenever a function is made, not only a renamed one. */
const NAMING = /\b__name ?= ?\(target, ?value\) ?=> ?(?=__defProp\(target, ?"name",)/;

/**
 * Names only functions and classes that do not have their name already. Defining a property takes 0.8 us, and a request
 * makes many functions; comparing takes 0.02 us. Seven API specs need 32 instead of 43 s of processor time.
 */
export function nameOnlyRenamed(folder) {
  let found = 0;
  for (const name of readdirSync(folder, { recursive: true }).filter((file) => /\.c?js$/.test(file))) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    if (!NAMING.test(text)) continue;
    writeFileSync(file, text.replace(NAMING, '$&target.name === value ? target : '));
    found += 1;
  }
  if (found === 0) throw new Error('esbuild names functions in another way than expected');
}

/** Next to the bundle and not in it, because the bundle is also installed without specs. */
async function bundleJest(build) {
  await build({
    ...COMMON,
    entryPoints: ['tools/jest/jest-parts.mjs'],
    outfile: jestParts,
    // Each `expect` makes about 150 functions. Keeping their names took half of the time of an expectation, 33 of 62 us.
    keepNames: false,
    plugins: [{ name: 'no snapshots', setup: withoutSnapshots }],
  });
}

/** Jest adds snapshot matchers, and with them Babel: half of the cost of a small spec, and no spec uses them. */
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
      .map((file) => [basename(file, '.js'), join(room, file)])
      // Such a thread is a program of the bundle, and its file only starts it.
      .filter(([, file]) => !readFileSync(join(compiled, file), 'utf8').includes('runBundled(')),
  );
  if (new Set(files.map(([name]) => name)).size < files.length) throw new Error('two threads of one name');
  return files;
}

/** `import.meta.url` stays that of the module's own file, whichever bundle it is in; a thread is started from the bundle. */
function keepAddresses({ onLoad }) {
  const bundled = new Set(threads().map(([name]) => `${name}.js`));
  onLoad({ filter: /[/\\]dist[/\\](apps|libs|projections)[/\\].*\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta.url')) return null;
    const own = `new URL(${JSON.stringify(`../${relative(compiled, path).replaceAll('\\', '/')}`)}, import.meta.url).href`;
    const contents = text.replaceAll(
      /new URL\('\.\/([\w-]+\.worker\.js)', import\.meta\.url\)|import\.meta\.url/g,
      (found, thread) =>
        thread === undefined ? own : bundled.has(thread) ? found : `new URL('./${thread}', ${own})`,
    );
    return { contents, loader: 'js' };
  });
}
