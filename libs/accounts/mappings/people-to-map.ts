import { employeesOf } from '../employees-of.js';
import type { PersonaFacts } from '#lists/domain/personas/personas.events.js';
import { personaMatcher } from '#signals/detection/persona-match.js';
import type { NetworkDirectory, PersonFacts } from '#network/network-directory.port.js';

const PEOPLE_AT_ONCE = 500;

/** The fields of a persona that select people (OP-71). */
export type Targeting = Pick<PersonaFacts, 'jobTitle' | 'excludeJobTitle' | 'location'>;

/**
 * The current employees of a company who match at least one persona alone: its titles, its exclusions, its locations.
 * By network ref.
 */
export async function peopleToMap(
  directory: NetworkDirectory,
  companyRef: string,
  personas: readonly Targeting[],
  signal: AbortSignal,
): Promise<readonly PersonFacts[]> {
  const matchers = personas.map(matcherOf);
  const people: PersonFacts[] = [];
  for await (const page of employeesOf(directory, companyRef, PEOPLE_AT_ONCE, signal)) {
    people.push(...page.filter((person) => matchers.some((matches) => matches(person))));
  }
  return people;
}

function matcherOf({ jobTitle, excludeJobTitle, location }: Targeting): (person: PersonFacts) => boolean {
  return personaMatcher({
    jobTitles: jobTitle ?? [],
    excludeJobTitles: excludeJobTitle ?? [],
    locations: location ?? [],
    // Only titles and places select people.
    seniorities: [],
  });
}
