// Checks the room rules of `rooms.mjs` on every source file: `node tools/check-rooms.mjs [root]`. Prints how many
// files and imports it looked at in each room; a room without files fails, for then its rules guard nothing.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';
import { forSpecs, rooms } from './rooms.mjs';

const house = dirname(dirname(fileURLToPath(import.meta.url)));
const root = process.argv[2] ?? house;
const { imports: subpaths } = JSON.parse(readFileSync(join(house, 'package.json'), 'utf8'));

const breaches = [];
const looked = new Map(rooms.map(({ name }) => [name, { files: 0, imports: 0 }]));
for (const file of sourceFiles()) {
  const room = roomOf(file);
  if (room === null) {
    breaches.push(`${file} is in no room`);
    continue;
  }
  const seen = looked.get(room.rule.name);
  seen.files += 1;
  for (const specifier of importsOf(file)) {
    seen.imports += 1;
    const target = resolve(file, specifier);
    if (!isAllowed(file, target, room)) {
      breaches.push(`${file} imports ${specifier}: not allowed in the room "${room.rule.name}"`);
    }
  }
}
for (const [name, { files, imports }] of looked) {
  console.log(`${String(files).padStart(5)} files ${String(imports).padStart(6)} imports  ${name}`);
  if (files === 0) breaches.push(`no file was found in the room "${name}"`);
}
for (const breach of breaches) console.error(breach);
console.log(breaches.length === 0 ? 'the rooms keep to their rules' : `${breaches.length} breaches`);
process.exitCode = breaches.length === 0 ? 0 : 1;

function sourceFiles() {
  return ['apps', 'libs', 'projections', 'test', 'tools']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => posix.join(folder, file)),
    )
    .filter((file) => /\.(ts|mjs)$/.test(file))
    .sort();
}

/** The row of a file, and the folder of it that the row matched: the file's own. */
function roomOf(file) {
  for (const rule of rooms) {
    for (const folder of [rule.folder].flat()) {
      const end = folder.endsWith('.ts') ? '$' : '/';
      const own = new RegExp(`^(${expression(folder)})${end}`).exec(file)?.[1];
      if (own !== undefined) return { rule, own };
    }
  }
  return null;
}

/** Every module that a file names: import, export from, import(), import types. */
function importsOf(file) {
  const source = readFileSync(join(root, file), 'utf8');
  return typescript.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** What is behind an import: a source file, as a path from the root, or a package. */
function resolve(file, specifier) {
  if (specifier.startsWith('.')) return sourceFile(posix.join(posix.dirname(file), specifier));
  for (const [subpath, compiled] of Object.entries(subpaths)) {
    const prefix = subpath.replace('*', '');
    if (subpath.endsWith('*') && specifier.startsWith(prefix)) {
      const folder = compiled.replace('./dist/', '').replace('*', '');
      return sourceFile(posix.normalize(folder + specifier.slice(prefix.length)));
    }
  }
  return { path: specifier, isPackage: true };
}

function sourceFile(path) {
  return { path: path.replace(/\.js$/, '.ts'), isPackage: false };
}

function isAllowed(file, { path, isPackage }, { rule, own }) {
  const { may = [], never = [], packages = [], specs = [] } = rule;
  const besides = file.endsWith('.spec.ts') ? [...forSpecs, ...specs] : [];
  if (isPackage) return matches(path, [...packages, ...besides]);
  const isOwn = path === own || path.startsWith(`${own}/`);
  return (isOwn || matches(path, [...may, ...besides])) && !matches(path, never);
}

function matches(path, patterns) {
  return patterns.some((pattern) => new RegExp(`^${expression(pattern)}$`).test(path));
}

/** `*` is one path segment or a part of one, `**` any number of them. */
function expression(pattern) {
  return pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*/g, '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '.*');
}
