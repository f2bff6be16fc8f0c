import { event } from '#kernel/events/event.js';
import { Timestamp, Type } from '#kernel/values/schema.js';

/** The manual clock, shared by all processes through the store; for tests. */
export const clockEvents = { ClockSet: event(Type.Object({ now: Timestamp })) };
