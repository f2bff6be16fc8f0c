// Writes the typed client of the API from the compiled declarations, and compiles it: `npm run client`, or
// `node tools/write-client.mjs FOLDER` for another folder than clients/typescript: an empty one, or one with a former
// client, which is replaced. Publish package.json, README.md and dist/ of it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endAsWrongUsage, endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

// After the help, which must not load a compiler.
const { default: openapiTypeScript, astToString } = await import('openapi-typescript');

const NAME = 'signal-ledger-client';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const published = process.argv[2] ?? join(root, 'clients/typescript');
if (!mayBeReplaced(published))
  endAsWrongUsage(`${published} has files that are not those of a client: name an empty folder`);
// The compiler finds the packages of the client only below the root.
const folder = join(root, '.cache', `written-client-${process.pid}`);
const house = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const { apiDocument } = await import('../dist/test/support/declared-answers.js');
const document = apiDocument();
const types = await openapiTypeScript(withJsonAlone(structuredClone(document)), {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  // An object without declared members accepts any: the parameters of a setup.
  emptyObjectsUnknown: true,
  // A member with a default need not be sent; in answers it is always present by its own declaration.
  defaultNonNullable: false,
});

mkdirSync(join(folder, 'src'), { recursive: true });
for (const file of ['client.ts', 'paging.ts', 'retries.ts', 'verify.ts']) {
  cpSync(join(root, 'tools/client', file), join(folder, 'src', file));
}
cpSync(join(root, 'tools/client/README.md'), join(folder, 'README.md'));
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
writeFileSync(join(folder, 'src/schema.ts'), astToString(types));
write('package.json', {
  name: NAME,
  version: house.version,
  description: 'The API of signal-ledger, typed',
  license: house.license,
  type: 'module',
  exports: { '.': { types: './dist/client.d.ts', default: './dist/client.js' } },
  files: ['dist'],
  dependencies: { 'openapi-fetch': house.devDependencies['openapi-fetch'] },
});
write('tsconfig.json', {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'],
    module: 'nodenext',
    rootDir: 'src',
    outDir: 'dist',
    declaration: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['src'],
});

const { resolve } = createRequire(import.meta.url);
const compiler = join(dirname(resolve('typescript-native/package.json')), 'bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
if (status === 0) {
  rmSync(published, { recursive: true, force: true });
  cpSync(folder, published, { recursive: true });
}
rmSync(folder, { recursive: true });
const named = Object.keys(document.components.schemas).length;
if (status === 0)
  console.log(`${Object.keys(document.paths).length} paths and ${named} named types in ${published}`);
process.exitCode = status ?? 1;

/** Whether a folder is empty, is not there, or has a client. */
function mayBeReplaced(path) {
  if (!existsSync(path) || readdirSync(path).length === 0) return true;
  const file = join(path, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === NAME;
}

/** For an answer that is JSON or, on request, a stream of lines, the client reads the JSON. */
function withJsonAlone(whole) {
  const operations = Object.values(whole.paths).flatMap((path) => Object.values(path));
  for (const { content } of operations.flatMap(({ responses }) => Object.values(responses))) {
    if (content?.['application/json'] === undefined) continue;
    for (const type of Object.keys(content)) if (type !== 'application/json') delete content[type];
  }
  return whole;
}

function write(file, content) {
  writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
}
