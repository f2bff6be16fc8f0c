import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot } from '../house/house.js';

const COPIED = ['apps', 'dist', 'libs', 'projections', 'test', 'tools', 'docs', 'README.md'];
const SETTINGS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'eslint.config.js',
  '.prettierrc.json',
];
const NOT_COPIED = new Set(['bundle', 'bound-specs']);

type Report = {
  readonly cases: readonly { readonly titles: readonly string[]; readonly outcome: string }[];
  readonly faults: readonly string[];
};

/** This house, compiled, in a folder of its own. */
function copyOfHouse(): string {
  const root = mkdtempSync(join(tmpdir(), 'new-files-'));
  for (const name of [...COPIED, ...SETTINGS])
    cpSync(join(houseRoot, name), join(root, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (file) => !NOT_COPIED.has(basename(file)),
    });
  symlinkSync(realpathSync(join(houseRoot, 'node_modules')), join(root, 'node_modules'));
  return root;
}

/**
 * The compiler then checks these files and the programs, without other tests: half of all. It compiles all of them, because an
 * incremental compiler compares the declarations of each file that depends on a changed one, which takes twice the processor time.
 */
function compileOnlyProgramsAnd(root: string, files: readonly string[]): void {
  const file = join(root, 'tsconfig.json');
  const settings = readFileSync(file, 'utf8')
    .replace(/^ *"(incremental|tsBuildInfoFile)": .*\n/gm, '')
    .replace(
      /"include": .*/,
      `"include": ["apps", "libs", "projections"], "exclude": ["**/*.spec.ts"], "files": ${JSON.stringify(files)}`,
    );
  writeFileSync(file, settings);
  rmSync(join(root, 'dist/.tsbuildinfo'));
}

describe('npm run new', () => {
  let root: string;
  beforeAll(() => void (root = copyOfHouse()));
  afterAll(() => rmSync(root, { recursive: true }));

  const node = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`node ${words.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  };
  const create = (...words: readonly string[]): readonly string[] =>
    [...node('tools/new.mjs', ...words).matchAll(/^(?:wrote|changed) (.+)$/gm)].map(([, file = '']) => file);
  const onceEach = (files: readonly string[]): readonly string[] => [...new Set(files)];
  const refusal = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/new.mjs', ...words], {
      cwd: root,
      encoding: 'utf8',
    });
    return { status, stdout, lines: stderr.trimEnd().split('\n') };
  };

  it('writes files that compile, follow the rules of lint, rooms, exports and formatting, and whose specs pass', async () => {
    const files = onceEach([
      ...create('endpoint', 'lists/personas', 'get-persona-sums', 'GET /api/v3/persona-sums'),
      ...create('read-model', 'ledger', 'granted-credits', 'CreditsGranted'),
      ...create('read-model', 'catalogue', 'price-sets', 'ListPriceSet'),
      ...create('read-model', 'signals', 'detection-counts', 'SignalDetected'),
      ...create('read-model', 'accounts', 'submission-chunks', 'SubmissionChunk'),
      ...create('detector', 'office_opened', 'location_opened'),
    ]);
    const written = files.filter((file) => !existsSync(join(houseRoot, file)));
    expect(written.map((file) => basename(file))).toEqual([
      'get-persona-sums.query.ts',
      'get-persona-sums.spec.ts',
      'granted-credits.projection.ts',
      'granted-credits.spec.ts',
      'price-sets.projection.ts',
      'price-sets.spec.ts',
      'detection-counts.projection.ts',
      'detection-counts.spec.ts',
      'submission-chunks.projection.ts',
      'submission-chunks.spec.ts',
      'office-opened.detector.ts',
      'office-opened.detector.spec.ts',
    ]);
    expect(files.filter((file) => !written.includes(file)).map((file) => basename(file))).toEqual([
      'personas.module.ts',
      'index.ts',
      'document-budget.ts',
      'detectors.ts',
    ]);

    compileOnlyProgramsAnd(root, files);
    node('tools/build.mjs', '--without-bundle');
    node('node_modules/eslint/bin/eslint.js', '--max-warnings=0', ...files);
    node('node_modules/prettier/bin/prettier.cjs', '--check', ...files);
    node('tools/check-rooms.mjs');
    node('tools/check-exports.mjs');

    const { runSpecFile } = (await import(
      pathToFileURL(join(root, 'tools/jest/run-spec-file.mjs')).href
    )) as { readonly runSpecFile: (file: string, options: object) => Promise<Report> };
    for (const spec of written.filter((file) => file.endsWith('.spec.ts'))) {
      const compiled = join(root, 'dist', spec.replace(/\.ts$/, '.js'));
      const { cases, faults } = await runSpecFile(compiled, {});
      expect(cases.length).toBeGreaterThan(0);
      expect([spec, faults, cases.filter(({ outcome }) => outcome !== 'passed')]).toEqual([spec, [], []]);
    }
    const refused = refusal('detector', 'office_opened', 'location_opened');
    expect(refused).toMatchObject({ status: 2, lines: [expect.stringMatching(/office-opened.* is there$/)] });
  });

  it.each([
    [[], 'name the kind: endpoint, read-model, detector'],
    [['table'], 'name the kind'],
    [['endpoint', 'lists', 'Lists', 'GET /api/v3/x'], 'the name is like get-grants'],
    [['endpoint', 'nothing', 'get-things', 'GET /api/v3/x'], 'there is no folder'],
    [['endpoint', 'signals', 'get-things', 'GET /api/v3/x'], 'signals has several modules: name one of'],
    [['endpoint', 'lists', 'get-things', 'get'], 'the route is like'],
    [['endpoint', 'lists', 'get-things', 'POST /api/v3/x'], 'POST changes something'],
    [['endpoint', 'ledger', 'get-it', 'GET /api/v3/credits/balance'], 'is served by apps/api/src/ledger/'],
    [['read-model', 'money', 'some-sums', 'CreditsGranted'], 'money is no feature; there are'],
    [['read-model', 'ledger', 'credit-balances', 'CreditsGranted'], 'is there'],
    [
      ['read-model', 'ledger', 'some-sums', 'CreditsLost'],
      'no feature declares CreditsLost; docs/EVENTS.md lists',
    ],
    [['read-model', 'ledger', 'some-sums', 'ClockSet'], 'no feature declares ClockSet'],
    [['read-model', 'ledger', 'credit-balance', 'CreditsGranted'], 'CreditBalanceDocument is declared in'],
    [
      ['endpoint', 'lists', 'get-credit-balance', 'GET /api/v3/x'],
      'GetCreditBalance is declared in apps/api/src/',
    ],
    [['read-model', 'lists', 'some-sums', 'CreditsGranted'], 'belongs to ledger, which comes after lists'],
    [['detector', 'Offices', 'funding'], 'the kind of the detector is like office_opened'],
    [['detector', 'offices', 'nothing'], 'the kind of company event is one of funding,'],
  ])('refuses %j with one line, and writes nothing', (words, line) => {
    const index = (): string => readFileSync(join(root, 'projections/index.ts'), 'utf8');
    const before = index();
    expect(refusal(...words)).toEqual({ status: 2, stdout: '', lines: [expect.stringContaining(line)] });
    expect(index()).toBe(before);
  });

  it('describes the arguments of each kind with --help', () => {
    const help = node('tools/new.mjs', '--help');
    for (const kind of ['endpoint', 'read-model', 'detector']) expect(help).toContain(`npm run new ${kind} `);
  });
});
