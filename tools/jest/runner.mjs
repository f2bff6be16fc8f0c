import { bindSpecs } from './bind-specs.mjs';
import { runSpecFile } from './run-spec-file.mjs';

/** What hangs is ended and counted as failed; the longest file needs a tenth of it. */
const FILE_PATIENCE_MS = Number(process.env.TEST_FILE_PATIENCE_MS ?? 600_000);

/** Jest's runner for compiled specs: a bare Node process a file, as many at a time as there are workers. */
export default class SpecFileRunner {
  #globalConfig;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { maxWorkers, testNamePattern } = this.#globalConfig;
    const interruption = new AbortController();
    watcher.on('change', ({ interrupted }) => interrupted && interruption.abort());
    const isBound =
      !watcher.isWatchMode() && !process.env.TEST_WITHOUT_BUNDLE && !process.env.NODE_V8_COVERAGE;
    const bound = isBound ? await bindSpecs(tests.map(({ path }) => path)) : new Map();
    const waiting = [...tests];
    const lane = async () => {
      for (
        let test = waiting.shift();
        test !== undefined && !watcher.isInterrupted();
        test = waiting.shift()
      ) {
        await onStart(test);
        const startedAt = Date.now();
        try {
          const report = await runSpecFile(test.path, {
            testNamePattern,
            module: bound.get(test.path),
            patienceMs: FILE_PATIENCE_MS,
            signal: interruption.signal,
          });
          await onResult(test, resultOf(test, report, startedAt, Date.now()));
        } catch (error) {
          await onFailure(test, error);
        }
      }
    };
    await Promise.all(Array.from({ length: maxWorkers }, lane));
  }
}

/** What Jest's reporters want to know of a file. */
function resultOf(test, { cases, faults, output }, start, end) {
  const count = (outcome) => cases.filter((one) => one.outcome === outcome).length;
  const failures = cases.filter(({ outcome }) => outcome === 'failed');
  const messages = [
    ...failures.map(({ titles, errors }) => message(titles.join(' › '), errors)),
    ...(faults.length > 0 ? [message('outside of its cases', faults)] : []),
  ];
  const isSkipped = faults.length === 0 && count('skipped') === cases.length;
  return {
    ...(faults.length > 0 ? { testExecError: { message: '', stack: faults.join('\n') } } : {}),
    console: output === '' ? undefined : [{ type: 'log', message: output.trimEnd(), origin: '' }],
    displayName: test.context.config.displayName,
    failureMessage: messages.length > 0 ? messages.join('\n') : null,
    leaks: false,
    numFailingTests: failures.length,
    numPassingTests: count('passed'),
    numPendingTests: count('skipped'),
    numTodoTests: 0,
    openHandles: [],
    perfStats: {
      start,
      end,
      runtime: end - start,
      slow: end - start > test.context.config.slowTestThreshold * 1_000,
    },
    skipped: isSkipped,
    snapshot: {
      added: 0,
      fileDeleted: false,
      matched: 0,
      unchecked: 0,
      uncheckedKeys: [],
      unmatched: 0,
      updated: 0,
    },
    testFilePath: test.path,
    // A file whose cases all want a server that is not there declares none; without a line Jest takes that for a fault.
    testResults: cases.length > 0 ? cases.map(assertionResult) : [assertionResult(NO_CASES)],
  };
}

const NO_CASES = { titles: ['declares no case here'], outcome: 'skipped', errors: [], durationMs: 0 };

function assertionResult({ titles, outcome, errors, durationMs }) {
  return {
    ancestorTitles: titles.slice(0, -1),
    duration: durationMs,
    failureDetails: [],
    failureMessages: errors,
    fullName: titles.join(' '),
    invocations: 1,
    location: null,
    numPassingAsserts: 0,
    retryReasons: [],
    status: outcome === 'skipped' ? 'pending' : outcome,
    title: titles.at(-1),
  };
}

/** The lines of the machinery below a case say nothing of it. */
const MACHINERY = /^ +at .*(\/jest-circus\/|\/tools\/jest\/|\/dist\/jest-parts\.js).*\n?/gm;

function message(title, errors) {
  return `  ● ${title}\n\n${errors.join('\n\n').replace(MACHINERY, '').trimEnd().replace(/^/gm, '    ')}\n`;
}
