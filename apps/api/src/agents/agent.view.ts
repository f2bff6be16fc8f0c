import { isSchedulable } from '#domain/agents/agent.events.js';
import type { Agent } from '#domain/agents/agent.js';
import type { Immutable } from '#kernel/event.js';
import { Id, JsonMembers, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/schema.js';
import type { AgentDocument } from '#projections/agents/agents.projection.js';

/** An agent as it is answered. */
export const AgentView = Type.Object({
  id: Id,
  name: Type.String(),
  type: Type.String(),
  enabled: Type.Boolean(),
  schedulable: Type.Boolean(),
  schedule: Nullable(Type.Object({ cadence: OneOf('weekly') })),
  parameters: JsonMembers,
  watchlist_kind: Nullable(OneOf('company', 'profile')),
  watchlist_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type AgentAnswer = Immutable<Static<typeof AgentView>>;

// The agent types of this version watch no list.
const noWatchlist = { watchlist_kind: null, watchlist_id: null } as const;

/** The answer of a command: the state right after its decision. */
export function agentView(id: number, agent: Agent): AgentAnswer {
  return {
    id,
    name: agent.name,
    type: agent.type,
    enabled: true,
    schedulable: isSchedulable(agent.type),
    schedule: agent.scheduleAnchorAt === null ? null : { cadence: 'weekly' },
    parameters: agent.parameters,
    ...noWatchlist,
    created_at: agent.createdAt,
    updated_at: agent.updatedAt,
  };
}

/** The same of a stored document: what the product notes beside the answer is left out. */
export function storedAgentView({ workspaceId: _, ...shown }: AgentDocument): AgentAnswer {
  return { ...shown, ...noWatchlist };
}
