import type { Observation } from './observation.js';

type IdentifierSpace = 'handle' | 'domain';

/**
 * The names that a thing is looked up by: domains and handle of a company, handle of a person, shared or missing
 * names.
 */
export function identifiersOf(observation: Observation): readonly (readonly [IdentifierSpace, string])[] {
  switch (observation.kind) {
    case 'company': {
      const domains = observation.domains.map((domain) => ['domain', domain] as const);
      return observation.handle === null ? domains : [['handle', observation.handle], ...domains];
    }
    case 'person':
      return observation.handle === null ? [] : [['handle', observation.handle]];
    case 'alias':
      return [['domain', observation.domain]];
    case 'missing': {
      const { domain, handle } = observation;
      return [
        ...(domain === null ? [] : [['domain', domain] as const]),
        ...(handle === null ? [] : [['handle', handle] as const]),
      ];
    }
    case 'post':
    case 'comment':
    case 'reaction':
    case 'job_posting':
    case 'headcount':
    case 'company_event':
      return [];
  }
}

/** Observed cities, each with its country (OP-52). */
export function placesOf(
  observation: Observation,
): readonly (readonly [city: string, countryCode: string])[] {
  const places =
    observation.kind === 'company'
      ? observation.locations
      : observation.kind === 'person' && observation.geo !== null
        ? [observation.geo]
        : [];
  return places.flatMap(({ city, countryCode }) =>
    city === null || countryCode === null ? [] : [[city, countryCode] as const],
  );
}
