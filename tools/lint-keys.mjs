import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { digest } from './kept-file.mjs';
import { house } from './source-imports.mjs';

/** Files that affect the result of every file. */
const FOR_ALL = ['eslint.config.js', 'package-lock.json', 'package.json', 'tsconfig.json'];
const BUILD = 'dist/.tsbuildinfo';

/**
 * The key of what ESLint's result for a file depends on. The rules use types, so for a compiled file that is its text
 * and the declarations of all direct and indirect imports (`declarationsOf`). For another file it is its text.
 */
export function lintKeys(build = buildOf(lastBuild()), textOf = textOnDisk, declarationsOf = digestOfText) {
  const { names, infos, imports } = build;
  const idOf = new Map(names.map((name, index) => [name, index]));
  const global = infos.filter(({ isGlobal }) => isGlobal).map(({ version }) => version);
  const common = digest([process.version, ...FOR_ALL.map((file) => textOf(file)), ...global]);
  const known = new Map();
  const declarationsAt = (id) => {
    if (!known.has(id)) known.set(id, declarationsOf(names[id], textOf(names[id])));
    return known.get(id);
  };
  return (file) => {
    const id = idOf.get(file);
    if (id === undefined) return digest([common, textOf(file)]);
    const declarations = [...closure(id, imports)].map(declarationsAt).sort();
    return digest([common, textOf(file), ...declarations]);
  };
}

function lastBuild() {
  if (!existsSync(join(house, BUILD))) throw new Error(`${BUILD} is not there: npm run build`);
  return JSON.parse(textOnDisk(BUILD));
}

/**
 * The compiler's notes of a build (`.tsbuildinfo`), without packages. Its indexes begin with 1. Its signatures are
 * not used: the first change of a file after a complete build changes its signature, whatever the change is.
 */
export function buildOf({ fileNames, fileInfos, fileIdsList, referencedMap }) {
  const names = fileNames.map((name) => posix.normalize(posix.join('dist', name)));
  const isOwn = names.map((name) => !name.startsWith('dist/lib.') && !name.includes('node_modules/'));
  const infos = fileInfos.map((info, id) => {
    const { version, affectsGlobalScope } = typeof info === 'string' ? { version: info } : info;
    return { version, isGlobal: isOwn[id] && affectsGlobalScope === true };
  });
  const imports = names.map(() => []);
  for (const [file, list] of referencedMap) {
    if (isOwn[file - 1])
      imports[file - 1] = fileIdsList[list - 1].map((id) => id - 1).filter((id) => isOwn[id]);
  }
  return { names, infos, imports };
}

function closure(id, imports) {
  const found = new Set();
  const waiting = [...imports[id]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...imports[next]);
  }
  return found;
}

function digestOfText(_file, text) {
  return digest([text]);
}

function textOnDisk(file) {
  return readFileSync(join(house, file), 'utf8');
}
