import type { EventOf } from '#kernel/events/event.js';
import type { JsonObject } from '#kernel/values/json.js';
import { noSchedule, scheduleChange, type WantedSchedule } from '#signals/domain/schedules/schedule-facts.js';
import { agentTypeOf, WITHOUT_TYPE } from './agent-types.js';
import type { AgentEvents } from './agent.events.js';
import type { AgentDecision, Watchlist } from './agent.js';
import { inheritedTitles, titlesAskedFor } from './target-persona.js';

export type CreateAgentInput = {
  readonly agentId: number;
  readonly type: string;
  readonly name: string;
  readonly parameters: JsonObject;
  /** The list that it watches from the start; absent or null for none. */
  readonly watchlist?: Watchlist | null;
  /** Job titles of the active personas, for an agent that gets a target group. */
  readonly personaTitles?: readonly string[];
  /** Its weekly schedule; absent or null for none. */
  readonly schedule?: (WantedSchedule & { readonly anchorAt: string }) | null;
  /** Members of an agent of an earlier system; absent for an agent created here. */
  readonly legacy?: Pick<AgentEvents['LegacyAgentImported'], 'legacyId' | 'enabled' | 'createdAt'>;
};

/**
 * Creates an agent, enabled unless it was disabled in an earlier system. An agent whose type depends on its list is
 * created without a type and bound at once, or stays without.
 */
export const createAgent =
  (input: CreateAgentInput): AgentDecision =>
  (state) => {
    if (state.exists) return [];
    const { agentId, type, name, parameters, schedule = null, legacy } = input;
    const isBornWithoutType = agentTypeOf(type)?.list?.givesType === true;
    const born = isBornWithoutType ? { type: WITHOUT_TYPE, parameters: {} } : { type, parameters };
    const owner = { ownerKind: 'agent', ownerId: agentId } as const;
    return [
      legacy === undefined
        ? { type: 'AgentCreated', data: { agentId, name, ...born } }
        : { type: 'LegacyAgentImported', data: { agentId, name, ...born, ...legacy } },
      ...binding(input, isBornWithoutType),
      ...(schedule === null ? [] : scheduleChange(owner, noSchedule, schedule, schedule.anchorAt)),
    ];
  };

function binding(
  { agentId, type, parameters, watchlist = null, personaTitles = [] }: CreateAgentInput,
  isBornWithoutType: boolean,
): readonly EventOf<AgentEvents>[] {
  if (watchlist === null) return [];
  const hasTargetGroup = agentTypeOf(type)?.hasTargetGroup === true;
  const bound: EventOf<AgentEvents> = {
    type: 'AgentBound',
    data: {
      agentId,
      type,
      listId: watchlist.id,
      listKind: watchlist.kind,
      replacedListId: null,
      ...(hasTargetGroup && { resolvedTargetPersona: [...inheritedTitles(personaTitles)] }),
    },
  };
  if (!isBornWithoutType || Object.keys(parameters).length === 0) return [bound];
  const changes = { parameters, ...titlesAskedFor(parameters) };
  return [bound, { type: 'AgentChanged', data: { agentId, changes } }];
}
