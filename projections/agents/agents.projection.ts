import { isSchedulable, type AgentEvents } from '#domain/agents/agent.events.js';
import type { ScheduleEvents } from '#domain/schedules/schedule.events.js';
import { workspaceScoped } from '#kernel/decider.js';
import type { JsonObject } from '#kernel/json.js';
import { projection } from '#kernel/projection.js';
import { recordedAtOf } from '#kernel/recorded-at.js';
import { workspaceIdOf } from '#kernel/workspace-scope.js';

/** An agent as it is answered (snake_case), and what the product needs beside it. */
export type AgentDocument = {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly schedulable: boolean;
  readonly schedule: { readonly cadence: 'weekly' } | null;
  readonly parameters: JsonObject;
  readonly created_at: string;
  readonly updated_at: string;
  readonly workspaceId: number;
};

export const agentKey = workspaceScoped;

type AgentPayloads = Pick<AgentEvents, 'AgentCreated'> & ScheduleEvents;

export const agents = projection<AgentDocument, AgentPayloads>()({
  name: 'agents',
  version: 1,
  indexes: { byWorkspace: ['workspaceId', 'id'] },
  key: (event) => {
    if (event.type === 'AgentCreated') return agentKey(workspaceIdOf(event), event.data.agentId);
    return event.data.ownerKind === 'agent' ? agentKey(workspaceIdOf(event), event.data.ownerId) : null;
  },
  on: {
    AgentCreated: (_none, event) => ({
      id: event.data.agentId,
      name: event.data.name,
      type: event.data.type,
      enabled: true,
      schedulable: isSchedulable(event.data.type),
      schedule: null,
      parameters: event.data.parameters,
      created_at: recordedAtOf(event),
      updated_at: recordedAtOf(event),
      workspaceId: workspaceIdOf(event),
    }),
    ScheduleSwitchedOn: (agent, event) =>
      agent && { ...agent, schedule: { cadence: event.data.cadence }, updated_at: recordedAtOf(event) },
    ScheduleSwitchedOff: (agent, event) =>
      agent && { ...agent, schedule: null, updated_at: recordedAtOf(event) },
  },
});
