import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { APART, COMMON } from '../bundle.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const compiled = join(root, 'dist');
const output = join(compiled, 'bound-specs');

/** Binding costs as much processor time as four of these files save. */
const WORTH_BINDING = 4;

/** A spec that begins with such a line runs as it was compiled. */
const UNBOUND = /^\/\/ unbound: /;

/** What only few specs need, or needs its own files beside it. */
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
 * Binds those of the compiled spec files that import the service, with what they import, into few files with shared
 * chunks: one process loads them in a third of the processor time of 2,500 modules. Other specs run as they are.
 *
 * Answers the bound file of each spec that has one. Coverage and `--watch` look at the modules themselves, so nothing is
 * bound for them.
 */
export async function bindSpecs(files) {
  rmSync(output, { recursive: true, force: true });
  const imports = importsOfModules();
  const bound = files.filter(
    (file) => !UNBOUND.test(readFileSync(file, 'utf8')) && importsService(file, imports),
  );
  if (bound.length < WORTH_BINDING) return new Map();
  const { build } = await import('esbuild');
  const names = new Map(bound.map((file) => [file, relative(compiled, file).replace(/\.spec\.js$/, '')]));
  await build({
    ...COMMON,
    entryPoints: Object.fromEntries([...names].map(([file, name]) => [name, file])),
    outdir: output,
    splitting: true,
    external: [...APART, ...TOOLS],
    sourcemap: true,
    sourcesContent: false,
    plugins: [{ name: 'addresses', setup: keepOwnAddress }],
  });
  return new Map([...names].map(([file, name]) => [file, join(output, `${name}.js`)]));
}

/** A module goes on reading what stands beside its compiled file. */
function keepOwnAddress({ onLoad }) {
  onLoad({ filter: /[/\\]dist[/\\](apps|libs|projections|test)[/\\].*\.js$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('import.meta.')) return null;
    const own = { url: pathToFileURL(path).href, dirname: dirname(path) };
    const contents = text.replaceAll(/\bimport\.meta\.(url|dirname)\b/g, (_found, name) =>
      JSON.stringify(own[name]),
    );
    return { contents, loader: 'js' };
  });
}

/** Whether Nest, and with it the service, is among what a module imports, directly or not. */
function importsService(file, imports, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  return imports(file).some(
    (imported) =>
      imported === '@nestjs/core' || (imported.startsWith('/') && importsService(imported, imports, seen)),
  );
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
