/** The found accounts of a workspace's top account list, as they are now (D-13). */
export interface TopAccounts {
  /** The number of accounts. Rejects with `StoreUnavailable` while it is unknown. */
  count(workspaceId: number): Promise<number>;
  /** Their network refs, without duplicates; accounts unknown to the network are left out. Rejects as `count`. */
  refs(workspaceId: number): Promise<readonly string[]>;
}
