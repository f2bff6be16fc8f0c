import { hashApiKey, isApiKey, type ApiKeyDirectory, type ApiKeyOwner } from '#kernel/values/api-key.js';

const BEARER = /^bearer +(\S+) *$/i;
const MOST_CACHED = 10_000;

/** Turns an Authorization header into the owner of its key; answers at once where the key is cached. */
export type Authenticate = (
  authorization: string | undefined,
) => ApiKeyOwner | null | Promise<ApiKeyOwner | null>;

/** Authentication with a small cache of good keys; `forget` is called where a key is revoked on this node. */
export type Authentication = {
  readonly authenticate: Authenticate;
  readonly forget: (keyId: number) => void;
};

/**
 * Looks keys up by their hash. A good key is remembered for `cacheTtlMs` of real time (0: never): a revocation
 * elsewhere takes effect after that. Unknown keys are not remembered, or strangers could fill the cache.
 */
export function createAuthentication(
  directory: ApiKeyDirectory,
  cacheTtlMs: number,
  nowMs: () => number = () => performance.now(),
): Authentication {
  const known = new Map<string, { readonly owner: ApiKeyOwner; readonly expiresAtMs: number }>();
  let forgotten = 0;

  async function lookUp(keyHash: string): Promise<ApiKeyOwner | null> {
    // from before the read: what is revoked while it is under way must not live longer than the cache time
    const expiresAtMs = nowMs() + cacheTtlMs;
    const before = forgotten;
    const owner = await directory.find(keyHash);
    // what was read before a revocation may be what the revocation ended
    if (owner !== null && cacheTtlMs > 0 && before === forgotten) {
      const [oldest] = known.size >= MOST_CACHED ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
      known.set(keyHash, { owner, expiresAtMs });
    }
    return owner;
  }

  return {
    authenticate: (authorization = '') => {
      const apiKey = BEARER.exec(authorization)?.[1];
      if (apiKey === undefined || !isApiKey(apiKey)) return null;
      const keyHash = hashApiKey(apiKey);
      const cached = known.get(keyHash);
      if (cached !== undefined && cached.expiresAtMs > nowMs()) return cached.owner;
      known.delete(keyHash);
      return lookUp(keyHash);
    },
    forget: (keyId) => {
      forgotten += 1;
      for (const [keyHash, { owner }] of known) if (owner.keyId === keyId) known.delete(keyHash);
    },
  };
}
