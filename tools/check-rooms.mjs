// Checks the import rules of `rooms.mjs` on every source file: `node tools/check-rooms.mjs [root]`. Prints the number of
// checked files and imports of each room. A room without files is an error, because its rules check nothing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import typescript from 'typescript';
import { house, resolveImport } from './source-imports.mjs';
import { sourceFiles } from './tree-files.mjs';

const root = process.argv[2] ?? house;
/** The table of the checked repository, or ours if it has none. */
const ownTable = join(root, 'tools/rooms.mjs');
const hasOwnTable = existsSync(ownTable);
const {
  againstTheOrder = [],
  features = [],
  forSpecs,
  permissionSets,
  rooms,
} = await import(hasOwnTable ? pathToFileURL(ownTable).href : './rooms.mjs');

const breaches = [];
const looked = new Map(rooms.map(({ name }) => [name, { files: 0, imports: 0 }]));
/** Imports against the order of the features that the table permits. */
const standing = new Set();
/** Row → its permissions that some import needed. */
const needed = new Map(rooms.map((rule) => [rule, new Set()]));
for (const file of sourceFiles(root)) {
  const room = roomOf(file);
  if (room === null) {
    breaches.push(`${file} is in no room`);
    continue;
  }
  const seen = looked.get(room.rule.name);
  seen.files += 1;
  for (const specifier of importsOf(file)) {
    seen.imports += 1;
    const target = resolveImport(file, specifier);
    notePermission(file, target, room);
    if (!isAllowed(file, target, room)) {
      breaches.push(`${file} imports ${specifier}: not allowed in the room "${room.rule.name}"`);
    } else if (isAgainstTheOrder(file, target)) {
      const line = `${file} -> ${target.path}`;
      if (againstTheOrder.includes(line)) standing.add(line);
      else breaches.push(`${file} imports ${specifier}: against the order of the features`);
    }
  }
}
for (const [name, { files, imports }] of looked) {
  console.log(`${String(files).padStart(5)} files ${String(imports).padStart(6)} imports  ${name}`);
  if (files === 0) breaches.push(`no file was found in the room "${name}"`);
}
// With a table of another repository most permissions would be unused.
if (hasOwnTable) {
  for (const rule of rooms) breaches.push(...needlessPermissions(rule));
  for (const line of againstTheOrder) {
    if (!standing.has(line)) breaches.push(`no import stands against the order as this line says: ${line}`);
  }
}
for (const breach of breaches) console.error(breach);
console.log(
  breaches.length === 0 ? 'all imports keep the rules of the rooms' : `${breaches.length} breaches`,
);
process.exitCode = breaches.length === 0 ? 0 : 1;

/** The row of a file, and the folder of the file that the row matched. */
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

function isAllowed(file, { path, isPackage }, { rule, own }) {
  const { may = [], never = [], packages = [], specs = [] } = rule;
  const besides = file.endsWith('.spec.ts') ? [...forSpecs, ...specs] : [];
  if (isPackage) return matches(path, [...packages, ...besides]);
  const isOwn = path === own || path.startsWith(`${own}/`);
  return (isOwn || matches(path, [...may, ...besides])) && !matches(path, never);
}

/** Whether a file of one feature imports a file of a later feature. Specs beside the code may. */
function isAgainstTheOrder(file, { path, isPackage }) {
  if (isPackage || file.endsWith('.spec.ts')) return false;
  const [own, other] = [file, path].map((each) => features.indexOf(featureOf(each)));
  return own !== -1 && other > own;
}

/** The feature of a file; `` if it belongs to none. */
function featureOf(file) {
  return /^(?:libs|projections|apps\/api\/src)\/([^/]+)\//.exec(file)?.[1] ?? '';
}

/** Records which permissions allow an import from outside of the room's own folder. */
function notePermission(file, { path, isPackage }, { rule, own }) {
  if (!isPackage && (path === own || path.startsWith(`${own}/`))) return;
  const { may = [], packages = [], specs = [] } = rule;
  const patterns = [...(isPackage ? packages : may), ...(file.endsWith('.spec.ts') ? specs : [])];
  for (const pattern of patterns) if (matches(path, [pattern])) needed.get(rule).add(pattern);
}

/** Permissions that no file of the room needs; those of a set count together. */
function needlessPermissions(rule) {
  const { name, may = [], packages = [], specs = [] } = rule;
  const used = needed.get(rule);
  const isNeeded = (pattern) =>
    used.has(pattern) ||
    permissionSets.some((set) => set.includes(pattern) && set.some((other) => used.has(other)));
  return [...new Set([...may, ...packages, ...specs])]
    .filter((pattern) => !isNeeded(pattern))
    .map((pattern) => `the room "${name}" may import ${pattern}, and no file of it does`);
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
