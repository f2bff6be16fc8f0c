/** Says last what a run came to: `N passed, N failed`. A file that broke outside of its cases counts as one failure. */
export default class CountReporter {
  #isWatching;

  constructor({ watch, watchAll }) {
    this.#isWatching = watch || watchAll;
  }

  onRunComplete(_contexts, results) {
    if (this.#isWatching) return;
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests } = results;
    // Jest's own summary comes after every reporter.
    process.once('exit', () => {
      if (numPendingTests > 0) console.log(`${numPendingTests} skipped`);
      console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
    });
  }
}
