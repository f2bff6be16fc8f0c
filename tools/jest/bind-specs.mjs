import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { APART, COMMON, MAPPED, nameOnlyRenamed } from '../bundle.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const compiled = join(root, 'dist');
const output = join(compiled, 'bound-specs');
const SERVICE = join(compiled, 'apps/api/src/service.js');

/** Bundling costs as much processor time as it saves for four of these files. */
const WORTH_BINDING = 4;

/** This many modules of this repository load faster as few files. */
const MODULES_WORTH_BINDING = 300;

/** A spec that begins with such a line runs as compiled, in a separate process. */
const UNBOUND = /^\/\/ unbound: /;
export const isUnbound = (file) => UNBOUND.test(readFileSync(file, 'utf8'));

/** Packages that only few specs need, or that need their own files. */
const TOOLS = [
  'autocannon',
  'esbuild',
  'eslint',
  'google-protobuf',
  'google-protobuf/*',
  '@eventstore/db-client/*',
  '@grpc/grpc-js',
  'jest',
  'mongodb/*',
  'openapi-typescript',
  'pg',
  'playwright-core',
  'prettier',
  'typescript',
];

/**
 * Bundles the compiled spec files that import much of this repository, with their imports, into few files with shared
 * chunks: one process loads them in a third of the processor time of 2,500 modules. Other specs run as they are.
 *
 * Returns the bundled file of each spec that has one (`module`), and its `group`: files of one group share chunks.
 * Coverage and `--watch` need the modules themselves, so nothing is bundled for them.
 */
export async function bindSpecs(files) {
  const imports = importsOfModules();
  const candidates = files
    .filter((file) => !isUnbound(file))
    .map((file) => ({ file, modules: modulesOf(file, imports) }));
  const bound = candidates.filter(({ modules }) => modules.size >= MODULES_WORTH_BINDING);
  if (bound.length < WORTH_BINDING) return new Map();
  rmSync(output, { recursive: true, force: true });
  // A chunk contains the modules that the same files import: with fewer kinds of files in a bundle the chunks are fewer
  // and larger.
  const filesOf = (isOfService) =>
    bound.filter(({ modules }) => modules.has(SERVICE) === isOfService).map(({ file }) => file);
  const groups = [bindTogether(filesOf(true), 'service'), bindTogether(filesOf(false), 'others')];
  return new Map((await Promise.all(groups)).flat());
}

/** Returns each file with its bundled one, and the group that it shares chunks with. */
async function bindTogether(files, group) {
  if (files.length === 0) return [];
  const { build } = await import('esbuild');
  const outdir = join(output, group);
  const names = files.map((file) => [file, relative(compiled, file).replace(/\.spec\.js$/, '')]);
  await build({
    ...COMMON,
    ...MAPPED,
    entryPoints: Object.fromEntries(names.map(([file, name]) => [name, file])),
    outdir,
    splitting: true,
    external: [...APART, ...TOOLS],
    plugins: [{ name: 'addresses', setup: keepOwnAddress }],
  });
  nameOnlyRenamed(outdir);
  return names.map(([file, name]) => [file, { module: join(outdir, `${name}.js`), group }]);
}

/**
 * A module continues to read files next to its compiled file. A thread is started from the bundle of the programs,
 * because loading its modules one by one takes a second per thread.
 */
function keepOwnAddress({ onLoad }) {
  onLoad({ filter: /[/\\]dist[/\\](apps|libs|projections|test)[/\\].*\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta.')) return null;
    const own = { url: pathToFileURL(path).href, dirname: dirname(path) };
    const contents = text
      .replaceAll(/new URL\('\.\/([\w-]+\.worker\.js)', import\.meta\.url\)/g, (found, name) => {
        const thread = join(compiled, 'bundle', name);
        return existsSync(thread) ? `new URL(${JSON.stringify(pathToFileURL(thread).href)})` : found;
      })
      .replaceAll(/\bimport\.meta\.(url|dirname)\b/g, (_found, name) => JSON.stringify(own[name]));
    return { contents, loader: 'js' };
  });
}

/** The modules of this repository that a module imports, directly or indirectly, and the module itself. */
function modulesOf(file, imports, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const imported of imports(file)) if (imported.startsWith('/')) modulesOf(imported, imports, seen);
  return seen;
}

function importsOfModules() {
  const { imports: subpaths } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const rooms = Object.entries(subpaths)
    .filter(([subpath]) => subpath.endsWith('/*'))
    .map(([subpath, { default: compiled }]) => [subpath.slice(0, -1), join(root, compiled.slice(0, -1))]);
  const known = new Map();
  return (file) => {
    let found = known.get(file);
    if (found === undefined) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name);
      found = specifiers.map((specifier) => {
        if (specifier.startsWith('.')) return resolve(dirname(file), specifier);
        const room = rooms.find(([prefix]) => specifier.startsWith(prefix));
        return room === undefined ? specifier : join(room[1], specifier.slice(room[0].length));
      });
      known.set(file, found);
    }
    return found;
  };
}
