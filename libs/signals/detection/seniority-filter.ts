import { seniorityMatcher } from '#identities/seniority.js';

/** Whether a seniority passes: if none is wanted, each does, and an unknown one too. */
export const seniorityFilter = (wanted: readonly string[]): ((seniority: string | null) => boolean) =>
  wanted.length === 0 ? () => true : seniorityMatcher(wanted);
