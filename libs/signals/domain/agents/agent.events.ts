import { event, type PayloadsOf, type CompletePayloads } from '#kernel/events/event.js';
import type { ListBonds } from '#lists/domain/lists/list-bonds-facts.js';
import { scheduleEvents } from '#signals/domain/schedules/schedule.events.js';
import { launchEvents } from '#signals/domain/launches/launch.events.js';
import { Id, JsonMembers, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';

const titles = Type.Array(Type.String());

const lifeEvents = {
  AgentCreated: event(
    Type.Object({
      agentId: Id,
      type: Type.String(),
      name: Type.String(),
      /** As the API carries them (snake_case keys): the customer's own answers, stored as sent. */
      parameters: JsonMembers,
    }),
  ),
  /** An agent of an earlier system, with its known parameters. */
  LegacyAgentImported: event(
    Type.Object({
      agentId: Id,
      /** Its id in the earlier system. */
      legacyId: Type.String(),
      type: Type.String(),
      name: Type.String(),
      enabled: Type.Boolean(),
      parameters: JsonMembers,
      /** When the earlier system created it; the time of the import if that is unknown. */
      createdAt: Timestamp,
    }),
  ),
  AgentChanged: event(
    Type.Object({
      agentId: Id,
      changes: Type.Object({
        name: Type.Optional(Type.String()),
        enabled: Type.Optional(Type.Boolean()),
        /** Keys that were added or overwritten. */
        parameters: Type.Optional(JsonMembers),
        removedParameters: Type.Optional(Type.Array(Type.String())),
        /** Titles of the chosen target group, as they were at that time. */
        resolvedTargetPersona: Type.Optional(titles),
      }),
    }),
  ),
  /** The agent watches a list; an agent without a type gets its type from it. */
  AgentBound: event(
    Type.Object({
      agentId: Id,
      type: Type.String(),
      listId: Id,
      listKind: OneOf('company', 'profile'),
      /** The list that it watched before; null for none. */
      replacedListId: Nullable(Id),
      /** For an agent that becomes a competitor agent: its titles until a target group is chosen (OP-34). */
      resolvedTargetPersona: Type.Optional(titles),
    }),
  ),
  /** The agent no longer watches a list; if its type depends on its list it has lost type and parameters. */
  AgentUnbound: event(Type.Object({ agentId: Id, listId: Id, type: Type.String() })),
  AgentDeleted: event(Type.Object({ agentId: Id, listId: Nullable(Id) })),
};

export const agentEvents = { ...lifeEvents, ...scheduleEvents, ...launchEvents };
export type AgentEvents = CompletePayloads<ListBonds, PayloadsOf<typeof agentEvents>>;
/** The events of an agent without those of its schedule and launches. */
export type AgentLifeEvents = PayloadsOf<typeof lifeEvents>;
