import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { houseRoot } from '../house/house.js';

type Case = {
  readonly titles: readonly string[];
  readonly outcome: string;
  readonly errors: readonly string[];
};
type Report = {
  readonly cases: readonly Case[];
  readonly faults: readonly string[];
  readonly output: string;
  readonly processorMs: number;
};
type Options = {
  readonly testNamePattern?: string;
  readonly patienceMs?: number;
  readonly closingMs?: number;
  readonly onFailure?: (titles: readonly string[]) => void;
};
type RunSpecFile = (file: string, options: Options) => Promise<Report>;
type SpecProcess = {
  readonly run: (file: string, options: Options & { readonly isLast?: boolean }) => Promise<Report>;
  readonly isOpen: () => boolean;
  readonly end: () => void;
};
type Runner = { readonly runSpecFile: RunSpecFile; readonly specProcess: () => SpecProcess };

const runner: Runner = (await import(
  pathToFileURL(join(houseRoot, 'tools/jest/run-spec-file.mjs')).href
)) as Runner;
const { runSpecFile, specProcess } = runner;

const folder = temporaryFolder('spec-files');
let planted = 0;
function plant(text: string): string {
  const file = join(folder, `planted-${(planted += 1)}.spec.mjs`);
  writeFileSync(file, text);
  return file;
}
const outcomes = ({ cases }: Report) => cases.map(({ titles, outcome }) => [titles.join(' > '), outcome]);

describe('a spec file in a process of its own', () => {
  const run = (text: string, options: Options = {}): Promise<Report> => runSpecFile(plant(text), options);

  it('reports the outcome of each case, its reason, and the output', async () => {
    const failures: string[] = [];
    const report = await run(
      `describe('sums', () => {
         it('are right', () => expect(1 + 1).toBe(2));
         it('are wrong', () => expect(1 + 1).toBe(3));
         describe.skip('of no interest', () => it('are left out', () => {}));
       });
       it('speaks', () => console.log('a figure'));`,
      { onFailure: (titles) => failures.push(titles.join(' > ')) },
    );
    expect(outcomes(report)).toEqual([
      ['sums > are right', 'passed'],
      ['sums > are wrong', 'failed'],
      ['sums > of no interest > are left out', 'skipped'],
      ['speaks', 'passed'],
    ]);
    expect(report.cases[1]?.errors).toEqual([expect.stringMatching(/Expected: 3[^]*Received: 2/)]);
    expect(failures).toEqual(['sums > are wrong']);
    expect(report).toMatchObject({ faults: [], output: 'a figure\n' });
  });

  it('shows the line of the source if the compiled file has a source map', async () => {
    const file = plant(`it('is wrong', () => expect(1).toBe(2)); console.log(new Error('seen').stack);`);
    const map = { version: 3, sources: ['lines.spec.ts'], names: [], mappings: 'AAMA' };
    writeFileSync(`${file}.map`, JSON.stringify(map));
    const { cases, output } = await runSpecFile(file, {});
    expect(cases[0]?.errors).toEqual([expect.stringContaining(join(folder, 'lines.spec.ts:7:1'))]);
    expect(output).toContain(join(folder, 'lines.spec.ts:7:1'));
    expect(output).not.toContain(file);
  });

  it('reports the processor time of the file and of the processes that it started', async () => {
    const burning = 'const end = Date.now() + 400; while (Date.now() < end);';
    const idle = await run("it('rests', () => {});");
    const busy = await run(
      `import { spawnSync } from 'node:child_process';
       it('starts a process', () => { spawnSync(process.execPath, ['-e', ${JSON.stringify(burning)}]); });`,
    );
    expect(idle.processorMs).toBeGreaterThan(0);
    expect(busy.processorMs).toBeGreaterThan(idle.processorMs);
  });

  it('runs only the cases whose titles match', async () => {
    const report = await run(`describe('one', () => { it('runs', () => {}); it('waits', () => {}); });`, {
      testNamePattern: 'one RUNS',
    });
    expect(outcomes(report)).toEqual([
      ['one > runs', 'passed'],
      ['one > waits', 'skipped'],
    ]);
  });

  it('fails a case for an uncaught error while it runs', async () => {
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
  ])('is at fault if it %s', async (_what, text, fault) => {
    expect((await run(text)).faults).toEqual([expect.stringContaining(fault)]);
  });

  it('is ended if it hangs, and reports the place', async () => {
    const text = `it('runs', () => {}); it('waits', () => new Promise(() => {}));`;
    let seconds = 1;
    let report = await run(text, { patienceMs: 1_000 });
    // A busy machine may need longer to reach its cases.
    while (report.faults.join().includes('before its first case')) {
      seconds *= 2;
      report = await run(text, { patienceMs: seconds * 1_000 });
    }
    expect(report.faults).toEqual([`the file took more than ${seconds} s, in "waits"`]);
  });

  it('is ended if it leaves something open, and the results of its cases are kept', async () => {
    const report = await run(`it('leaks', () => void setInterval(() => {}, 1_000));`, { closingMs: 100 });
    expect(outcomes(report)).toEqual([['leaks', 'passed']]);
    expect(report.faults).toEqual(['the file left something open that kept it alive, after its last case']);
  });
});

