// The process of spec files: gives them Jest's globals, runs them one after the other, and reports to its parent the result of
// each case. Most processes run one file. Nothing else is different from production: the compiled files as they are, in
// Node's own realm.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

let work = JSON.parse(process.argv[2]);
process.argv.splice(2, 1);

const bound = new URL('../../dist/jest-parts.js', import.meta.url);
const parts = await import(existsSync(bound) ? bound.href : './jest-parts.mjs');
const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, getState, it, resetState, run, test } =
  parts;
const mocker = new parts.ModuleMocker(globalThis);
const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
};
Object.assign(globalThis, {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
  test,
});

/** Resources that a file has still open so long after its last case are reported. */
const REPORT_AFTER_MS = 1_000;
const strays = ['uncaughtException', 'unhandledRejection'];
/** Errors that occur while no file runs its cases. */
let lateFaults = [];
let isRunning = false;
const onStray = (error) => {
  const state = getState();
  if (isRunning) (state.currentlyRunningTest?.errors ?? state.unhandledErrors).push(error);
  else lateFaults.push(String(error?.stack ?? error));
};
for (const event of strays) process.on(event, onStray);

// Without its parent it has no work. Waiting for that keeps no process alive: after the last message only resources
// that the file left open do. Files that start processes end them at this signal.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel.unref();

/** Intervals that are not cleared. */
const intervals = new Set();
const { setInterval: startInterval, clearInterval: endInterval } = globalThis;
globalThis.setInterval = (...words) => {
  const timer = startInterval(...words);
  intervals.add(timer);
  return timer;
};
globalThis.clearInterval = (timer) => {
  intervals.delete(timer);
  endInterval(timer);
};

const environment = { ...process.env };
const folder = process.cwd();
await delay(0);
const openBefore = process.getActiveResourcesInfo();

const titlesOf = (one) => (one.parent === undefined ? [] : [...titlesOf(one.parent), one.name]);

let isFirst = true;
for (;;) {
  const before = processorMs();
  const ended = await outcome();
  sendToParent({ kind: 'finished', ...ended, processorMs: processorMs() - (isFirst ? 0 : before) });
  isFirst = false;
  if (work.isLast) {
    // Its end waits for nothing; a file that does not end has its open resources named.
    setTimeout(() => sendToParent({ kind: 'still open', resources: leftOpen() }), REPORT_AFTER_MS).unref();
    break;
  }
  jest.restoreAllMocks();
  await allClosed();
  setBack();
  const faults = lateFaults;
  lateFaults = [];
  for (const stream of [process.stdout, process.stderr]) stream.write(work.endOfOutput);
  // Components of processes that a case lets die work on at their intervals: they would work during the next file.
  sendToParent({ kind: 'settled', faults, leavesWork: intervals.size > 0 });
  work = await nextWork();
}
// An error from here on ends the process, with its own exit code.
for (const event of strays) process.off(event, onStray);

async function outcome() {
  process.argv[1] = work.file;
  resetState();
  const state = getState();
  // The timeout applies to the file, and the parent enforces it: cases have none.
  state.testTimeout = 2 ** 31 - 1;
  if (work.testNamePattern) state.testNamePattern = new RegExp(work.testNamePattern, 'i');
  // Outside of all other hooks of the file, so that the parent can stop it at the first failure.
  beforeEach(() => sendToParent({ kind: 'started', titles: titlesOf(getState().currentlyRunningTest) }));
  afterEach(() => {
    const { currentlyRunningTest } = getState();
    for (const error of currentlyRunningTest.errors.flat()) showCauses(error);
    if (currentlyRunningTest.errors.length > 0)
      sendToParent({ kind: 'failed', titles: titlesOf(currentlyRunningTest) });
  });
  isRunning = true;
  try {
    await import(pathToFileURL(work.module).href);
  } catch (error) {
    isRunning = false;
    return { cases: [], faults: [String(error?.stack ?? error)] };
  }
  const { testResults, unhandledErrors } = await run();
  isRunning = false;
  return {
    cases: testResults.map(({ testPath, status, errors, duration }) => ({
      titles: testPath.slice(1),
      outcome: status === 'done' ? (errors.length > 0 ? 'failed' : 'passed') : 'skipped',
      errors,
      durationMs: duration ?? 0,
    })),
    faults: unhandledErrors,
  };
}

/** Jest prints the stack of an error and not its causes. */
function showCauses(error) {
  const { cause } = error ?? {};
  if (!(error instanceof Error) || cause === undefined) return;
  showCauses(cause);
  error.stack += `\n[cause]: ${cause?.stack ?? cause}`;
}

/**
 * The processor time of this process and its ended children; only of this process if the system does not report that
 * of children.
 */
function processorMs() {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8');
    // After the name, which may contain spaces: `utime`, `stime`, `cutime` and `cstime`, in hundredths of a second.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  } catch {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1_000);
  }
}

/** Resources that the file left open and that would keep a separate process alive. */
function leftOpen() {
  const left = process.getActiveResourcesInfo();
  for (const name of openBefore) {
    const place = left.indexOf(name);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

/**
 * Waits until the file has closed its resources. Those still open some time later are reported: they may stay open.
 */
async function allClosed() {
  const reportAt = Date.now() + REPORT_AFTER_MS;
  let isReported = false;
  for (let open = leftOpen(); open.length > 0; open = leftOpen()) {
    if (!isReported && Date.now() >= reportAt) {
      sendToParent({ kind: 'still open', resources: open });
      isReported = true;
    }
    await delay(5);
  }
}

/** Restores the initial state of the process, except for loaded modules. */
function setBack() {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
}

async function nextWork() {
  process.channel.ref();
  const [message] = await once(process, 'message');
  process.channel.unref();
  return message;
}

function sendToParent(message) {
  process.send(message);
}
