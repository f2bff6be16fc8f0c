import { fold } from '#kernel/values/text-folding.js';

/** D-23: seniorities compare folded, with spaces and hyphens as `_`. */
const seniorityOf = (text: string): string => fold(text).replace(/[ -]/g, '_');

/** Whether a seniority is one of the wanted ones; an unknown one is not (D-11). */
export function seniorityMatcher(wanted: readonly string[]): (seniority: string | null) => boolean {
  const names = new Set(wanted.map(seniorityOf));
  return (seniority) => seniority !== null && names.has(seniorityOf(seniority));
}

/** As `seniorityMatcher`; but if none is wanted, every seniority passes, an unknown one too. */
export const seniorityFilter = (wanted: readonly string[]): ((seniority: string | null) => boolean) =>
  wanted.length === 0 ? () => true : seniorityMatcher(wanted);
