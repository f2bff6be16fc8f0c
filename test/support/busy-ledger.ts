import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { soon } from './event-stores.js';

/** Clients that write to a ledger until they are stopped; the numbers are the writes acknowledged so far. */
export type BusyLedger = {
  readonly written: () => Promise<number>;
  readonly stop: () => Promise<number>;
};

/** Starts the clients in a separate process. A refused write ends them, and the next query rejects. */
export function busyLedger(opsUrl: string, token: string, workspaceId: number, clients: number): BusyLedger {
  const child = fork(fileURLToPath(new URL('./ledger-writers.js', import.meta.url)), {
    env: {
      ...process.env,
      OPS_URL: opsUrl,
      TOKEN: token,
      WORKSPACE: String(workspaceId),
      CLIENTS: String(clients),
    },
  });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the clients ended with ${String(code)}`);
  });
  // The next query reports it.
  ended.catch(() => undefined);
  const ask = async (word: 'count' | 'stop'): Promise<number> => {
    const answer = once(child, 'message');
    child.send(word);
    const [acknowledged] = await soon('an answer of the clients', Promise.race([answer, ended]));
    return Number(acknowledged);
  };
  return { written: () => ask('count'), stop: () => ask('stop') };
}
