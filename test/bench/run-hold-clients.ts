import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ClientReport } from './hold-clients.js';

export type HoldClients = {
  /** The operator listener that they call, and its token. */
  readonly opsUrl: string;
  readonly token: string;
  /** They take turns, one hold each. */
  readonly workspaceIds: readonly number[];
  readonly clients: number;
  readonly holds: number;
};

/** The clients run in a separate process, so that their cost does not count for the service. */
export function runHoldClients({
  opsUrl,
  token,
  workspaceIds,
  clients,
  holds,
}: HoldClients): Promise<ClientReport> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./hold-clients.js', import.meta.url)), {
      env: {
        ...process.env,
        OPS_URL: opsUrl,
        TOKEN: token,
        WORKSPACES: workspaceIds.join(','),
        CLIENTS: String(clients),
        HOLDS: String(holds),
      },
    });
    child.once('message', (report) => resolve(report as ClientReport));
    child.once('exit', (code) => reject(new Error(`the clients ended with ${code}`)));
  });
}
