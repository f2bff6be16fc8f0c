import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, JsonMembers, Nullable, Timestamp, Type } from '#kernel/values/schema.js';

export const signalSetupEvents = {
  /** A setup is created enabled. Its list and persona never change. */
  SignalSetupCreated: event(
    Type.Object({
      setupId: Id,
      templateId: Id,
      templateKey: Type.String(),
      name: Type.String(),
      /** As the caller sent them; the JSON Schema of the template validated them. */
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
