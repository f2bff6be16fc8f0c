import { parametersAfter } from '#signals/domain/configuration-facts.js';
import type { ScheduleEvents } from '#signals/domain/schedules/schedule.events.js';
import type { SignalSetupEvents } from '#signals/domain/setups/signal-setup.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { JsonObject } from '#kernel/values/json.js';
import { limitedSchedule, type StoredSchedule } from '#projections/signals/schedules/stored-schedule.js';
import { ownerKeyOf } from '#projections/signals/owner-key.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A signal setup as it is answered (snake_case), with internal members. */
export type SignalSetupDocument = {
  readonly id: number;
  readonly signal_template_id: number;
  readonly name: string;
  readonly status: 'enabled' | 'disabled';
  readonly parameters: JsonObject;
  readonly schedule: StoredSchedule | null;
  readonly created_at: string;
  readonly workspaceId: number;
  readonly templateKey: string;
  readonly listId: number | null;
  readonly personaId: number | null;
};

export const signalSetupKey = workspaceScoped;

type Switches = Pick<ScheduleEvents, 'ScheduleSwitchedOn' | 'ScheduleSwitchedOff' | 'ScheduleLimitSet'>;

export const signalSetups = projection<SignalSetupDocument, SignalSetupEvents & Switches>()({
  name: 'signal-setups',
  version: 2,
  indexes: { byWorkspace: ['workspaceId', 'id'], byTemplate: ['workspaceId', 'templateKey', 'id'] },
  key: (event) => ('ownerKind' in event.data && event.data.ownerKind !== 'setup' ? null : ownerKeyOf(event)),
  on: {
    SignalSetupCreated: (_, event) => ({
      id: event.data.setupId,
      signal_template_id: event.data.templateId,
      name: event.data.name,
      status: 'enabled',
      parameters: event.data.parameters,
      schedule: null,
      created_at: event.data.createdAt,
      workspaceId: workspaceIdOf(event),
      templateKey: event.data.templateKey,
      listId: event.data.listId,
      personaId: event.data.personaId,
    }),
    SignalSetupChanged: (setup, { data: { changes } }) => {
      if (setup === null) return null;
      const enabled = changes.enabled ?? setup.status === 'enabled';
      return {
        ...setup,
        name: changes.name ?? setup.name,
        status: enabled ? 'enabled' : 'disabled',
        parameters: parametersAfter(setup.parameters, changes),
      };
    },
    ScheduleSwitchedOn: (setup, { data }) => setup && { ...setup, schedule: { cadence: data.cadence } },
    ScheduleSwitchedOff: (setup) => setup && { ...setup, schedule: null },
    ScheduleLimitSet: (setup, { data }) =>
      setup && { ...setup, schedule: setup.schedule && limitedSchedule(setup.schedule, data) },
  },
});
