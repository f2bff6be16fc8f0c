import type { SecretStore } from '#kernel/ports/secret-store.port.js';

export type LazySecretStore = {
  readonly open: () => Promise<SecretStore>;
  /** False if no secret was ever stored: then the store is not opened for a read. */
  readonly isThere: () => boolean;
};

/** A secret store that is opened when it is first needed: most installations have no secret. */
export function lazySecretStore({ open, isThere }: LazySecretStore): SecretStore {
  let opening: Promise<SecretStore> | null = null;
  const opened = (): Promise<SecretStore> => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const isUsed = (): boolean => opening !== null || isThere();
  return {
    put: async (name, secret) => (await opened()).put(name, secret),
    get: async (names) => (isUsed() ? (await opened()).get(names) : new Map()),
    delete: async (names) => (isUsed() ? (await opened()).delete(names) : undefined),
    async close() {
      const store = await opening?.catch(() => null);
      opening = null;
      await store?.close();
    },
  };
}
