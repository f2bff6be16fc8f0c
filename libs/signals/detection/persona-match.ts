import type { LaunchPersona } from '#signals/domain/launches/launch.events.js';
import { placeMatcher } from '#identities/locations/places.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import { seniorityFilter } from './seniority.js';

/**
 * OP-19: a person matches if the current title contains one of the job titles and none of the excluded ones, the
 * place is one of the locations, and the seniority is one of the wanted ones. An unknown fact does not match. Built
 * once per page, because the cost of building grows with the persona.
 */
export function personaMatcher(
  persona: Pick<LaunchPersona, 'jobTitles' | 'excludeJobTitles' | 'locations' | 'seniorities'>,
): (person: PersonFacts) => boolean {
  const findTitle = keywordMatcher(persona.jobTitles, 'any');
  const findExcluded = keywordMatcher(persona.excludeJobTitles, 'any');
  const isAt = placeMatcher(persona.locations);
  const isAsHigh = seniorityFilter(persona.seniorities);
  return (person) => {
    const title = person.current?.title ?? null;
    if (title === null || findTitle(title).length === 0 || findExcluded(title).length > 0) return false;
    return isAt(person.geo) && isAsHigh(person.current?.seniority ?? null);
  };
}
