import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withSourceLines } from './source-lines.mjs';

const program = fileURLToPath(new URL('spec-file.mjs', import.meta.url));
/**
 * A spec file ends before optimised code has paid for its making: V8 begins to optimise seven times later than it does by
 * itself. That saves up to a fifth of the processor time of a small file, and some of a long one.
 */
const OPTIONS = [
  '--interrupt-budget=1000000',
  '--single-threaded-gc',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
];
/** After its last case a file has this long to close what it opened. */
const CLOSING_PATIENCE_MS = 60_000;
/** What a process that takes another file prints behind a file, on both of its streams. */
const END_OF_OUTPUT = '\u{E000}';
/** What does not end when it is told to is killed. */
const KILL_AFTER_MS = 5_000;

/**
 * Runs one compiled spec file in a process of its own.
 *
 * Answers `cases` ({ titles, outcome: 'passed' | 'failed' | 'skipped', errors, durationMs }), `faults` (what went wrong
 * outside of the cases, as texts), `output` (what it printed, unless `stdio` lets it print itself) and `processorMs` (what
 * the file and the processes that it started needed of the processors).
 *
 * module           what is imported instead of the file: the same, bound with what it needs
 * testNamePattern  only cases whose titles match
 * environment      variables beside those of this process
 * patienceMs       what takes longer is ended, and that is a fault
 * closingMs        how long a file may take to close what it opened, after its last case
 * signal           ends it at any moment; that is a fault too
 * onFailure        is told the titles of each case as soon as it has failed
 */
export function runSpecFile(file, { environment, stdio, ...options }) {
  return specProcess({ environment, stdio }).run(file, { ...options, isLast: true });
}

/**
 * A process that runs spec files one after the other. `run` takes what `runSpecFile` takes, and `isLast`: the process
 * ends with that file. It ends as well with a file that has a fault; `isOpen` says whether it takes another.
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
      const told = await report(child, options);
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (isLast || hasEnded || told.faults.length > 0) isOpen = false;
      if (!isOpen && !hasEnded) child.kill('SIGKILL');
      return told;
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

/** What a process tells of one file: until it takes another, or has ended. */
async function report(child, { patienceMs = null, closingMs = CLOSING_PATIENCE_MS, signal, onFailure }) {
  let output = '';
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  let streamsLeft = streams.length;
  let isSettled = false;
  const over = new AbortController();
  // What a file printed may come later than what it tells.
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
  const told = [...faults, ...lateFaults];
  return {
    cases: cases.map((one) => ({ ...one, errors: one.errors.map(withSourceLines) })),
    faults: [...told.map(withSourceLines), ...(reason === null ? [] : [`the file ${reason}, ${underWay}`])],
    output: withSourceLines(output.replaceAll(END_OF_OUTPUT, '')),
    processorMs,
  };
}

/** How a process ended; null where it goes on, which the signal says. */
async function ended(child, goesOn) {
  const heard = new AbortController();
  // Heard from the beginning: it may come with the exit, before anybody who waits for that goes on.
  const closed = once(child, 'close', { signal: heard.signal }).catch(() => null);
  const exit = await Promise.race([
    once(child, 'exit', { signal: heard.signal }).then(
      ([code, by]) => ({ code, by }),
      // The process could not be started or told something.
      (error) => ({ code: null, by: String(error) }),
    ),
    new Promise((done) => goesOn.addEventListener('abort', () => done(null), { once: true })),
  ]);
  // A process that takes another file is listened to anew.
  if (exit === null) {
    heard.abort();
    return null;
  }
  // A process that it left behind may hold the other end of its output for ever.
  await Promise.race([closed, new Promise((done) => setTimeout(done, 1_000).unref())]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return exit;
}
