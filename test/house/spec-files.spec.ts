import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot } from './house.js';

type Case = {
  readonly titles: readonly string[];
  readonly outcome: string;
  readonly errors: readonly string[];
};
type Report = {
  readonly cases: readonly Case[];
  readonly faults: readonly string[];
  readonly output: string;
};
type Options = {
  readonly testNamePattern?: string;
  readonly patienceMs?: number;
  readonly closingMs?: number;
  readonly onFailure?: (titles: readonly string[]) => void;
};
type RunSpecFile = (file: string, options: Options) => Promise<Report>;

describe('a spec file in a process of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spec-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let runSpecFile: RunSpecFile;
  beforeAll(async () => {
    ({ runSpecFile } = (await import(
      pathToFileURL(join(houseRoot, 'tools/jest/run-spec-file.mjs')).href
    )) as { readonly runSpecFile: RunSpecFile });
  });

  let planted = 0;
  const run = (text: string, options: Options = {}): Promise<Report> => {
    const file = join(folder, `planted-${(planted += 1)}.spec.mjs`);
    writeFileSync(file, text);
    return runSpecFile(file, options);
  };
  const outcomes = ({ cases }: Report) => cases.map(({ titles, outcome }) => [titles.join(' > '), outcome]);

  it('tells what became of each case, why, and what was printed', async () => {
    const told: string[] = [];
    const report = await run(
      `describe('sums', () => {
         it('are right', () => expect(1 + 1).toBe(2));
         it('are wrong', () => expect(1 + 1).toBe(3));
         describe.skip('of no interest', () => it('are left out', () => {}));
       });
       it('speaks', () => console.log('a figure'));`,
      { onFailure: (titles) => told.push(titles.join(' > ')) },
    );
    expect(outcomes(report)).toEqual([
      ['sums > are right', 'passed'],
      ['sums > are wrong', 'failed'],
      ['sums > of no interest > are left out', 'skipped'],
      ['speaks', 'passed'],
    ]);
    expect(report.cases[1]?.errors).toEqual([expect.stringMatching(/Expected: 3[^]*Received: 2/)]);
    expect(told).toEqual(['sums > are wrong']);
    expect(report).toMatchObject({ faults: [], output: 'a figure\n' });
  });

  it('runs the cases alone whose titles match', async () => {
    const report = await run(`describe('one', () => { it('runs', () => {}); it('waits', () => {}); });`, {
      testNamePattern: 'one RUNS',
    });
    expect(outcomes(report)).toEqual([
      ['one > runs', 'passed'],
      ['one > waits', 'skipped'],
    ]);
  });

  it('fails a case for what nobody catches while it runs', async () => {
    const report = await run(
      `it('throws late', (done) => { setImmediate(() => { setImmediate(done); throw new Error('thrown late'); }); });
       it('rejects', (done) => { Promise.reject(new Error('rejected')); setImmediate(done); });`,
    );
    expect(report.cases.map(({ outcome, errors }) => [outcome, errors.join()])).toEqual([
      ['failed', expect.stringContaining('thrown late')],
      ['failed', expect.stringContaining('rejected')],
    ]);
  });

  it.each([
    ['cannot be loaded', `import './nothing-there.mjs';`, 'ERR_MODULE_NOT_FOUND'],
    [
      'breaks after its cases',
      `it('runs', () => {}); afterAll(() => { throw new Error('broken'); });`,
      'broken',
    ],
    ['ends in the middle of a case', `it('leaves', () => process.exit(0));`, 'ended with 0, in "leaves"'],
    ['is killed', `it('dies', () => process.kill(process.pid, 'SIGKILL'));`, 'ended with SIGKILL'],
    [
      'breaks when all is over',
      `it('runs', () => { setTimeout(() => { throw new Error('late'); }, 300); });`,
      'ended with 1, after its last case',
    ],
  ])('is at fault where it %s', async (_what, text, fault) => {
    expect((await run(text)).faults).toEqual([expect.stringContaining(fault)]);
  });

  it('is ended where it hangs, and says where that was', async () => {
    const text = `it('runs', () => {}); it('waits', () => new Promise(() => {}));`;
    let seconds = 1;
    let report = await run(text, { patienceMs: 1_000 });
    // A busy machine may need longer to come to its cases.
    while (report.faults.join().includes('before its first case')) {
      seconds *= 2;
      report = await run(text, { patienceMs: seconds * 1_000 });
    }
    expect(report.faults).toEqual([`the file took more than ${seconds} s, in "waits"`]);
  });

  it('is ended where it leaves something open, and what its cases came to is kept', async () => {
    const report = await run(`it('leaks', () => void setInterval(() => {}, 1_000));`, { closingMs: 100 });
    expect(outcomes(report)).toEqual([['leaks', 'passed']]);
    expect(report.faults).toEqual(['the file left something open that kept it alive, after its last case']);
  });
});
