import { declaredParameters } from '#signals/domain/agents/agent-parameters.js';
import { agentTypeOf, agentTypes, isSchedulable, TARGET_GROUPS } from '#signals/domain/agents/agent-types.js';
import type { Agent } from '#signals/domain/agents/agent.js';
import type { Immutable } from '#kernel/events/event.js';
import type { JsonObject } from '#kernel/values/json.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static, type TSchema } from '#kernel/values/schema.js';
import { scheduleView, ScheduleView, storedScheduleView } from '../schedule.view.js';
import type { AgentDocument } from '#projections/signals/agents/agents.projection.js';

const parametersOfTypes: { readonly [name: string]: TSchema } = Object.assign(
  {},
  ...Object.values(agentTypes).map(({ parameters }) => parameters.properties),
);

/** The parameters of every type. An agent has some of those of its type. */
const AgentParameters = Type.Unsafe<JsonObject>(
  Type.Object(
    {
      ...parametersOfTypes,
      target_group: Type.Optional(Nullable(OneOf(...TARGET_GROUPS))),
      resolved_target_persona: Type.Optional(Type.Array(Type.String())),
    },
    { title: 'AgentParameters' },
  ),
);

/** An agent as it is answered. */
export const AgentView = Type.Object(
  {
    id: Id,
    name: Type.String(),
    type: Type.String(),
    enabled: Type.Boolean(),
    schedulable: Type.Boolean(),
    schedule: Nullable(ScheduleView),
    parameters: AgentParameters,
    watchlist_kind: Nullable(OneOf('company', 'profile')),
    watchlist_id: Nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Agent' },
);
export type AgentAnswer = Immutable<Static<typeof AgentView>>;

/** The answer of a command: the state right after its decision. */
export function agentView(id: number, agent: Agent): AgentAnswer {
  return {
    id,
    name: agent.name,
    type: agent.type,
    enabled: agent.enabled,
    schedulable: isSchedulable(agent.type, agent.parameters),
    schedule: scheduleView(agent),
    parameters: shownParameters(agent),
    watchlist_kind: agent.watchlist?.kind ?? null,
    watchlist_id: agent.watchlist?.id ?? null,
    created_at: agent.createdAt,
    updated_at: agent.updatedAt,
  };
}

/** The answer from a stored document, without its internal members. */
export function storedAgentView(agent: AgentDocument): AgentAnswer {
  return {
    id: agent.id,
    name: agent.name,
    type: agent.type,
    enabled: agent.enabled,
    schedulable: isSchedulable(agent.type, agent.parameters),
    schedule: storedScheduleView(agent.schedule),
    parameters: shownParameters(agent),
    watchlist_kind: agent.watchlist_kind,
    watchlist_id: agent.watchlist_id,
    created_at: agent.created_at,
    updated_at: agent.updated_at,
  };
}

type Parametrised = Pick<AgentDocument, 'type' | 'parameters' | 'resolvedTargetPersona'>;

/**
 * The parameters of the type: an old agent may have stored other members, which do nothing. An agent with a target
 * group also shows the group, null while none is chosen, and its titles.
 */
function shownParameters({ type, parameters, resolvedTargetPersona }: Parametrised): JsonObject {
  const declared = declaredParameters(type, parameters);
  if (agentTypeOf(type)?.hasTargetGroup !== true) return declared;
  return { target_group: null, ...declared, resolved_target_persona: [...(resolvedTargetPersona ?? [])] };
}
