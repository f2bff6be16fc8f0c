import { event, type PayloadsOf } from '#kernel/event.js';
import { scheduleEvents } from '#domain/schedules/schedule.events.js';
import { launchEvents } from '#domain/signal-launches/launch.events.js';
import { Id, JsonMembers, Type } from '#kernel/schema.js';

/** Every agent type of the API. */
export const AGENT_TYPES = [
  'keyword_detection',
  'keyword_post_search',
  'job_posting_keyword_detection',
  'job_update',
  'champion_tracking',
  'competitor',
  'partner',
  'customer',
  'influencer',
  'champion',
  'unconfigured',
] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

/** Agent types whose signals this version detects. */
export const DETECTED_AGENT_TYPES = ['keyword_post_search'] as const;
export type DetectedAgentType = (typeof DETECTED_AGENT_TYPES)[number];

/** Whether an agent of this type takes a weekly schedule: those that work only when they are launched. */
export function isSchedulable(type: string): boolean {
  return type === 'keyword_post_search';
}

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
