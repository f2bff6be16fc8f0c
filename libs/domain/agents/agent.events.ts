import { event, type PayloadsOf } from '#kernel/event.js';
import { scheduleEvents } from '#domain/schedules/schedule.events.js';
import { launchEvents } from '#domain/signal-launches/launch.events.js';
import { Id, JsonMembers, OneOf, Type, type Static } from '#kernel/schema.js';

/** Agent types whose signals this version detects. */
export const AgentType = OneOf('keyword_post_search');
export type AgentType = Static<typeof AgentType>;

export const agentEvents = {
  AgentCreated: event(
    Type.Object({
      agentId: Id,
      type: Type.String(),
      name: Type.String(),
      /** As the API carries them (snake_case keys): they are the customer's own answers, kept as sent. */
      parameters: JsonMembers,
    }),
  ),
  ...scheduleEvents,
  ...launchEvents,
};
export type AgentEvents = PayloadsOf<typeof agentEvents>;
