import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Type } from '#kernel/values/schema.js';

const issued = {
  keyId: Id,
  workspaceId: Id,
  hash: Type.String(),
  prefix: Type.String(),
  label: Type.String(),
};

/** Only the SHA-256 of a key is ever stored; a person recognises it by its `prefix`. */
export const apiKeyEvents = {
  ApiKeyIssued: event(Type.Object(issued)),
  /** A key that only reads. A program that does not know such keys accepts none of them. */
  ReadOnlyApiKeyIssued: event(Type.Object(issued)),
  ApiKeyRevoked: event(Type.Object({ keyId: Id, workspaceId: Id })),
};
export type ApiKeyEvents = PayloadsOf<typeof apiKeyEvents>;
