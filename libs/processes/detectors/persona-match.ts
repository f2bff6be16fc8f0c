import { fold } from '#kernel/text-folding.js';
import type { PersonaFacts } from '#domain/signal-launches/launch.events.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { PersonFacts } from '#network/network-directory.port.js';

/**
 * OP-19: a person matches when the current title contains one of the job titles and none of the excluded ones,
 * the place is one of the locations, and the seniority is one of those asked for. What is unknown does not match.
 */
export function matchesPersona(persona: PersonaFacts, person: PersonFacts): boolean {
  const title = person.current?.title ?? null;
  if (title === null) return false;
  if (keywordMatcher(persona.jobTitles, 'any')(title).length === 0) return false;
  if (keywordMatcher(persona.excludeJobTitles, 'any')(title).length > 0) return false;
  const places = placesOf(person);
  if (!persona.locations.some((location) => isAt(location, places))) return false;
  const seniority = person.current?.seniority ?? null;
  return persona.seniorities.length === 0 || (seniority !== null && persona.seniorities.includes(seniority));
}

/** `Paris, France` asks for both parts; a part is a city, region, country name or country code. */
function isAt(location: string, places: ReadonlySet<string>): boolean {
  const parts = location
    .split(',')
    .map(fold)
    .filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => places.has(part));
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

function placesOf({ geo }: PersonFacts): ReadonlySet<string> {
  if (geo === null) return new Set();
  const named = /^[A-Za-z]{2}$/.test(geo.countryCode ?? '')
    ? countryNames.of((geo.countryCode ?? '').toUpperCase())
    : null;
  const places = [geo.city, geo.region, geo.country, geo.countryCode, named ?? null];
  return new Set(places.filter((place) => place !== null).map(fold));
}
