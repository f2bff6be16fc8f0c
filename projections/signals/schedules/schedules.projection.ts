import type { AgentLifeEvents } from '#signals/domain/agents/agent.events.js';
import { dueAfter, type ScheduleEvents } from '#signals/domain/schedules/schedule.events.js';
import type { SignalSetupEvents } from '#signals/domain/setups/signal-setup.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { ownerKeyOf } from '#projections/signals/owner-key.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** An agent or setup with the facts that determine its next scheduled run. */
export type ScheduleDocument = {
  readonly workspaceId: number;
  readonly ownerKind: 'agent' | 'setup';
  readonly ownerId: number;
  readonly enabled: boolean;
  /** When the schedule was switched on; null while it is off. */
  readonly anchorAt: string | null;
  /** The due time of its next run; null if it has none. */
  readonly dueAt: string | null;
  /** Id of the event that switched it on: the cause of its runs. */
  readonly causeId: string | null;
};

type SchedulePayloads = Omit<AgentLifeEvents, 'AgentBound' | 'AgentUnbound'> &
  SignalSetupEvents &
  Omit<ScheduleEvents, 'ScheduleLimitSet'>;

/** Due times of schedules: one document for each agent and setup, with or without a schedule. */
export const schedules = projection<ScheduleDocument, SchedulePayloads>()({
  name: 'schedules',
  version: 2,
  critical: true,
  indexes: { due: ['dueAt', 'ownerId'], byWorkspace: ['workspaceId', 'dueAt', 'ownerId'] },
  key: ownerKeyOf,
  on: {
    AgentCreated: (_none, event) => unscheduled(event, 'agent', event.data.agentId),
    LegacyAgentImported: (_none, event) => ({
      ...unscheduled(event, 'agent', event.data.agentId),
      enabled: event.data.enabled,
    }),
    SignalSetupCreated: (_none, event) => unscheduled(event, 'setup', event.data.setupId),
    AgentChanged: (schedule, event) => schedule && switched(schedule, event, event.data.changes.enabled),
    SignalSetupChanged: (schedule, event) =>
      schedule && switched(schedule, event, event.data.changes.enabled),
    AgentDeleted: () => null,
    ScheduleSwitchedOn: (schedule, event) =>
      schedule && {
        ...schedule,
        anchorAt: event.data.anchorAt,
        dueAt: schedule.enabled ? dueAfter(event.data.anchorAt, event.data.anchorAt) : null,
        causeId: event.id,
      },
    ScheduleSwitchedOff: (schedule) =>
      schedule && { ...schedule, anchorAt: null, dueAt: null, causeId: null },
    ScheduleTicked: (schedule, { data }) =>
      schedule && schedule.dueAt !== null && schedule.anchorAt !== null
        ? { ...schedule, dueAt: dueAfter(schedule.anchorAt, data.dueAt) }
        : schedule,
  },
});

const unscheduled = (
  event: Recorded<unknown>,
  ownerKind: ScheduleDocument['ownerKind'],
  ownerId: number,
): ScheduleDocument => ({
  workspaceId: workspaceIdOf(event),
  ownerKind,
  ownerId,
  enabled: true,
  anchorAt: null,
  dueAt: null,
  causeId: null,
});

/** Runs that fall due while it is disabled are skipped, and are not made up for after it is enabled (OP-17). */
function switched(
  schedule: ScheduleDocument,
  event: Recorded<unknown>,
  enabled: boolean | undefined,
): ScheduleDocument {
  if (enabled === undefined || enabled === schedule.enabled) return schedule;
  const { anchorAt } = schedule;
  const dueAt = enabled && anchorAt !== null ? dueAfter(anchorAt, recordedAtOf(event)) : null;
  return { ...schedule, enabled, dueAt };
}
