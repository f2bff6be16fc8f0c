import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openEventStoreDb } from '#event-store/eventstoredb/eventstoredb-event-store.js';
import { freePort } from './listening.js';

/** A node needs seconds until it is its own leader. */
const START_PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 100;

const running = new Set<() => void>();

/**
 * Starts a node of EventStoreDB by its command, a JSON array of words with {port} and {folder}, and waits until it
 * answers. It ends with `stop`, and at the latest with this process.
 */
export async function startedEventStore(
  command: string,
): Promise<{ readonly url: string; readonly stop: () => void }> {
  const folder = await mkdtemp(join(tmpdir(), 'event-store-'));
  const port = await freePort();
  const [program = '', ...words] = (JSON.parse(command) as readonly string[]).map((word) =>
    word.replaceAll('{port}', String(port)).replaceAll('{folder}', folder),
  );
  const child = spawn(program, words, { stdio: 'ignore' });
  let ended: string | null = null;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended ??= `it ended with ${code ?? signal}`));
  const stop = (): void => {
    running.delete(stop);
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  endWithProcess();
  running.add(stop);
  const url = `esdb://127.0.0.1:${port}?tls=false`;
  for (
    const untilMs = Date.now() + START_PATIENCE_MS;
    !(await answers(url));
    await setTimeout(LOOK_EVERY_MS)
  ) {
    if (ended === null && Date.now() < untilMs) continue;
    stop();
    throw new Error(
      `the event store of TEST_EVENT_STORE_COMMAND does not answer: ${ended ?? 'it is silent'}`,
    );
  }
  return { url, stop };
}

let endsWithProcess = false;

function endWithProcess(): void {
  if (endsWithProcess) return;
  endsWithProcess = true;
  process.once('exit', () => {
    for (const stop of running) stop();
  });
  process.once('SIGTERM', () => process.exit(1));
}

async function answers(url: string): Promise<boolean> {
  try {
    const store = await openEventStoreDb({ url });
    try {
      await store.head();
      return true;
    } finally {
      await store.close();
    }
  } catch {
    return false;
  }
}
