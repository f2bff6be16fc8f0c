import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, JsonMembers, Nullable, Timestamp, Type } from '#kernel/values/schema.js';

export const signalSetupEvents = {
  /** A setup is born enabled. Its list and its persona are fixed here. */
  SignalSetupCreated: event(
    Type.Object({
      setupId: Id,
      templateId: Id,
      templateKey: Type.String(),
      name: Type.String(),
      /** As the caller sent them; the template's own JSON Schema was their check. */
      parameters: JsonMembers,
      listId: Nullable(Id),
      personaId: Nullable(Id),
      createdAt: Timestamp,
    }),
  ),
  SignalSetupChanged: event(
    Type.Object({
      setupId: Id,
      changes: Type.Object({
        name: Type.Optional(Type.String()),
        enabled: Type.Optional(Type.Boolean()),
        /** Keys that were added or overwritten. */
        parameters: Type.Optional(JsonMembers),
        removedParameters: Type.Optional(Type.Array(Type.String())),
      }),
      changedAt: Timestamp,
    }),
  ),
};
export type SignalSetupEvents = PayloadsOf<typeof signalSetupEvents>;
