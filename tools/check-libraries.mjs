// Compares the lists of libraries with the folders: `node tools/check-libraries.mjs [root]`. nest-cli.json must name each
// application and library, package.json must have a subpath for each library, the tables of features and rooms in the
// README must name each library, and no list may name a missing one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { house } from './source-imports.mjs';

const root = process.argv[2] ?? house;
const foldersIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
    .sort();

const libraries = [...foldersIn('libs'), 'projections'];
const faults = [];

const { projects } = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8'));
const projectRoots = new Map(
  Object.entries(projects).map(([name, project]) => [project.root, { name, ...project }]),
);
compare('nest-cli.json', [...foldersIn('apps'), ...libraries], [...projectRoots.keys()]);
for (const [folder, { name, type, sourceRoot }] of projectRoots) {
  const isApplication = folder.startsWith('apps/');
  if (name !== folder.split('/').at(-1)) faults.push(`nest-cli.json calls ${folder} ${name}`);
  if (type !== (isApplication ? 'application' : 'library'))
    faults.push(`nest-cli.json: ${folder} is no ${type}`);
  if (sourceRoot !== (isApplication ? `${folder}/src` : folder)) {
    faults.push(`nest-cli.json looks for the sources of ${folder} in ${sourceRoot}`);
  }
}

const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// Node reads compiled files; the compiler, and tools with the condition `source`, read the sources.
const targets = Object.entries(imports).filter(([, target]) => typeof target !== 'string');
for (const [subpath, { source, default: compiled }] of targets) {
  if (compiled !== source.replace('./', './dist/'))
    faults.push(`package.json: ${subpath} is compiled from elsewhere than its source`);
}
const subpaths = targets
  .map(([, { source }]) => source)
  .filter((source) => /^\.\/(libs\/|projections\/)/.test(source));
compare(
  'package.json',
  libraries,
  subpaths.map((source) => source.replace(/^\.\/|\/\*$/g, '')),
);

const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** The first cells of the table with this first heading. */
const namedIn = (heading) =>
  (readme.split(`| ${heading} `).at(1)?.split(/\n\n/).at(0) ?? '')
    .split('\n')
    .slice(2)
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, room]) => room));
const rooms = ['Feature', 'Room'].flatMap(namedIn);
compare('the table of rooms in README.md', [...libraries, 'apps', 'test', 'tools', 'docs'], rooms);

for (const fault of faults) console.error(fault);
console.log(`${libraries.length} libraries, ${rooms.length} rooms in the README, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function compare(where, folders, named) {
  for (const folder of folders) if (!named.includes(folder)) faults.push(`${where} does not name ${folder}`);
  for (const name of new Set(named)) {
    if (!folders.includes(name) || !existsSync(join(root, name)))
      faults.push(`${where} names ${name}, which is not there`);
    if (named.indexOf(name) !== named.lastIndexOf(name)) faults.push(`${where} names ${name} twice`);
  }
}
