import { relative } from 'node:path';

/**
 * Says last what a run came to: `N passed, N failed`. A file that broke outside of its cases counts as one failure.
 * Before that it names the files that ran no case, with what they say of it.
 */
export default class CountReporter {
  #config;
  #withoutCases = [];

  constructor(globalConfig) {
    this.#config = globalConfig;
  }

  onTestResult({ path }, { skipped, console: said = [] }) {
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
      if (numPendingTests > 0) console.log(`${numPendingTests} skipped`);
      console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
    });
  }
}
