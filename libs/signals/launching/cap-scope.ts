import { workspaceScoped } from '#kernel/commands/decider.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import type { HasCapScope } from '#ledger/charging/cap-scopes.port.js';
import { agent } from '#signals/domain/agents/agent.js';
import { signalSetup } from '#signals/domain/setups/signal-setup.js';
import { apiKeys, type ApiKeyDocument } from '#projections/access/api-keys/api-keys.projection.js';

/** A deleted agent and a revoked API key do not exist. */
export const hasCapScope: HasCapScope = async ({ commands, readModels }, workspaceId, scope, scopeId) => {
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
};
