// The process of one spec file: gives it Jest's globals, runs it, and tells its parent what became of each case.
// Nothing else is different from production: the compiled files as they are, in Node's own realm.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { file, module, testNamePattern } = JSON.parse(process.argv[2]);
process.argv.splice(1, 2, file);

const bound = new URL('../../dist/jest-parts.js', import.meta.url);
const parts = await import(existsSync(bound) ? bound.href : './jest-parts.mjs');
const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, getState, it, run, test } = parts;
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

const state = getState();
// The time limit is that of the file, which the parent keeps: a case has no right to less.
state.testTimeout = 2 ** 31 - 1;
if (testNamePattern) state.testNamePattern = new RegExp(testNamePattern, 'i');
const strays = ['uncaughtException', 'unhandledRejection'];
const onStray = (error) => (state.currentlyRunningTest?.errors ?? state.unhandledErrors).push(error);
for (const event of strays) process.on(event, onStray);

// Without its parent it has nobody to work for. To wait for that keeps nothing alive: when all is told, only what the
// file left open does.
process.on('disconnect', () => process.exit(1));
process.channel.unref();

const titlesOf = (one) => (one.parent === undefined ? [] : [...titlesOf(one.parent), one.name]);
// Around every other hook of the file: what is told while it runs is for who wants to stop it at the first failure.
beforeEach(() => tell({ kind: 'started', titles: titlesOf(state.currentlyRunningTest) }));
afterEach(() => {
  const { errors } = state.currentlyRunningTest;
  if (errors.length > 0) tell({ kind: 'failed', titles: titlesOf(state.currentlyRunningTest) });
});

tell({ kind: 'finished', ...(await outcome()) });
// What goes wrong from here on ends the process, with a code that says so.
for (const event of strays) process.off(event, onStray);

async function outcome() {
  try {
    await import(pathToFileURL(module).href);
  } catch (error) {
    return { cases: [], faults: [String(error?.stack ?? error)] };
  }
  const { testResults, unhandledErrors } = await run();
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

function tell(message) {
  process.send(message);
}
