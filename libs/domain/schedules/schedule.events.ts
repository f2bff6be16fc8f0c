import { event, type PayloadsOf } from '#kernel/event.js';
import { Id, OneOf, Timestamp, Type } from '#kernel/schema.js';

/** Agents and signal setups share one id sequence; the kind tells which of the two a schedule belongs to. */
const owner = { ownerKind: OneOf('setup', 'agent'), ownerId: Id };

export const scheduleEvents = {
  /** A run is due every 7 days counted from `anchorAt` (OP-17). */
  ScheduleSwitchedOn: event(Type.Object({ ...owner, cadence: OneOf('weekly'), anchorAt: Timestamp })),
  ScheduleSwitchedOff: event(Type.Object({ ...owner, switchedOffAt: Timestamp })),
};
export type ScheduleEvents = PayloadsOf<typeof scheduleEvents>;
