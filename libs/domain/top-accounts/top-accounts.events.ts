import { event, type PayloadsOf } from '#kernel/event.js';
import { Id, Type } from '#kernel/schema.js';

export const topAccountEvents = {
  TopAccountListCreated: event(Type.Object({ topAccountListId: Id })),
};
export type TopAccountEvents = PayloadsOf<typeof topAccountEvents>;
