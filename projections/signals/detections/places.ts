import { fold } from '#kernel/values/text-folding.js';

/** A country as detections are filtered by it: letter case and spelling variants do not matter. */
export function countryKey(country: string | null): string | null {
  return folded(country);
}

/** A city with its country: a city of the same name elsewhere is another one. null when either is not known. */
export function cityKey(city: string | null, country: string | null): string | null {
  const [cityName, countryName] = [folded(city), folded(country)];
  // Folding leaves no line breaks, so the two parts cannot run into one another.
  return cityName === null || countryName === null ? null : `${cityName}\n${countryName}`;
}

function folded(text: string | null): string | null {
  const name = fold(text ?? '');
  return name === '' ? null : name;
}
