import type { AgentEvents, AgentLifeEvents } from '#signals/domain/agents/agent.events.js';
import { parametersAfter } from '#signals/domain/configuration-facts.js';
import type { ScheduleEvents } from '#signals/domain/schedules/schedule.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Recorded } from '#kernel/events/event.js';
import type { JsonObject } from '#kernel/values/json.js';
import { limitedSchedule, type StoredSchedule } from '#projections/signals/schedules/stored-schedule.js';
import { ownerKeyOf } from '#projections/signals/owner-key.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** An agent as it is answered (snake_case), with internal members. */
export type AgentDocument = {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly schedule: StoredSchedule | null;
  readonly parameters: JsonObject;
  readonly watchlist_kind: 'company' | 'profile' | null;
  readonly watchlist_id: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly workspaceId: number;
  /** The titles of a competitor agent; null for an agent that never was one. */
  readonly resolvedTargetPersona: readonly string[] | null;
};

export const agentKey = workspaceScoped;

type AgentPayloads = AgentLifeEvents &
  Pick<ScheduleEvents, 'ScheduleSwitchedOn' | 'ScheduleSwitchedOff' | 'ScheduleLimitSet'>;

export const agents = projection<AgentDocument, AgentPayloads>()({
  name: 'agents',
  version: 3,
  indexes: { byWorkspace: ['workspaceId', 'id'] },
  key: (event) => ('ownerKind' in event.data && event.data.ownerKind !== 'agent' ? null : ownerKeyOf(event)),
  on: {
    AgentCreated: (_none, event) => unbound(event, { enabled: true, created_at: recordedAtOf(event) }),
    LegacyAgentImported: (_none, event) =>
      unbound(event, { enabled: event.data.enabled, created_at: event.data.createdAt }),
    AgentChanged: (agent, event) => {
      if (agent === null) return null;
      const { changes } = event.data;
      const { name = agent.name, enabled = agent.enabled } = changes;
      return {
        ...agent,
        name,
        enabled,
        parameters: parametersAfter(agent.parameters, changes),
        resolvedTargetPersona: changes.resolvedTargetPersona ?? agent.resolvedTargetPersona,
        updated_at: recordedAtOf(event),
      };
    },
    AgentBound: (agent, event) =>
      agent && {
        ...agent,
        type: event.data.type,
        watchlist_kind: event.data.listKind,
        watchlist_id: event.data.listId,
        resolvedTargetPersona: event.data.resolvedTargetPersona ?? agent.resolvedTargetPersona,
        updated_at: recordedAtOf(event),
      },
    AgentUnbound: (agent, event) =>
      agent && {
        ...agent,
        type: event.data.type,
        watchlist_kind: null,
        watchlist_id: null,
        ...(event.data.type === agent.type ? {} : { parameters: {}, resolvedTargetPersona: null }),
        updated_at: recordedAtOf(event),
      },
    AgentDeleted: () => null,
    ScheduleSwitchedOn: (agent, event) =>
      agent && { ...agent, schedule: { cadence: event.data.cadence }, updated_at: recordedAtOf(event) },
    ScheduleSwitchedOff: (agent, event) =>
      agent && { ...agent, schedule: null, updated_at: recordedAtOf(event) },
    ScheduleLimitSet: (agent, event) =>
      agent && {
        ...agent,
        schedule: agent.schedule && limitedSchedule(agent.schedule, event.data),
        updated_at: recordedAtOf(event),
      },
  },
});

/** A new agent, before it has a list or a schedule. */
const unbound = (
  event: Recorded<Pick<AgentEvents['AgentCreated'], 'agentId' | 'name' | 'type' | 'parameters'>>,
  known: Pick<AgentDocument, 'enabled' | 'created_at'>,
): AgentDocument => ({
  id: event.data.agentId,
  name: event.data.name,
  type: event.data.type,
  schedule: null,
  parameters: event.data.parameters,
  watchlist_kind: null,
  watchlist_id: null,
  updated_at: recordedAtOf(event),
  workspaceId: workspaceIdOf(event),
  resolvedTargetPersona: null,
  ...known,
});
