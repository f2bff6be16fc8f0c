import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { agent, requireAgent, unknownAgent } from '#signals/domain/agents/agent.js';
import { isSignalSetup } from '#signals/domain/agents/change-agent.js';
import { signalSetup } from '#signals/domain/setups/signal-setup.js';

/**
 * Refuses ids that are not of an agent: unknown, deleted and foreign ids alike, and ids of setups with their own
 * message.
 */
export async function requireAgentId(
  commands: Commands,
  workspaceId: number,
  agentId: number,
): Promise<void> {
  const stream = workspaceScoped(workspaceId, agentId);
  const isKnown = await commands.load(agent, stream, (state) => state.exists && requireAgent(state).exists);
  if (isKnown) return;
  const isSetup = await commands.load(signalSetup, stream, ({ configuration }) => configuration !== null);
  throw isSetup ? isSignalSetup() : unknownAgent();
}
