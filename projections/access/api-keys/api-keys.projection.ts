import type { ApiKeyEvents } from '#access/domain/api-keys/api-key.events.js';
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
  readonly readOnly: boolean;
};

export const apiKeys = projection<ApiKeyDocument, ApiKeyEvents>()({
  name: 'api-keys',
  version: 2,
  indexes: { byWorkspace: ['workspaceId', 'id'] },
  key: ({ data }) => String(data.keyId),
  on: {
    ApiKeyIssued: (_none, { data }) => issued(data, false),
    ReadOnlyApiKeyIssued: (_none, { data }) => issued(data, true),
    ApiKeyRevoked: (key) => key && { ...key, revoked: true },
  },
});

function issued(
  { keyId, workspaceId, hash, prefix, label }: ApiKeyEvents['ApiKeyIssued'],
  readOnly: boolean,
): ApiKeyDocument {
  return { id: keyId, workspaceId, hash, prefix, label, revoked: false, readOnly };
}
