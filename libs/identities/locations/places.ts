import { fold } from '#kernel/values/text-folding.js';
import { partsOf } from './countries-of-location.js';
import { locationTable } from './location-table.js';

/** The observed place of a person or company. */
export type Place = {
  readonly city?: string | null;
  readonly region?: string | null;
  readonly country?: string | null;
  readonly countryCode?: string | null;
};

const englishNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** D-21: what a wanted country may be written as, folded: the name, the ISO code, the English name of the code. */
function countryNamesOf({ country, countryCode }: Place): readonly string[] {
  const code = countryCode ?? '';
  const english = /^[A-Za-z]{2}$/.test(code) ? englishNames.of(code.toUpperCase()) : null;
  return [country, code, english].flatMap((name) => (name ? [fold(name)] : []));
}

/** D-21: whether a place is in one of the wanted countries; one of which nothing is known is in none. */
export function countryMatcher(wanted: readonly string[]): (place: Place | null) => boolean {
  const folded = new Set(wanted.map(fold));
  return (place) => place !== null && countryNamesOf(place).some((name) => folded.has(name));
}

/**
 * D-22: whether a place is at one of the wanted locations. Every part of a location between commas is the city,
 * region or country (D-21) of the place, or a multi-country region that holds its country code.
 */
export function placeMatcher(wanted: readonly string[]): (place: Place | null) => boolean {
  const locations = wanted.map(partsOf).filter((parts) => parts.length > 0);
  return (place) => {
    if (place === null) return false;
    const code = (place.countryCode ?? '').toUpperCase();
    const own = [place.city, place.region].flatMap((name) => (name ? [fold(name)] : []));
    const names = new Set([...own, ...countryNamesOf(place)]);
    const isIn = (part: string): boolean =>
      names.has(part) || (locationTable().regions.get(part)?.includes(code) ?? false);
    return locations.some((parts) => parts.every(isIn));
  };
}
