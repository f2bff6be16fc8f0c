// Breaks the rules of test/mutations/mutations.mjs one by one in a copy of dist/, runs the specs that must notice,
// and writes docs/mutations.md. Ends with 1 when one stays unnoticed, or does not fit the code any more.
// `npm run mutations -- cursor payer` runs those whose name contains one of the words and writes nothing.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { misfit } from '../test/mutations/misfit.mjs';
import { mutations, suite } from '../test/mutations/mutations.mjs';
import { runSpecFile } from './jest/run-spec-file.mjs';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2);
const chosen = mutations.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const PATIENCE_MS = 120_000;
// Less than in `npm test`: whatever a mutation breaks, it breaks often.
const environment = {
  SIMULATION_COMMANDS: '20000',
  SIMULATION_RUNS: '40',
  SIMULATION_SHRINK_TRIES: '0',
};

const copy = mkdtempSync(join(tmpdir(), 'mutations-'));
let failed = false;
/** Ends the spec that runs now. */
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
  // Programs that a spec starts shall run the modules that are broken here.
  rmSync(join(copy, 'dist/bundle'), { recursive: true, force: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'));
  // Certificates of the web servers of specs.
  cpSync(join(root, 'test/support/tls'), join(copy, 'test/support/tls'), { recursive: true });
  // Networks of earlier versions.
  cpSync(join(root, 'test/contract/network-store'), join(copy, 'test/contract/network-store'), {
    recursive: true,
  });
  const misfits = chosen.flatMap((mutation) => misfit(mutation, join(root, 'dist')));
  for (const complaint of misfits) console.error(complaint);
  if (chosen.length === 0 || misfits.length > 0) failed = true;
  else await check();
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

async function check() {
  // A spec that is red anyway catches nothing.
  const specs = [...new Set(words.length === 0 ? suite : chosen.flatMap(({ catchers }) => catchers))];
  const before = await firstFailure(specs);
  if (before !== null) {
    console.error(`without any mutation ${before.spec} fails: ${before.title}`);
    failed = true;
    return;
  }
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
  }
  const caughtCount = rows.filter(({ caught }) => caught !== null).length;
  console.log(`${caughtCount} of ${rows.length} mutations caught`);
  if (words.length === 0) writeTable(rows, caughtCount);
}

/** The first spec that notices the mutation; null when none does. */
async function survive({ file, find, replace, catchers }) {
  const path = join(copy, 'dist', file);
  const original = readFileSync(path, 'utf8');
  // As a function, for a text with $ in it would be a pattern.
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

/** Title of the first test of the spec that fails; null when it is green. Stops the spec there. */
async function failureOf(spec) {
  let failed = null;
  const stop = new AbortController();
  stopSpec = () => stop.abort();
  const { faults } = await runSpecFile(join(copy, 'dist', spec), {
    environment,
    patienceMs: PATIENCE_MS,
    signal: stop.signal,
    onFailure(titles) {
      failed ??= titles.at(-1);
      stop.abort();
    },
  });
  return failed ?? faults.at(-1) ?? null;
}

function writeTable(rows, caughtCount) {
  const cell = (text) => text.replaceAll('|', '\\|');
  const lines = rows.map(
    ({ name, file, caught, seconds }) =>
      `| ${cell(name)} | ${source(file)} | ${caught === null ? '**survived**' : `${source(caught.spec)}: ${cell(caught.title)}`} | ${seconds} |`,
  );
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(
    join(root, 'docs', 'mutations.md'),
    `# Rules broken on purpose

Each line is one rule of the ledger, broken in a copy of the compiled code; the tests must go red. The list is
\`test/mutations/mutations.mjs\`; \`npm run mutations\` runs it and writes this table. ${caughtCount} of ${rows.length} are caught. The
time is from the start of the first test file to the first failure, in seconds.

| Broken rule | Where | What caught it | Seconds |
|---|---|---|---|
${lines.join('\n')}
`,
  );
}

function source(file) {
  return `\`${file.replace(/\.js$/, '.ts')}\``;
}
