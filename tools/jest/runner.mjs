import { readFileSync } from 'node:fs';
import { bindSpecs, isUnbound } from './bind-specs.mjs';
import { specProcess } from './run-spec-file.mjs';
import { temporaryFolders } from './temporary-folders.mjs';

/** A hanging file is ended and counted as failed; the longest file needs a tenth of this time. */
const FILE_PATIENCE_MS = Number(process.env.TEST_FILE_PATIENCE_MS ?? 600_000);

/**
 * Files share processes, one after the other, because the first file of a process costs several times as much as the
 * others. If a file leaves resources open or fails outside of its cases, it counts as failed and its process takes no
 * other file. Files of these folders change or inspect global state of the process, so they run alone.
 */
const ALONE = /[/\\]dist[/\\]test[/\\](random|tools)[/\\]/;
/**
 * A file that replaces the timers runs alone, too: modules of the process may keep a replaced timer, for example the shared
 * timer of heartbeats, which then never fires for the next file. And what an earlier file has left would get the replaced timers,
 * which return nothing.
 */
const REPLACES_TIMERS = /\bmock\.timers\.enable\(/;
/** Its scheduler replaces the timers, in a file of its own. */
const MONEY_PATH = /[/\\]dist[/\\]test[/\\]simulation[/\\]money-path\.spec\.js$/;
const isAlone = (path) =>
  ALONE.test(path) ||
  MONEY_PATH.test(path) ||
  REPLACES_TIMERS.test(readFileSync(path, 'utf8')) ||
  isUnbound(path);
/**
 * Files of this folder import every module of the repository by its path, so that each is loaded once per process. A
 * bundled file would load its part twice.
 */
const HOUSE = /[/\\]dist[/\\]test[/\\]house[/\\]/;
/** By kind of file: each file leaves some memory in its process. */
const FILES_OF_A_PROCESS = { service: 32, others: 32, house: 32, compiled: 64 };

/**
 * Files of these folders mostly wait, for processes, a browser or time. One runs at any time beside the others, so that
 * the processor is not idle while they wait.
 */
const WAITING = /[/\\]dist[/\\]test[/\\](bad-days|browser|delays|servers|restore[/\\]set-back)\b/;
/** Files of these folders start many processes, and wait for each of them. One runs at any time, too. */
const STARTING = /[/\\]dist[/\\]test[/\\](e2e|mcp|ops|store-copy)[/\\]/;
/** Files of this folder are long. They begin first, so that none is left for the end. */
const LONG = /[/\\]dist[/\\]test[/\\]tools[/\\]/;

/** Jest's runner for compiled specs: plain Node processes, as many at a time as there are workers. */
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
    const paths = tests.map(({ path }) => path).filter((path) => !HOUSE.test(path));
    const bound = isBound ? await bindSpecs(paths) : new Map();
    /** The kind of process that a file shares with others; null: it has one of its own. */
    const sharedBy = (path) => {
      if (!isBound) return null;
      if (HOUSE.test(path)) return 'house';
      return isAlone(path) ? null : (bound.get(path)?.group ?? 'compiled');
    };
    const kindOf = (path) => [WAITING, STARTING, LONG].find((kind) => kind.test(path));
    const ofKind = (kind) => tests.filter(({ path }) => kindOf(path) === kind);
    const [waiting, starting, long, others] = [WAITING, STARTING, LONG, undefined].map(ofKind);
    /** What a lane takes first: the first two have a kind of their own, as long as there are files of it. */
    const orders = [
      [waiting, starting, long, others],
      [starting, waiting, long, others],
    ];
    const next = (lane) => {
      const order = orders[lane] ?? [long, others, starting, waiting];
      return order.find((files) => files.length > 0)?.shift();
    };
    const temporary = temporaryFolders();
    /** A process, the folder of its stores, and the number of files it ran. */
    const open = () => {
      const folder = temporary.folder();
      return { process: specProcess({ environment: { TMPDIR: folder } }), folder, files: 0 };
    };
    const lane = async (_, number) => {
      /** The open process by kind. */
      const shared = new Map();
      while (!watcher.isInterrupted()) {
        const test = next(number);
        if (test === undefined) break;
        await onStart(test);
        const startedAt = Date.now();
        try {
          const part = sharedBy(test.path);
          if (part !== null && shared.get(part)?.process.isOpen() !== true) shared.set(part, open());
          const own = part === null ? open() : shared.get(part);
          own.files += 1;
          const report = await own.process.run(test.path, {
            isLast: part === null || own.files === FILES_OF_A_PROCESS[part],
            testNamePattern,
            module: bound.get(test.path)?.module,
            patienceMs: FILE_PATIENCE_MS,
            signal: interruption.signal,
          });
          if (!own.process.isOpen()) temporary.removeFolder(own.folder);
          await onResult(test, resultOf(test, report, startedAt, Date.now()));
        } catch (error) {
          await onFailure(test, error);
        }
      }
      for (const { process } of shared.values()) process.end();
    };
    try {
      await Promise.all(Array.from({ length: maxWorkers }, lane));
    } finally {
      temporary.removeAll();
    }
  }
}

/** The result of a file in the form of Jest's reporters. */
function resultOf(test, { cases, faults, output, processorMs }, start, end) {
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
    processorMs,
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
    // A file whose cases all need an absent server declares none; Jest would report an empty result as a fault.
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

/** Stack lines of the test machinery below a case. */
const MACHINERY = /^ +at .*(\/jest-circus\/|\/tools\/jest\/|\/dist\/jest-parts\.js).*\n?/gm;

function message(title, errors) {
  return `  ● ${title}\n\n${errors.join('\n\n').replace(MACHINERY, '').trimEnd().replace(/^/gm, '    ')}\n`;
}
