import { decider, type Decision } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import { apiKeyEvents, type ApiKeyEvents } from './api-key.events.js';

export type ApiKey =
  | { readonly status: 'unknown' }
  | (Pick<ApiKeyEvents['ApiKeyIssued'], 'keyId' | 'workspaceId' | 'hash'> & {
      readonly status: 'active' | 'revoked';
      readonly isReadOnly: boolean;
    });

export const unknownApiKey = refusal({
  code: 'unknown-api-key',
  kind: 'missing',
  detail: 'The workspace has no API key with this id.',
});

export const apiKey = decider<ApiKey>()({
  category: 'apiKey',
  // Its streams are named after the keys: the workspace is known from the events alone.
  scope: ({ data }) => data.workspaceId,
  vocabulary: apiKeyEvents,
  strict: true,
  initial: () => ({ status: 'unknown' }),
  on: {
    ApiKeyIssued: (_, { data }) => issued(data, false),
    ReadOnlyApiKeyIssued: (_, { data }) => issued(data, true),
    ApiKeyRevoked: (state) => (state.status === 'unknown' ? state : { ...state, status: 'revoked' }),
  },
});

function issued({ keyId, workspaceId, hash }: ApiKeyEvents['ApiKeyIssued'], isReadOnly: boolean): ApiKey {
  return { status: 'active', keyId, workspaceId, hash, isReadOnly };
}

type ApiKeyDecision = Decision<ApiKey, typeof apiKeyEvents>;

/** The stream is named after the first 32 hex digits of the key's SHA-256. */
export const apiKeyStreamId = (hash: string): string => hash.slice(0, 32);

export const issue =
  (input: ApiKeyEvents['ApiKeyIssued'], isReadOnly = false): ApiKeyDecision =>
  (state) =>
    state.status === 'unknown'
      ? [{ type: isReadOnly ? 'ReadOnlyApiKeyIssued' : 'ApiKeyIssued', data: input }]
      : [];

export const revoke =
  (workspaceId: number): ApiKeyDecision =>
  (state) => {
    if (state.status === 'unknown' || state.workspaceId !== workspaceId) throw unknownApiKey();
    if (state.status === 'revoked') return [];
    return [{ type: 'ApiKeyRevoked', data: { keyId: state.keyId, workspaceId } }];
  };
