import { fold } from '#kernel/values/text-folding.js';

/** The filter key of a country: letter case and spelling variants do not matter. */
export function countryKey(country: string | null): string | null {
  return folded(country);
}

/**
 * The filter key of a city with its country, because other countries have cities of the same name. null if either is
 * unknown.
 */
export function cityKey(city: string | null, country: string | null): string | null {
  const [cityName, countryName] = [folded(city), folded(country)];
  // Folding removes line breaks, so the two parts stay separate.
  return cityName === null || countryName === null ? null : `${cityName}\n${countryName}`;
}

function folded(text: string | null): string | null {
  const name = fold(text ?? '');
  return name === '' ? null : name;
}
