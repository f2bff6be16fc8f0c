import { countriesNamed, countriesOfLocation, partsOf } from '#identities/locations/countries-of-location.js';
import { keywordMatcher } from '#network/keyword-matching.js';

/**
 * Whether the location of a posting, a text, is a wanted one: it contains every comma-separated part of a wanted
 * place, or the wanted place is a country or region and the text names a country of it (OP-52). Without wanted places
 * every location passes; an unknown location passes no wanted place. `seenIn`: the countries in which the network
 * observed a city.
 */
export function postingPlaces(
  wanted: readonly string[],
  seenIn: (city: string) => Promise<readonly string[]>,
): (location: string | null) => Promise<boolean> {
  const named = wanted.map((location) => keywordMatcher(partsOf(location), 'all'));
  const countries = new Set(wanted.flatMap(countriesNamed));
  return async (location) => {
    if (wanted.length === 0) return true;
    if (location === null) return false;
    if (named.some((find) => find(location).length > 0)) return true;
    return countries.size > 0 && (await countriesOf(location, seenIn)).some((code) => countries.has(code));
  };
}

async function countriesOf(
  location: string,
  seenIn: (city: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const asked = new Map<string, readonly string[]>();
  const found = countriesOfLocation(location, (city) => {
    asked.set(city, []);
    return [];
  });
  if (asked.size === 0) return found;
  for (const city of asked.keys()) asked.set(city, await seenIn(city));
  return countriesOfLocation(location, (city) => asked.get(city) ?? []);
}
