import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { houseRoot, plant } from './house.js';

type House = Readonly<Record<string, string>>;

const checkRules = (root: string, ...more: readonly string[]) =>
  spawnSync(process.execPath, [join(houseRoot, 'tools/check-rules.mjs'), root, ...more], {
    encoding: 'utf8',
  });

/** Assembled here: if written out, this house would have to define the codes of the planted ones. */
const code = (number: string) => `PLANT-${number}`;
const stated = (...numbers: readonly string[]) => numbers.map((n) => `- **${code(n)}** A rule.\n`).join('');

const OPEN = 'docs/rules/open.md';
const RULES = 'docs/rules/planted.md';
const TEST = 'test/planted.spec.ts';
const opened = (...numbers: readonly string[]) => [
  '# Open rules\n\nRules that no test names yet: not built, or built and not proven under their code.\n',
  ...(numbers.length === 0 ? [] : [`\n## planted.md\n\n`, ...numbers.map((n) => `- ${code(n)}\n`)]),
];

/** A correct house: rules that a test names one by one, by a range and by a list, one open rule, and no codes. */
const good: House = {
  [RULES]: `# Planted\n\n${stated('01', '02', '03', '04', '05', '06')}  - A detail, as in ${code('01')}.\n`,
  [OPEN]: opened('06').join(''),
  [TEST]: `it('${code('01')} to 03 and ${code('04')}/05 hold', prove);`,
  'libs/planted.ts': `// ${code('06')}: the SHA-256 of the UTF-8 text, ${code('01')} to 5 times`,
};

const mend = (number: string) =>
  `delete the line "- ${code(number)}", or run node tools/check-rules.mjs --write`;
const unproven = (number: string, line: number) =>
  `${RULES}:${line} defines ${code(number)}, which no test names: name it in the test that proves it, ` +
  `or add the line "- ${code(number)}" under "## planted.md" in ${OPEN}`;

const breaches: Readonly<Record<string, { readonly house: House; readonly report: readonly string[] }>> = {
  'a code without a definition': {
    house: { 'apps/planted.ts': `// ${code('09')}` },
    report: [`apps/planted.ts:1 names ${code('09')}, which no file of docs/rules/ defines`],
  },
  'a range that ends nowhere': {
    house: { 'README.md': `\n${code('01')}..${code('09')}` },
    report: [`README.md:2 names ${code('09')}, which no file of docs/rules/ defines`],
  },
  'a rule that code names and no test': {
    house: { [OPEN]: opened().join('') },
    report: [unproven('06', 8)],
  },
  'rules that lost their only test': {
    house: { [TEST]: `it('${code('01')} to 03 hold', prove);`, 'test/bench/planted.ts': code('04') },
    report: [unproven('04', 6), unproven('05', 7)],
  },
  'a rule that is stated twice': {
    house: { 'docs/rules/second.md': stated('02') },
    report: [`docs/rules/second.md:1 defines ${code('02')}, as ${RULES}:4 does`],
  },
  'a rule in another form': {
    house: { 'docs/rules/second.md': `- ${code('01')} A rule.` },
    report: ['docs/rules/second.md:1 is no rule: it should read "- **CODE** text"'],
  },
  'an open rule that a test names': {
    house: { [OPEN]: opened('02', '06').join('') },
    report: [`${OPEN}:7 lists ${code('02')}, which ${TEST}:1 names: ${mend('02')}`],
  },
  'an open rule without a definition': {
    house: { [OPEN]: opened('06', '09').join('') },
    report: [`${OPEN}:8 lists ${code('09')}, which no file defines: ${mend('09')}`],
  },
  'an open rule listed twice': {
    house: { [OPEN]: opened('06', '06').join('') },
    report: [`${OPEN}:8 lists ${code('06')} a second time: ${mend('06')}`],
  },
  'marks of a merge among the open rules': {
    house: { [OPEN]: [...opened('06'), '<<<<<<< ours\n', '- see above\n'].join('') },
    report: [`${OPEN}:8 should read "- CODE"`, `${OPEN}:9 should read "- CODE"`],
  },
};

describe('the rules of the house', () => {
  const folder = temporaryFolder('rules');

  function planted(...houses: readonly House[]): string {
    const root = mkdtempSync(join(folder, 'house-'));
    plant(
      root,
      houses.flatMap((house) => Object.entries(house)),
    );
    return root;
  }

  it('define every code that is named, and each is named by a test or open', () => {
    const { status, stdout, stderr } = checkRules(houseRoot);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const counts = /^(\d+) rules, named (\d+) times in (\d+) files; (\d+) by a test, \d+ open\n$/.exec(
      stdout,
    );
    expect(counts?.slice(1).filter((count) => Number(count) > 0)).toHaveLength(4);
  });

  it('report nothing about a planted house that follows them', () => {
    const { status, stdout, stderr } = checkRules(planted(good));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('6 rules, named 14 times in 4 files; 5 by a test, 1 open\n');
  });

  for (const [breach, { house, report }] of Object.entries(breaches)) {
    it(`reveal ${breach}, and nothing else`, () => {
      const { status, stderr } = checkRules(planted(good, house));
      expect(stderr.trim().split('\n')).toEqual(report);
      expect(status).toBe(1);
    });
  }

  it('fail for a house without any', () => {
    const { status, stderr } = checkRules(planted());
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual(
      ['a rule', 'a test that names a rule', 'a file'].map(
        (what) => `${what} was not found: this check guards nothing`,
      ),
    );
  });

  it('lose their stale lines, and only those, by --write', () => {
    const merged = [
      '<<<<<<< ours\n',
      `- ${code('06')}\n`,
      '=======\n',
      `- ${code('02')}\n`,
      '>>>>>>> theirs\n',
    ];
    const root = planted(good, { [OPEN]: [...opened('06', '01', '09'), ...merged].join('') });
    expect(checkRules(root, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(root, OPEN), 'utf8')).toBe(good[OPEN]);

    const bare = planted(good, { [OPEN]: opened().join('') });
    expect(checkRules(bare, '--write')).toMatchObject({ status: 1, stderr: `${unproven('06', 8)}\n` });
    expect(readFileSync(join(bare, OPEN), 'utf8')).toBe(opened().join(''));
  });
});
