import { Id, JsonMembers, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { scheduleView, ScheduleView, storedScheduleView } from '../schedule.view.js';
import type { SetupConfiguration } from '#signals/domain/setups/signal-setup.js';
import type { SignalSetupDocument } from '#projections/signals/signal-setups/signal-setups.projection.js';

/** A signal setup as it is answered. */
export const SignalSetupView = Type.Object(
  {
    id: Id,
    signal_template_id: Id,
    name: Type.String(),
    status: OneOf('enabled', 'disabled'),
    parameters: JsonMembers,
    schedule: Nullable(ScheduleView),
    created_at: Timestamp,
  },
  { title: 'SignalSetup' },
);

export function signalSetupView(setup: SetupConfiguration) {
  return {
    id: setup.setupId,
    signal_template_id: setup.templateId,
    name: setup.name,
    status: setup.enabled ? ('enabled' as const) : ('disabled' as const),
    parameters: setup.parameters,
    schedule: scheduleView(setup),
    created_at: setup.createdAt,
  };
}

export type SignalSetupAnswer = ReturnType<typeof signalSetupView>;

/** The answer from a stored document, without its internal members. */
export function storedSetupView(setup: SignalSetupDocument): SignalSetupAnswer {
  const { id, signal_template_id, name, status, parameters, created_at } = setup;
  const schedule = storedScheduleView(setup.schedule);
  return { id, signal_template_id, name, status, parameters, schedule, created_at };
}
