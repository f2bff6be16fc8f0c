import { dirname, relative } from 'node:path';

/** So many of the files that needed most are named one by one. */
const LARGEST = 25;

/**
 * Says last what a run came to: `N passed, N failed`. A file that broke outside of its cases counts as one failure.
 * Before that it names the files that ran no case, with what they say of it, and, where `TEST_TIMES` asks for it, what
 * the files needed of the processors.
 */
export default class CountReporter {
  #config;
  #withoutCases = [];
  /** By file, in milliseconds: what it needed of the processors, with the processes that it started, and how long it ran. */
  #times = new Map();

  constructor(globalConfig) {
    this.#config = globalConfig;
  }

  onTestResult({ path }, { skipped, processorMs, perfStats, console: said = [] }) {
    this.#times.set(relative(this.#config.rootDir, path), { processorMs, passedMs: perfStats.runtime });
    if (!skipped || this.#config.testNamePattern) return;
    const why = said.map(({ message }) => message).join('\n') || 'what it needs is not here';
    this.#withoutCases.push(`no case of ${relative(this.#config.rootDir, path)} was run: ${why}`);
  }

  onRunComplete(_contexts, results) {
    const { watch, watchAll } = this.#config;
    if (watch || watchAll) return;
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests } = results;
    // Jest's own summary comes after every reporter.
    process.once('exit', () => {
      // A run of nothing, for instance of a title that no case has, is not green.
      if (numPassedTests === 0) process.exitCode = 1;
      for (const line of this.#withoutCases.sort()) console.log(line);
      if (process.env.TEST_TIMES) for (const line of timesOf(this.#times)) console.log(line);
      if (numPendingTests > 0) console.log(`${numPendingTests} skipped`);
      console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
    });
  }
}

/** Lines of seconds and files: of each folder, of the files that needed most, and of all. */
function timesOf(times) {
  const folders = new Map();
  for (const [file, { processorMs, passedMs }] of times) {
    const [, room, kind] = dirname(file).split('/');
    const folder = room === 'test' ? `test/${kind}` : room;
    const sum = folders.get(folder) ?? { files: 0, processorMs: 0, passedMs: 0 };
    folders.set(folder, {
      files: sum.files + 1,
      processorMs: sum.processorMs + processorMs,
      passedMs: sum.passedMs + passedMs,
    });
  }
  const seconds = (ms) => `${(ms / 1_000).toFixed(1).padStart(8)} s`;
  const line = ({ processorMs, passedMs }, text) => `${seconds(processorMs)}${seconds(passedMs)}  ${text}`;
  const sorted = (entries) => [...entries].sort(([, a], [, b]) => b.processorMs - a.processorMs);
  const all = (name) => [...times.values()].reduce((sum, each) => sum + each[name], 0);
  return [
    ' processor    passed',
    ...sorted(folders).map(([folder, sum]) =>
      line(sum, `${folder}, ${sum.files} ${sum.files === 1 ? 'file' : 'files'}`),
    ),
    ...sorted(times)
      .slice(0, LARGEST)
      .map(([file, each]) => line(each, file)),
    line(
      { processorMs: all('processorMs'), passedMs: all('passedMs') },
      'all spec files, whose seconds overlap',
    ),
  ];
}
