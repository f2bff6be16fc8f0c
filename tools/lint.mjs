// Runs ESLint on every file without a known result: `.cache/lint.json` stores the files that passed, with the keys of what
// their result depends on. `-- --changed` checks only files that differ from the branch `main`; `-- --fix` fixes faults.
import { join, relative } from 'node:path';
import { ESLint } from 'eslint';
import { changedFiles } from './changed-files.mjs';
import { argumentsOf, endWithHelp } from './help.mjs';
import { keptDeclarations } from './declarations.mjs';
import { readKept, writeKept } from './kept-file.mjs';
import { lintKeys } from './lint-keys.mjs';
import { house } from './source-imports.mjs';
import { filesOfTree } from './tree-files.mjs';

endWithHelp(import.meta.url);

const LINTED = /\.(ts|js|mjs)$/;

const { values } = argumentsOf({
  options: { changed: { type: 'boolean', default: false }, fix: { type: 'boolean', default: false } },
});
const eslint = new ESLint({ cwd: house, fix: values.fix });
const files = await linted(values.changed ? changedFiles() : filesOfTree());
const declarations = keptDeclarations();
const keyOf = lintKeys(undefined, undefined, (file, text) =>
  file.endsWith('.ts') ? declarations.of(file, text) : text,
);
const passed = readKept('lint.json');
const keys = new Map(files.map((file) => [file, keyOf(file)]));
declarations.write();
const asked = files.filter((file) => passed[file] !== keys.get(file));
// ESLint would read an empty list as every file.
const results = asked.length === 0 ? [] : await eslint.lintFiles(asked);
if (values.fix) await ESLint.outputFixes(results);

const faulty = results.filter(({ messages }) => messages.length > 0);
for (const { filePath, output } of results) {
  const file = relative(house, filePath);
  // A file that was fixed has another key.
  if (output !== undefined || faulty.some((result) => result.filePath === filePath)) delete passed[file];
  else passed[file] = keys.get(file);
}
writeKept('lint.json', Object.fromEntries(Object.entries(passed).sort()));
const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(faulty));
console.log(`${files.length} files, ${asked.length} looked at, ${faulty.length} with faults`);
process.exitCode = faulty.length === 0 && (values.changed || files.length > 0) ? 0 : 1;

async function linted(all) {
  const wanted = all.filter((file) => LINTED.test(file));
  const ignored = await Promise.all(wanted.map((file) => eslint.isPathIgnored(join(house, file))));
  return wanted.filter((_file, index) => !ignored[index]);
}
