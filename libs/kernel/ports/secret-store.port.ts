/** The secrets that exist, by name. */
export type FoundSecrets = ReadonlyMap<string, string>;

/**
 * Secrets that callers were shown once, by name. No event contains them, so this store cannot be rebuilt. Errors as for
 * EventStore: `StoreUnavailable`, `StoreUnusable`.
 */
export interface SecretStore {
  /** Durable when it resolves. An existing name keeps its secret. */
  put(name: string, secret: string): Promise<void>;
  /** The secrets that exist; names without a secret are left out. */
  get(names: readonly string[]): Promise<FoundSecrets>;
  /** Names without a secret are ignored. */
  delete(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
