import { fold } from '#kernel/values/text-folding.js';
import type { PersonaFacts } from '#domain/signal-launches/launch.events.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { PersonFacts } from '#network/network-directory.port.js';

/**
 * OP-19: a person matches when the current title contains one of the job titles and none of the excluded ones,
 * the place is one of the locations, and the seniority is one of those asked for. What is unknown does not match.
 * Made once a page: building costs what the persona is long.
 */
export function personaMatcher(persona: PersonaFacts): (person: PersonFacts) => boolean {
  const findTitle = keywordMatcher(persona.jobTitles, 'any');
  const findExcluded = keywordMatcher(persona.excludeJobTitles, 'any');
  const locations = persona.locations.map(partsOf);
  const seniorities = new Set(persona.seniorities.map(fold));
  return (person) => {
    const title = person.current?.title ?? null;
    if (title === null || findTitle(title).length === 0 || findExcluded(title).length > 0) return false;
    const places = placesOf(person);
    if (!locations.some((parts) => isAt(parts, places))) return false;
    const seniority = person.current?.seniority ?? null;
    return seniorities.size === 0 || (seniority !== null && seniorities.has(fold(seniority)));
  };
}

/** `Paris, France` asks for both parts; a part is a city, region, country name or country code. */
const partsOf = (location: string): readonly string[] =>
  location
    .split(',')
    .map(fold)
    .filter((part) => part !== '');

const isAt = (parts: readonly string[], places: ReadonlySet<string>): boolean =>
  parts.length > 0 && parts.every((part) => places.has(part));

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

function placesOf({ geo }: PersonFacts): ReadonlySet<string> {
  if (geo === null) return new Set();
  const named = /^[A-Za-z]{2}$/.test(geo.countryCode ?? '')
    ? countryNames.of((geo.countryCode ?? '').toUpperCase())
    : null;
  const places = [geo.city, geo.region, geo.country, geo.countryCode, named ?? null];
  return new Set(places.filter((place) => place !== null).map(fold));
}
