/** The found accounts of a workspace's top account list, as they are now (D-13). */
export interface TopAccounts {
  /** How many there are. Rejects with `StoreUnavailable` while that is not known. */
  count(workspaceId: number): Promise<number>;
  /** What the network calls them, each once; those that it does not know are left out. Rejects as `count`. */
  refs(workspaceId: number): Promise<readonly string[]>;
}
