// Breaks the rules of test/mutations/mutations.mjs one by one in a copy of dist/, runs the specs that must fail, and writes
// docs/mutations.md. Exits with 1 if a broken rule is not caught, or no longer matches the code.
// `npm run mutations -- cursor payer` runs the rules whose name contains one of the words, or whose file is in that folder
// (libs/delivery), and writes nothing; with `--write` it updates their rows.
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { misfit } from '../test/mutations/misfit.mjs';
import { mutations, suite } from '../test/mutations/mutations.mjs';
import { runSpecFile } from './jest/run-spec-file.mjs';
import { temporaryFolders } from './jest/temporary-folders.mjs';
import { argumentsOf, endAsWrongUsage, endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals: words } = argumentsOf({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const isWritten = values.write || words.length === 0;
const chosen = mutations.filter(
  ({ name, file }) =>
    words.length === 0 || words.some((word) => name.includes(word) || file.startsWith(`${word}/`)),
);
if (chosen.length === 0)
  endAsWrongUsage(`no rule has ${words.join(' or ')} in its name, and no file is in such a folder`);
const table = join(root, 'docs', 'mutations.md');
/** Files that are not part of the tree, or are made for the copy. */
const NOT_COPIED = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', 'clients']);
/** The timeout of a spec without a mutation; long, for a busy machine. */
const LONGEST_MS = 900_000;
/** With a mutation it may hang, and is ended after this many times its normal duration. */
const TIMES_LONGER = 5;
const SHORTEST_PATIENCE_MS = 60_000;
/** The duration of each spec without a mutation. */
const tookMs = new Map();
// Fewer repetitions than in `npm test`, because a mutation causes frequent failures.
const environment = {
  SIMULATION_COMMANDS: '20000',
  SIMULATION_RUNS: '40',
  SIMULATION_SHRINK_TRIES: '0',
};

const copy = mkdtempSync(join(tmpdir(), 'mutations-'));
/** Each spec has its own folder for stores, as in `npm test`. */
const folders = temporaryFolders();
let failed = false;
/** Ends the running spec. */
let stopSpec = () => {};
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopSpec();
    rmSync(copy, { recursive: true, force: true });
    process.exit(1);
  });
}
try {
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  // Programs started by a spec must load the modules that are mutated here.
  rmSync(join(copy, 'dist/bundle'), { recursive: true, force: true });
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'));
  // Specs read the whole tree: certificates, networks of earlier versions, golden files, documents.
  cpSync(root, copy, {
    recursive: true,
    filter: (file) => !NOT_COPIED.has(relative(root, file).split(sep)[0]),
  });
  const misfits = chosen.flatMap((mutation) => misfit(mutation, join(root, 'dist')));
  for (const complaint of misfits) console.error(complaint);
  if (misfits.length > 0) failed = true;
  else await check();
} finally {
  rmSync(copy, { recursive: true, force: true });
  folders.removeAll();
}
process.exitCode = failed ? 1 : 0;

async function check() {
  // A spec that fails without a mutation catches nothing.
  const asked = chosen.flatMap(({ catchers }) => catchers);
  for (const spec of new Set(words.length === 0 ? [...asked, ...suite] : asked)) {
    const startedAt = performance.now();
    const { titles, errors } = await runSpec(spec);
    tookMs.set(spec, performance.now() - startedAt);
    if (titles.length === 0) continue;
    console.error(`without any mutation ${spec} fails: ${titles.join('; ')}`);
    for (const error of errors) console.error(error);
    failed = true;
  }
  if (failed) return;
  const rows = [];
  for (const mutation of chosen) {
    const startedAt = performance.now();
    const caught = await survive(mutation);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    if (caught === null) failed = true;
    console.log(
      `${caught === null ? 'SURVIVED' : 'caught'} ${mutation.name} (${seconds} s)${caught === null ? '' : `: ${caught.title}`}`,
    );
    rows.push({ ...mutation, caught, seconds });
    // An interrupted run writes its results so far.
    if (isWritten) writeTable(rows);
  }
  const caughtCount = rows.filter(({ caught }) => caught !== null).length;
  console.log(`${caughtCount} of ${rows.length} mutations caught`);
}

