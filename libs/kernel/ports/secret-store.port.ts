/** The secrets of a store by name, as far as they are there. */
export type FoundSecrets = ReadonlyMap<string, string>;

/**
 * Secrets that callers were shown once, by name. They stand in no event, so this store cannot be rebuilt: what is lost
 * here is lost. Errors as for EventStore: `StoreUnavailable`, `StoreUnusable`.
 */
export interface SecretStore {
  /** Durable when it resolves. A name that is there keeps its secret. */
  put(name: string, secret: string): Promise<void>;
  /** Those that are there; a name without a secret is left out. */
  get(names: readonly string[]): Promise<FoundSecrets>;
  /** Nothing happens for a name that is not there. */
  delete(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
