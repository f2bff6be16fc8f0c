/** The owner of the covered accounts, and the time of the question. */
export type CoverageQuestion = {
  readonly workspaceId: number;
  readonly personaId: number;
  readonly at: Date;
};

/** Which accounts are monitored, month by month: findings about them are free (D-16). */
export interface Coverage {
  /**
   * Network refs of the companies for which the persona has a month that is paid, or due and not yet tried, and has
   * not ended at `at`. The answer for a past moment never changes, because a run asks again for each batch and after a
   * stop, and must find the same: that an archived persona covers nothing is decided at the launch. Errors: rejects with
   * `StoreUnavailable` while the answer is unknown.
   */
  coveredAccounts(question: CoverageQuestion): Promise<readonly string[]>;
}
