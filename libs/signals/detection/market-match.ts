import { fold } from '#kernel/values/text-folding.js';
import type { LaunchPersona } from '#signals/domain/launches/launch.events.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import { placeMatcher } from '#identities/locations/places.js';

/**
 * Whether a company is in a persona's market (D-19): one of its locations is at one of the persona's, its number of
 * employees is in one of the persona's ranges, and its industry contains one of the persona's, if the persona names
 * any. An unknown fact does not match.
 */
export function marketMatcher({
  locations,
  headcounts,
  industries,
}: Pick<LaunchPersona, 'locations' | 'headcounts' | 'industries'>): (company: CompanyFacts) => boolean {
  const isAtOne = placeMatcher(locations);
  const ranges = headcounts.map(rangeOf);
  const findIndustry = keywordMatcher(industries, 'any');
  return (company) =>
    company.locations.some(isAtOne) &&
    (ranges.length === 0 || ranges.some((range) => isOfSize(company, range))) &&
    (industries.length === 0 || findIndustry(company.industry ?? '').length > 0);
}

type Range = { readonly text: string; readonly least: number; readonly most: number };

/** `51-200`, `10,001+`. */
function rangeOf(headcount: string): Range {
  const text = withoutGaps(headcount);
  const [least = '', most] = text.replace('+', '').split('-');
  return { text, least: Number(least), most: most === undefined ? Infinity : Number(most) };
}

function isOfSize({ employees, employeeRange }: CompanyFacts, { text, least, most }: Range): boolean {
  if (employees !== null) return employees >= least && employees <= most;
  return employeeRange !== null && withoutGaps(employeeRange) === text;
}

const withoutGaps = (text: string): string => fold(text).replaceAll(/[ ,]/g, '');
