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
  /** By file: milliseconds, those of the processes that it started included. */
  #processorMs = new Map();

  constructor(globalConfig) {
    this.#config = globalConfig;
  }

  onTestResult({ path }, { skipped, processorMs, console: said = [] }) {
    this.#processorMs.set(relative(this.#config.rootDir, path), processorMs);
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
      if (process.env.TEST_TIMES) for (const line of timesOf(this.#processorMs)) console.log(line);
      if (numPendingTests > 0) console.log(`${numPendingTests} skipped`);
      console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
    });
  }
}

/** Lines of seconds and files: of each folder, of the files that needed most, and of all. */
function timesOf(processorMs) {
  const folders = new Map();
  for (const [file, ms] of processorMs) {
    const [, room, kind] = dirname(file).split('/');
    const folder = room === 'test' ? `test/${kind}` : room;
    const { files, sum } = folders.get(folder) ?? { files: 0, sum: 0 };
    folders.set(folder, { files: files + 1, sum: sum + ms });
  }
  const line = (ms, text) => `${(ms / 1_000).toFixed(1).padStart(8)} s  ${text}`;
  return [
    ...[...folders]
      .sort(([, a], [, b]) => b.sum - a.sum)
      .map(([folder, { files, sum }]) => line(sum, `${folder}, ${files} ${files === 1 ? 'file' : 'files'}`)),
    ...[...processorMs]
      .sort(([, a], [, b]) => b - a)
      .slice(0, LARGEST)
      .map(([file, ms]) => line(ms, file)),
    line(
      [...processorMs.values()].reduce((sum, ms) => sum + ms, 0),
      'of processor time in all spec files',
    ),
  ];
}
