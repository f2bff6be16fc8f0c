// Checks the rules of docs/rules: `node tools/check-rules.mjs [root] [--write]`. Every rule code in the repository must be
// defined there exactly once, and every rule must be named by a test or listed in open.md, but not both. `--write` removes
// such lines from open.md and sorts the others by the files that define them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { house } from './source-imports.mjs';
import { filesBelow } from './tree-files.mjs';

const isToWrite = process.argv.includes('--write');
const root = process.argv.slice(2).find((word) => word !== '--write') ?? house;

const FOLDER = 'docs/rules/';
const OPEN = `${FOLDER}open.md`;
/** Words that look like a code and are none. */
const NO_RULES = new Set(['BSD', 'SHA', 'UTF']);

const breaches = [];
const files = textFiles();
/** Code → {file, line, text} of its definition, in the order of the files. */
const rules = definedRules();
const citations = files.filter(({ file }) => file !== OPEN).flatMap(citationsIn);
/** Code → the first test that names it. */
const tested = firstByCode(citations.filter(({ file }) => isTest(file)));
if (isToWrite) writeOpen();
const open = openRules();

citationsAreDefined();
rulesAreTestedOrOpen();
openOnesAreOpen();
for (const [what, seen] of Object.entries({
  'a rule': rules,
  'a test that names a rule': tested,
  'a file': files,
})) {
  if ((seen.size ?? seen.length) === 0) breaches.push(`${what} was not found: this check guards nothing`);
}

for (const breach of breaches) console.error(breach);
console.log(
  `${rules.size} rules, named ${citations.length} times in ${files.length} files; ` +
    `${tested.size} by a test, ${open.size} open`,
);
process.exitCode = breaches.length === 0 ? 0 : 1;

function textFiles() {
  const isText = (file) => /\.(ts|mjs|js|md|ya?ml)$/.test(file);
  const folders = ['apps', 'docs', 'libs', 'projections', 'test', 'tools'];
  return [...readdirSync(root).filter(isText), ...filesBelow(root, folders, isText)]
    .sort()
    .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n') }));
}

/** The rules in the form of their files: `- **CODE** text`, one per line. */
function definedRules() {
  const defined = new Map();
  for (const { file, lines } of files) {
    if (!file.startsWith(FOLDER) || file === OPEN) continue;
    for (const [index, text] of lines.entries()) {
      if (!text.startsWith('- ')) continue;
      const code = /^- \*\*([A-Z]{1,8}-\d{1,3}|P\d{1,2})\*\* \S/.exec(text)?.[1];
      const place = { file, line: index + 1 };
      const earlier = defined.get(code);
      if (code === undefined) breaches.push(`${at(place)} is no rule: it should read "- **CODE** text"`);
      else if (earlier !== undefined) breaches.push(`${at(place)} defines ${code}, as ${at(earlier)} does`);
      else defined.set(code, place);
    }
  }
  return defined;
}

/** Every code that a file names, including those within a range: `AG-01 to AG-14`, `AG-01..14`, `AG-01/02`. */
function citationsIn({ file, lines }) {
  return lines.flatMap((text, index) => {
    const found = [];
    const CODE = /(?<![\w-])([A-Z]{1,8}-(?=\d)|P)(\d{1,3})(?!\w)/g;
    for (const match of text.matchAll(CODE)) {
      const [whole, prefix, number] = match;
      if (NO_RULES.has(prefix.slice(0, -1))) continue;
      found.push({ code: whole, file, line: index + 1 });
      for (const code of alongWith(prefix, number, text.slice(match.index + whole.length))) {
        found.push({ code, file, line: index + 1 });
      }
    }
    return found;
  });
}

/** The codes that the words after a code add: those within a range, and ends without a prefix. */
function alongWith(prefix, first, behind) {
  const more = new RegExp(`^(\\.\\.|…|–| to |/)(${prefix})?(\\d{1,3})(?!\\w)`).exec(behind);
  if (more === null) return [];
  const [whole, link, again, last] = more;
  // A number without a prefix and of another width is no code: "AG-30 to 5 rows".
  if (again === undefined && last.length !== first.length) return [];
  const between = link === '/' ? [] : codesBetween(prefix, Number(first), Number(last));
  // With its prefix the end is found as a code of its own, and so is the text after it.
  if (again !== undefined) return between;
  return [...between, `${prefix}${last}`, ...alongWith(prefix, last, behind.slice(whole.length))];
}

function codesBetween(prefix, first, last) {
  return [...rules.keys()].filter((code) => {
    const number = code.startsWith(prefix) ? Number(code.slice(prefix.length)) : NaN;
    return number > first && number < last;
  });
}

function isTest(file) {
  return file.endsWith('.spec.ts') || (file.startsWith('test/') && !file.startsWith('test/bench/'));
}

function firstByCode(found) {
  const first = new Map();
  for (const one of found) if (rules.has(one.code) && !first.has(one.code)) first.set(one.code, one);
  return first;
}

function openRules() {
  const listed = new Map();
  for (const [index, text] of linesOfOpen().entries()) {
    const code = /^- (\S+)$/.exec(text)?.[1];
    const place = { file: OPEN, line: index + 1 };
    if (code === undefined) {
      if (/^(- |[<=>]{7})/.test(text)) breaches.push(`${at(place)} should read "- CODE"`);
      continue;
    }
    if (listed.has(code)) breaches.push(`${at(place)} lists ${code} a second time: ${mending(code)}`);
    listed.set(code, place);
  }
  return listed;
}

function linesOfOpen() {
  return existsSync(join(root, OPEN)) ? readFileSync(join(root, OPEN), 'utf8').split('\n') : [];
}

function citationsAreDefined() {
  for (const { code, ...place } of citations) {
    if (!rules.has(code)) breaches.push(`${at(place)} names ${code}, which no file of ${FOLDER} defines`);
  }
}

function rulesAreTestedOrOpen() {
  for (const [code, place] of rules) {
    if (tested.has(code) || open.has(code)) continue;
    breaches.push(
      `${at(place)} defines ${code}, which no test names: name it in the test that proves it, ` +
        `or add the line "- ${code}" under "## ${posix.basename(place.file)}" in ${OPEN}`,
    );
  }
}

function openOnesAreOpen() {
  for (const [code, place] of open) {
    if (!rules.has(code))
      breaches.push(`${at(place)} lists ${code}, which no file defines: ${mending(code)}`);
    const test = tested.get(code);
    if (test !== undefined)
      breaches.push(`${at(place)} lists ${code}, which ${at(test)} names: ${mending(code)}`);
  }
}

function mending(code) {
  return `delete the line "- ${code}", or run node tools/check-rules.mjs --write`;
}

function at({ file, line }) {
  return `${file}:${line}`;
}

/** Writes the open rules, sorted and without duplicates or merge markers. */
function writeOpen() {
  const listed = new Set(linesOfOpen().map((text) => /^- (\S+)$/.exec(text)?.[1]));
  const sections = new Map();
  for (const [code, { file }] of rules) {
    if (!listed.has(code) || tested.has(code)) continue;
    sections.set(file, [...(sections.get(file) ?? []), `- ${code}`]);
  }
  const head = [
    '# Open rules',
    '',
    'Rules that no test names yet: not built, or built and not proven under their code.',
    '',
  ];
  const text = [...sections].flatMap(([file, items]) => [`## ${posix.basename(file)}`, '', ...items, '']);
  writeFileSync(join(root, OPEN), [...head, ...text].join('\n'));
}
