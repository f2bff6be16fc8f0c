// The existing files that `npm run new` reads and changes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { house } from '../source-imports.mjs';
import { filesBelow } from '../tree-files.mjs';

/** The input is invalid; the message is one line. */
export class Refused extends Error {}

export const textOf = (file) => readFileSync(join(house, file), 'utf8');
export const isThere = (file) => existsSync(join(house, file));

export const filesEndingWith = (ending, folder) =>
  filesBelow(house, [folder], (file) => file.endsWith(ending));

export function requireName(what, name, pattern, example) {
  if (name === undefined) throw new Refused(`${what} is missing, for instance ${example}`);
  if (!pattern.test(name)) throw new Refused(`${what} is like ${example}, not ${JSON.stringify(name)}`);
  return name;
}

/** Names are unique in the house: two endpoints of one name would have one name in the API document. */
export function requireFreeNames(names) {
  const declared = new RegExp(`^export (?:type|class|const|function) (${names.join('|')})\\b`, 'm');
  for (const file of filesBelow(house, ['apps', 'libs', 'projections'], (each) => each.endsWith('.ts'))) {
    const [, name] = declared.exec(textOf(file)) ?? [];
    if (name !== undefined) throw new Refused(`${name} is declared in ${file}: choose another name`);
  }
}

export const camel = (name) => name.replaceAll(/[-_](\w)/g, (_, letter) => letter.toUpperCase());
export const pascal = (name) => camel(`-${name}`);

/** Inserts an import after the last one from a file of this repository, and a name at the end of each named list. */
export function listed(text, { importLine, lists, name }) {
  const imports = [...text.matchAll(/^import [^;]*? from '\.[^']*';$/gm)];
  const last = imports.at(-1);
  if (last === undefined) throw new Error('no import to stand behind');
  const end = last.index + last[0].length;
  let changed = `${text.slice(0, end)}\n${importLine}${text.slice(end)}`;
  for (const list of lists) {
    const from = changed.search(list.begins);
    const to = changed.indexOf(list.ends ?? ']', from + changed.slice(from).match(list.begins)[0].length);
    if (from < 0 || to < 0) throw new Error(`no list ${list.begins}`);
    const before = changed.slice(0, to).trimEnd();
    const comma = /[[(,]$/.test(before) ? '' : ',';
    changed = `${before}${comma}\n${list.name ?? name},\n${changed.slice(to)}`;
  }
  return changed;
}
