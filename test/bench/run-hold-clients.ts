import type { ClientReport } from './hold-clients.js';
import { answerOf } from './script-process.js';

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
  return answerOf<ClientReport>('./hold-clients.js', {
    OPS_URL: opsUrl,
    TOKEN: token,
    WORKSPACES: workspaceIds.join(','),
    CLIENTS: String(clients),
    HOLDS: String(holds),
  });
}
