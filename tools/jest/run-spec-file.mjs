import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('spec-file.mjs', import.meta.url));
/** After its last case a file has this long to close what it opened. */
const CLOSING_PATIENCE_MS = 60_000;
/** What does not end when it is told to is killed. */
const KILL_AFTER_MS = 5_000;

/**
 * Runs one compiled spec file in a process of its own.
 *
 * Answers `cases` ({ titles, outcome: 'passed' | 'failed' | 'skipped', errors, durationMs }), `faults` (what went wrong
 * outside of the cases, as texts) and `output` (what it printed, unless `stdio` lets it print itself).
 *
 * module           what is imported instead of the file: the same, bound with what it needs
 * testNamePattern  only cases whose titles match
 * environment      variables beside those of this process
 * patienceMs       what takes longer is ended, and that is a fault
 * closingMs        how long a file may take to close what it opened, after its last case
 * signal           ends it at any moment; that is a fault too
 * onFailure        is told the titles of each case as soon as it has failed
 */
export async function runSpecFile(
  file,
  {
    module = file,
    testNamePattern = '',
    environment = {},
    patienceMs = null,
    closingMs = CLOSING_PATIENCE_MS,
    signal = null,
    onFailure = null,
    stdio = 'pipe',
  },
) {
  const child = fork(program, [JSON.stringify({ file, module, testNamePattern })], {
    execArgv: ['--enable-source-maps'],
    env: { ...process.env, NODE_ENV: 'test', ...environment },
    stdio: ['ignore', stdio, stdio, 'ipc'],
  });
  // Heard from the beginning: it may come with the exit, before anybody who waits for that goes on.
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  }
  let result = null;
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
  child.on('message', (message) => {
    if (message.kind === 'started') underWay = `in "${message.titles.join(' > ')}"`;
    if (message.kind === 'failed') onFailure?.(message.titles);
    if (message.kind !== 'finished') return;
    result = message;
    underWay = 'after its last case';
    clearTimeout(patience);
    patience = setTimeout(() => end('left something open that kept it alive'), closingMs);
  });

  const [code, by] = await once(child, 'exit');
  clearTimeout(patience);
  clearTimeout(killing);
  signal?.removeEventListener('abort', onAbort);
  // A process that it left behind may hold the other end of its output for ever.
  if (stdio === 'pipe') await Promise.race([closed, new Promise((done) => setTimeout(done, 1_000))]);
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();

  if (reason === null && (result === null || code !== 0)) reason = `ended with ${by ?? code}`;
  const { cases = [], faults = [] } = result ?? {};
  return {
    cases,
    faults: reason === null ? faults : [...faults, `the file ${reason}, ${underWay}`],
    output,
  };
}
