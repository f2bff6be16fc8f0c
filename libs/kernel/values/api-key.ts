import { hash } from 'node:crypto';

/** The owner of an API key. */
export type ApiKeyOwner = {
  readonly workspaceId: number;
  readonly keyId: number;
  /** A read-only key can neither change nor spend anything. */
  readonly isReadOnly?: boolean;
};

/** Looks up API keys; null for revoked and unknown ones. Rejects with `StoreUnavailable`. */
export interface ApiKeyDirectory {
  find(keyHash: string): Promise<ApiKeyOwner | null>;
}

/** When API keys were used last. Rejects with `StoreUnavailable`. */
export interface ApiKeyUses {
  /** Instants by key id, RFC 3339, at most a minute old; a key that is missing was never used. */
  lastUses(keyIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** The only form in which a key is kept: SHA-256 as 64 hex digits. */
export function hashApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}

const API_KEY = /^wsk_[A-Za-z0-9-]{1,32}_[0-9A-Za-z]{43}$/;

/** True for `wsk_<env>_<43 base62>`; nothing else can be a key (OP-02). */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}
