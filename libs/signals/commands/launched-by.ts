import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { agentKey, agents } from '#projections/signals/agents/agents.projection.js';
import { signalSetupKey, signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';

/** The launched agent or setup with its current name; `name` is null for a deleted agent. */
export type LaunchedBy = { readonly kind: 'agent' | 'setup'; readonly name: string | null };

/** The agents and signal setups of a workspace by id. Both share one id sequence. */
export async function launchedBy(
  readModels: ReadModels,
  workspaceId: number,
  ids: readonly (number | null)[],
): Promise<(id: number | null) => LaunchedBy | null> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const [setups, ownAgents] = await Promise.all([
    readModels.getMany(
      signalSetups,
      known.map((id) => signalSetupKey(workspaceId, id)),
    ),
    readModels.getMany(
      agents,
      known.map((id) => agentKey(workspaceId, id)),
    ),
  ]);
  return (id) => {
    if (id === null) return null;
    const setup = setups.get(signalSetupKey(workspaceId, id));
    if (setup !== undefined) return { kind: 'setup', name: setup.name };
    return { kind: 'agent', name: ownAgents.get(agentKey(workspaceId, id))?.name ?? null };
  };
}
