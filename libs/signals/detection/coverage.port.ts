/** Whose covered accounts are asked for, and when. */
export type CoverageQuestion = {
  readonly workspaceId: number;
  readonly personaId: number;
  readonly at: Date;
};

/** Which accounts are monitored, month by month: what is found about them is free (D-16). */
export interface Coverage {
  /**
   * Network refs of the companies for which the persona has a month that is paid, or due and not yet tried, and has
   * not ended at `at`; none for an archived persona. What is answered for a moment that has passed never changes:
   * a run asks again after a stop, and must find what it found before.
   * Errors: rejects with `StoreUnavailable` while that is not known.
   */
  coveredAccounts(question: CoverageQuestion): Promise<readonly string[]>;
}

/** Of a service in which no account can be monitored. */
export const nothingCovered: Coverage = { coveredAccounts: async () => [] };