/** The first spec that catches the mutation; null if none does. */
async function survive({ file, find, replace, catchers }) {
  const path = join(copy, 'dist', file);
  const original = readFileSync(path, 'utf8');
  // A function, because a text with $ in it would be a pattern.
  writeFileSync(
    path,
    original.replace(find, () => replace),
  );
  try {
    return await firstFailure([...catchers, ...suite.filter((spec) => !catchers.includes(spec))]);
  } finally {
    writeFileSync(path, original);
  }
}

async function firstFailure(specs) {
  for (const spec of specs) {
    const title = await failureOf(spec);
    if (title !== null) return { spec, title };
  }
  return null;
}

/** Title of the first failing test of the spec; null if all pass. Stops the spec there. */
async function failureOf(spec) {
  const [title] = (await runSpec(spec, { stopsAtFailure: true })).titles;
  return title ?? null;
}

/** The titles of a spec's failing tests, with errors; an error outside of its tests counts as one. */
async function runSpec(spec, { stopsAtFailure = false } = {}) {
  const titles = [];
  const stop = new AbortController();
  stopSpec = () => stop.abort();
  const folder = folders.folder();
  try {
    const { cases, faults } = await runSpecFile(join(copy, 'dist', spec), {
      environment: { ...environment, TMPDIR: folder },
      patienceMs: tookMs.has(spec)
        ? Math.max(SHORTEST_PATIENCE_MS, TIMES_LONGER * tookMs.get(spec))
        : LONGEST_MS,
      signal: stop.signal,
      onFailure(path) {
        titles.push(path.at(-1));
        if (stopsAtFailure) stop.abort();
      },
    });
    const failures = cases.filter(({ outcome }) => outcome === 'failed');
    return {
      titles: titles.length > 0 ? titles : faults.slice(-1),
      errors: [...failures.flatMap(({ errors }) => errors), ...faults],
    };
  } finally {
    folders.removeFolder(folder);
  }
}

/** Writes the results. Other rows keep those of an earlier run, as long as the list has their rule. */
function writeTable(rows) {
  const cell = (text) => text.replaceAll('|', '\\|');
  const lineOf = ({ name, file, caught, seconds }) =>
    `| ${cell(name)} | ${source(file)} | ${caught === null ? '**survived**' : `${source(caught.spec)}: ${cell(caught.title)}`} | ${seconds} |`;
  const begins = ({ name, file }) => `| ${cell(name)} | ${source(file)} |`;
  const now = new Map(rows.map((row) => [row.name, lineOf(row)]));
  const earlier = readFileSync(table, 'utf8').split('\n');
  const lines = mutations.map(
    (mutation) =>
      now.get(mutation.name) ??
      earlier.find((line) => line.startsWith(begins(mutation))) ??
      `${begins(mutation)} not run | |`,
  );
  const caughtCount = lines.filter(
    (line) => !/ (\*\*survived\*\*|not run) \| [\d.]*\s*\|$/.test(line),
  ).length;
  writeFileSync(
    table,
    `# Rules broken on purpose

Each row is one rule that is broken in a copy of the compiled code; the tests must fail. The list is
\`test/mutations/mutations.mjs\`; \`npm run mutations\` runs it and writes this table, and \`npm run mutations -- --write <words>\` the
rows of some of them. ${caughtCount} of ${lines.length} are caught. The time is from the start of the first test file to the first failure, in seconds.

| Broken rule | Where | What caught it | Seconds |
|---|---|---|---|
${lines.join('\n')}
`,
  );
}

function source(file) {
  return `\`${file.replace(/\.js$/, '.ts')}\``;
}
