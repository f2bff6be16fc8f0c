import type { ApiKeyEvents } from '#domain/api-keys/api-key.events.js';
import { projection } from '#kernel/projections/projection.js';

/** An API key as operators find it; authentication reads the event store, not this. */
export type ApiKeyDocument = {
  readonly id: number;
  readonly workspaceId: number;
  /** SHA-256 of the key. */
  readonly hash: string;
  readonly prefix: string;
  readonly label: string;
  readonly revoked: boolean;
};

export const apiKeys = projection<ApiKeyDocument, ApiKeyEvents>()({
  name: 'api-keys',
  version: 1,
  indexes: { byWorkspace: ['workspaceId', 'id'] },
  key: ({ data }) => String(data.keyId),
  on: {
    ApiKeyIssued: (_none, { data: { keyId, workspaceId, hash, prefix, label } }) => ({
      id: keyId,
      workspaceId,
      hash,
      prefix,
      label,
      revoked: false,
    }),
    ApiKeyRevoked: (key) => key && { ...key, revoked: true },
  },
});
