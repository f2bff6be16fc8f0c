import { fold } from '#kernel/values/text-folding.js';
import { locationTable, type LocationTable } from './location-table.js';

/** ISO codes of the countries in which a city was seen on the network; empty if it was never seen. */
export type CitySightings = (city: string) => readonly string[];

/**
 * OP-52: the ISO codes of the countries that a location means, sorted; none if the location is unknown. Text with commas
 * is tried from the last part to the first. Of a part the first match counts: multi-country region, country
 * code, country name or alias, name of a sub-division, code of one (US and Canada), capital or largest city of the
 * name, city seen on the network (every country that it was seen in).
 */
export function countriesOfLocation(location: string, seenIn: CitySightings = () => []): readonly string[] {
  const table = locationTable();
  for (const part of partsOf(location).reverse()) {
    const countries = countriesOfPart(part, table) ?? seenIn(part);
    if (countries.length > 0) return [...countries].sort();
  }
  return [];
}

/** The countries of a location that is the name of a country or of a region; none for any other. */
export function countriesNamed(location: string): readonly string[] {
  const name = fold(location);
  const country = countryOf(name);
  return locationTable().regions.get(name) ?? (country === undefined ? [] : [country]);
}

/** The ISO code of the country with this folded code, name or alias. */
export function countryOf(name: string): string | undefined {
  const { countryCodes, countryNames } = locationTable();
  return countryCodes.get(name) ?? countryNames.get(name);
}

/** The parts of a location between its commas, folded: what `CitySightings` is asked about. */
export function partsOf(location: string): string[] {
  return location
    .split(',')
    .map(fold)
    .filter((part) => part !== '');
}

function countriesOfPart(part: string, table: LocationTable): readonly string[] | null {
  const region = table.regions.get(part);
  if (region !== undefined) return region;
  const { countryCodes, countryNames, subdivisions, stateCodes, cities } = table;
  for (const names of [countryCodes, countryNames, subdivisions, stateCodes, cities]) {
    const country = names.get(part);
    if (country !== undefined) return [country];
  }
  return null;
}
