import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Faults } from '#test/servers/eventstoredb/faults.js';
import { soon } from './event-stores.js';

export type MortalEventStoreDb = AsyncDisposable & {
  readonly url: string;
  /** Switches faults of the running process; resolves when they are active. */
  readonly set: (faults: Partial<Faults>) => Promise<void>;
  readonly kill: () => Promise<void>;
  /** Resolves when the process has ended, by a fault or by `kill`. */
  readonly ended: () => Promise<void>;
  /** Starts it again on the same log and port. */
  readonly restart: () => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly remove: () => Promise<void>;
};

/** A fault server with its log on disk in a separate process. */
export async function mortalEventStoreDb(): Promise<MortalEventStoreDb> {
  const folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  const script = fileURLToPath(new URL('eventstoredb-server-process.js', import.meta.url));
  let port = 0;
  const start = async (): Promise<ChildProcess> => {
    const started = fork(script, [folder, String(port)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [ready] = await soon('the server', once(started, 'message'));
    port = (ready as { readonly port: number }).port;
    return started;
  };
  let child = await start();
  const ended = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended();
  };
  const remove = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    set: async (faults) => {
      const message = once(child, 'message');
      child.send(faults);
      await soon('the faults', message);
    },
    kill,
    ended: () => soon('the end of the server', ended()),
    restart: async () => {
      child = await start();
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    remove,
    [Symbol.asyncDispose]: remove,
  };
}
