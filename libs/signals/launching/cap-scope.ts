import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import type { CapScope } from '#ledger/domain/credits.events.js';
import { agent } from '#signals/domain/agents/agent.js';
import { signalSetup } from '#signals/domain/setups/signal-setup.js';
import { apiKeys, type ApiKeyDocument } from '#projections/access/api-keys/api-keys.projection.js';

/** Whether the workspace has what a cap limits: a setup, an agent that is not deleted, or an API key that is not revoked. */
export async function hasCapScope(
  { commands, readModels }: { readonly commands: Commands; readonly readModels: ReadModels },
  workspaceId: number,
  scope: CapScope,
  scopeId: number | null,
): Promise<boolean> {
  const stream = workspaceScoped(workspaceId, scopeId ?? 0);
  switch (scope) {
    case 'workspace':
      return true;
    case 'setup':
      return commands.load(signalSetup, stream, ({ configuration }) => configuration !== null);
    case 'agent':
      return commands.load(agent, stream, ({ exists, deleted }) => exists && !deleted);
    case 'key': {
      const key = await readModels.get<ApiKeyDocument>(apiKeys, String(scopeId));
      return ownedBy(workspaceId, key)?.revoked === false;
    }
  }
}
