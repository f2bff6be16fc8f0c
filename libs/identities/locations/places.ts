import { fold } from '#kernel/values/text-folding.js';
import { countryOf, partsOf } from './countries-of-location.js';
import { locationTable } from './location-table.js';

/** The observed place of a person or company. */
export type Place = {
  readonly city?: string | null;
  readonly region?: string | null;
  readonly country?: string | null;
  readonly countryCode?: string | null;
};

const englishNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** The names of the country of a place, folded: the observed name, the ISO code, the English name of the code. */
function countryNamesOf({ country, countryCode }: Place): readonly string[] {
  const code = countryCode ?? '';
  const english = /^[A-Za-z]{2}$/.test(code) ? englishNames.of(code.toUpperCase()) : null;
  return [country, code, english].flatMap((name) => (name ? [fold(name)] : []));
}

/** The ISO codes that these folded names of countries mean by OP-52: `usa` and `america` mean US. */
const codesOf = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => countryOf(name) ?? []));

const codeOf = ({ countryCode }: Place): string => (countryCode ?? '').toUpperCase();

/**
 * D-21: whether a place is in one of the wanted countries, each written as one of the names of the place's country or as
 * any name of OP-52 for its ISO code. A place of which nothing is known is in none.
 */
export function countryMatcher(wanted: readonly string[]): (place: Place | null) => boolean {
  const folded = new Set(wanted.map(fold));
  const codes = codesOf([...folded]);
  return (place) =>
    place !== null && (codes.has(codeOf(place)) || countryNamesOf(place).some((name) => folded.has(name)));
}

/**
 * D-22: whether a place is at one of the wanted locations. Every part of a location between commas is the city,
 * region or country (D-21) of the place, or a multi-country region that holds its country code.
 */
export function placeMatcher(wanted: readonly string[]): (place: Place | null) => boolean {
  const locations = wanted
    .map(partsOf)
    .filter((parts) => parts.length > 0)
    .map((parts) => parts.map((part) => ({ part, codes: codesOf([part]) })));
  return (place) => {
    if (place === null) return false;
    const code = codeOf(place);
    const own = [place.city, place.region].flatMap((name) => (name ? [fold(name)] : []));
    const names = new Set([...own, ...countryNamesOf(place)]);
    const isIn = ({ part, codes }: (typeof locations)[number][number]): boolean =>
      names.has(part) || codes.has(code) || (locationTable().regions.get(part)?.includes(code) ?? false);
    return locations.some((parts) => parts.every(isIn));
  };
}
