import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withSourceLines } from './source-lines.mjs';
import { knownToV8 } from './v8-options.mjs';

const program = fileURLToPath(new URL('spec-file.mjs', import.meta.url));
/**
 * A spec file ends before optimised code has paid for its compilation, so V8 starts to optimise seven times later
 * than by default. That saves up to a fifth of the processor time of a small file, and some of a long one. Only Node.js 20
 * has that option.
 */
const OPTIONS = knownToV8([
  '--interrupt-budget=1000000',
  '--single-threaded-gc',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
]);
/** The time for a file to close its resources after its last case. */
const CLOSING_PATIENCE_MS = 60_000;
/** Printed on both streams after a file by a process that takes another file. */
const END_OF_OUTPUT = '\u{E000}';
/** A process that does not end on request is killed after this time. */
const KILL_AFTER_MS = 5_000;

/**
 * Runs one compiled spec file in a separate process.
 *
 * Returns `cases` ({ titles, outcome: 'passed' | 'failed' | 'skipped', errors, durationMs }), `faults` (errors outside
 * of the cases, as texts), `output` (the output, unless `stdio` passes it on) and `processorMs` (the processor time of the
 * file and the processes that it started).
 *
 * module           imported instead of the file: the file bundled with its imports
 * testNamePattern  only cases whose titles match
 * environment      variables in addition to those of this process
 * patienceMs       the timeout of the file; exceeding it is a fault
 * closingMs        the maximum time in which a file closes its resources, after its last case
 * signal           ends the file at any moment; that is a fault too
 * onFailure        called with the titles of each case as soon as it has failed
 */
export function runSpecFile(file, { environment, stdio, ...options }) {
  return specProcess({ environment, stdio }).run(file, { ...options, isLast: true });
}

/**
 * A process that runs spec files one after the other. `run` takes the arguments of `runSpecFile`, and `isLast`: the
 * process ends with that file. It also ends with a file that has a fault or leaves intervals; `isOpen` says whether it takes
 * another.
 */
export function specProcess({ environment = {}, stdio = 'pipe' } = {}) {
  let child = null;
  let isOpen = true;
  return {
    isOpen: () => isOpen,
    async run(file, { module = file, testNamePattern = '', isLast = false, ...options }) {
      const work = {
        file,
        module,
        testNamePattern,
        isLast,
        endOfOutput: stdio === 'pipe' ? END_OF_OUTPUT : '',
      };
      if (child === null) child = startChild(work, environment, stdio);
      else child.send(work);
      const outcome = await report(child, options);
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (isLast || hasEnded || outcome.leavesWork || outcome.faults.length > 0) isOpen = false;
      if (!isOpen && !hasEnded) child.kill('SIGKILL');
      return outcome;
    },
    end() {
      isOpen = false;
      child?.kill('SIGKILL');
    },
  };
}

function startChild(work, environment, stdio) {
  return fork(program, [JSON.stringify(work)], {
    execArgv: OPTIONS,
    env: { ...process.env, NODE_ENV: 'test', ...environment },
    stdio: ['ignore', stdio, stdio, 'ipc'],
  });
}

/** The result of one file: collected until the process takes another file, or has ended. */
async function report(child, { patienceMs = null, closingMs = CLOSING_PATIENCE_MS, signal, onFailure }) {
  let output = '';
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  let streamsLeft = streams.length;
  let isSettled = false;
  const over = new AbortController();
  // The output of a file may arrive after its result.
  const endWhenWhole = () => isSettled && streamsLeft === 0 && over.abort();
  const onText = (text) => {
    output += text;
    if (!text.includes(END_OF_OUTPUT)) return;
    streamsLeft -= 1;
    endWhenWhole();
  };
  for (const stream of streams) stream.setEncoding('utf8').on('data', onText);
  let result = null;
  let lateFaults = [];
  let leavesWork = false;
  let stillOpen = '';
  let underWay = 'before its first case';
  let reason = null;
  let killing = null;
  const end = (why) => {
    reason ??= why;
    child.kill('SIGTERM');
    killing ??= setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  };
  let patience =
    patienceMs === null ? null : setTimeout(() => end(`took more than ${patienceMs / 1_000} s`), patienceMs);
  const onAbort = () => end('was stopped');
  signal?.addEventListener('abort', onAbort);
  const onMessage = (message) => {
    if (message.kind === 'started') underWay = `in "${message.titles.join(' > ')}"`;
    if (message.kind === 'failed') onFailure?.(message.titles);
    if (message.kind === 'still open') stillOpen = ` (${message.resources.join(', ')})`;
    if (message.kind === 'settled') {
      lateFaults = message.faults;
      leavesWork = message.leavesWork;
      isSettled = true;
      endWhenWhole();
    }
    if (message.kind !== 'finished') return;
    result = message;
    underWay = 'after its last case';
    clearTimeout(patience);
    patience = setTimeout(() => end(`left something open that kept it alive${stillOpen}`), closingMs);
  };
  child.on('message', onMessage);

  const ending = await ended(child, over.signal);
  clearTimeout(patience);
  clearTimeout(killing);
  signal?.removeEventListener('abort', onAbort);
  child.off('message', onMessage);
  for (const stream of streams) stream.off('data', onText);

  const isWhole = ending === null || (result !== null && ending.code === 0);
  if (reason === null && !isWhole) reason = `ended with ${ending.by ?? ending.code}`;
  const { cases = [], faults = [], processorMs = 0 } = result ?? {};
  const outcome = [...faults, ...lateFaults];
  return {
    cases: cases.map((one) => ({ ...one, errors: one.errors.map(withSourceLines) })),
    faults: [
      ...outcome.map(withSourceLines),
      ...(reason === null ? [] : [`the file ${reason}, ${underWay}`]),
    ],
    output: withSourceLines(output.replaceAll(END_OF_OUTPUT, '')),
    processorMs,
    leavesWork,
  };
}

/** How a process ended; null if it continues, which the signal says. */
async function ended(child, goesOn) {
  const heard = new AbortController();
  // Registered early: the event may come with the exit, before a waiter continues.
  const closed = once(child, 'close', { signal: heard.signal }).catch(() => null);
  const exit = await Promise.race([
    once(child, 'exit', { signal: heard.signal }).then(
      ([code, by]) => ({ code, by }),
      // The process could not be started, or a message could not be sent.
      (error) => ({ code: null, by: String(error) }),
    ),
    new Promise((done) => goesOn.addEventListener('abort', () => done(null), { once: true })),
  ]);
  // For a process that takes another file the listeners are registered again.
  if (exit === null) {
    heard.abort();
    return null;
  }
  // A child process that it left behind may keep its output open for ever.
  await Promise.race([closed, new Promise((done) => setTimeout(done, 1_000).unref())]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return exit;
}