describe('spec files that share a process', () => {
  let shared: SpecProcess;
  beforeEach(() => void (shared = specProcess()));
  afterEach(() => shared.end());
  const run = (text: string, options: Options = {}): Promise<Report> => shared.run(plant(text), options);

  it('have cases and hooks of their own, and find the variables, the folder and the mocks as the first file did', async () => {
    const first = await run(
      `beforeEach(() => { throw new Error('a hook of the first'); });
       process.env.PLANTED = '1';
       process.chdir('/');
       jest.spyOn(Math, 'random').mockReturnValue(2);
       it('fails', () => {});`,
    );
    expect(outcomes(first)).toEqual([['fails', 'failed']]);
    const second = await run(
      `it('has the variables', () => expect(process.env.PLANTED).toBe(undefined));
       it('has the folder', () => expect(process.cwd()).not.toBe('/'));
       it('has no mocks', () => expect(Math.random()).toBeLessThan(1));`,
    );
    expect(outcomes(second).map(([, outcome]) => outcome)).toEqual(['passed', 'passed', 'passed']);
    expect(second.faults).toEqual([]);
    expect(shared.isOpen()).toBe(true);
  });

  it('run in one process, which ends with the last', async () => {
    const text = `it('prints', () => console.log(process.pid));`;
    const pids = [await run(text), await run(text), await shared.run(plant(text), { isLast: true })];
    expect(new Set(pids.map(({ output }) => output)).size).toBe(1);
    expect(pids.flatMap(({ faults }) => faults)).toEqual([]);
    expect(shared.isOpen()).toBe(false);
    expect(() => process.kill(Number(pids[0]?.output), 0)).toThrow('ESRCH');
  });

  it('are not at fault when one leaves a component that works at intervals, and the process takes no other', async () => {
    expect((await run(`it('ends', () => clearInterval(setInterval(() => {}, 1_000)));`)).faults).toEqual([]);
    expect(shared.isOpen()).toBe(true);
    expect((await run(`it('dies', () => void setInterval(() => {}, 1_000).unref());`)).faults).toEqual([]);
    expect(shared.isOpen()).toBe(false);
  });

  it.each([
    [
      'leaves something open',
      `it('leaks', () => void setInterval(() => {}, 1_000));`,
      'left something open that kept it alive (Timeout), after its last case',
    ],
    ['ends the process', `it('leaves', () => process.exit(0));`, 'ended with 0, in "leaves"'],
    ['cannot be loaded', `import './nothing-there.mjs';`, 'ERR_MODULE_NOT_FOUND'],
    [
      'breaks when all is over',
      `it('runs', () => { setTimeout(() => { throw new Error('thrown late'); }, 300); });`,
      'thrown late',
    ],
  ])('are at fault alone when one %s, and the process takes no other', async (_what, text, fault) => {
    expect((await run(`it('runs', () => {});`)).faults).toEqual([]);
    expect((await run(text, { closingMs: 2_000 })).faults).toEqual([expect.stringContaining(fault)]);
    expect(shared.isOpen()).toBe(false);
  });
});
