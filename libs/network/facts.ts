import { networkUrl } from '#kernel/values/network-identifiers.js';
import type { CompanyFacts, PersonFacts } from './network-directory.port.js';
import { currentExperience, type CompanyObservation, type PersonObservation } from './observation.js';

export function companyFacts(observation: CompanyObservation, networkBaseUrl: string): CompanyFacts {
  const { kind: _, ...observed } = observation;
  const { handle } = observation;
  return { ...observed, networkUrl: handle === null ? null : networkUrl(networkBaseUrl, 'company', handle) };
}

export function personFacts(observation: PersonObservation, networkBaseUrl: string): PersonFacts {
  const { kind: _, ...observed } = observation;
  const fullName = [observation.firstName, observation.lastName]
    .filter((name) => name !== null && name !== '')
    .join(' ');
  return {
    ...observed,
    networkUrl: networkUrl(networkBaseUrl, 'person', observation.handle),
    fullName: fullName === '' ? null : fullName,
    current: currentExperience(observation.experiences),
  };
}
