import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Type } from '#kernel/values/schema.js';

/** Only the SHA-256 of a key is ever stored; `prefix` is what a person may recognise it by. */
export const apiKeyEvents = {
  ApiKeyIssued: event(
    Type.Object({
      keyId: Id,
      workspaceId: Id,
      hash: Type.String(),
      prefix: Type.String(),
      label: Type.String(),
    }),
  ),
  ApiKeyRevoked: event(Type.Object({ keyId: Id, workspaceId: Id })),
};
export type ApiKeyEvents = PayloadsOf<typeof apiKeyEvents>;
