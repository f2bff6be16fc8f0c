import { dirname, relative } from 'node:path';

/** The number of most expensive files that are listed. */
const LARGEST = 25;

/**
 * Prints the result of a run in the last line: `N passed, N failed`. A file that failed outside of its cases counts
 * as one failure. Before that it lists the files that ran no case, with the reason, and, with `TEST_TIMES`, the
 * processor time of the files.
 */
export default class CountReporter {
  #config;
  #withoutCases = [];
  /** By file, in milliseconds: the processor time including child processes, and the elapsed time. */
  #times = new Map();

  constructor(globalConfig) {
    this.#config = globalConfig;
  }

  onTestResult({ path }, { skipped, processorMs, perfStats, console: said = [] }) {
    this.#times.set(relative(this.#config.rootDir, path), { processorMs, passedMs: perfStats.runtime });
    if (!skipped || this.#config.testNamePattern) return;
    const why = said.map(({ message }) => message).join('\n') || 'its requirements are not available';
    this.#withoutCases.push(`no case of ${relative(this.#config.rootDir, path)} was run: ${why}`);
  }

  onRunComplete(_contexts, results) {
    const { watch, watchAll } = this.#config;
    if (watch || watchAll) return;
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests } = results;
    // Jest prints its own summary after every reporter.
    process.once('exit', () => {
      // A run without cases, for instance with a title that no case has, fails.
      if (numPassedTests === 0) process.exitCode = 1;
      for (const line of this.#withoutCases.sort()) console.log(line);
      if (process.env.TEST_TIMES) for (const line of timesOf(this.#times)) console.log(line);
      if (numPendingTests > 0) console.log(`${numPendingTests} skipped`);
      console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
    });
  }
}

/** Lines of seconds and files: per folder, of the most expensive files, and in total. */
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
