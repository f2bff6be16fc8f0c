import type { DetectorProof } from './proof.js';
import { seenCompany } from './seen.js';

const COMPANIES = ['acme', 'globex', 'initech'];
// The first 16 digits of the SHA-256 of ["does the company run sap?","yes_no",[]].
const subjectOf = (handle: string): string => `research:c:${handle}:7f832f09ce166240:yes`;

export const researchProofs: readonly DetectorProof[] = [
  {
    kind: 'research',
    killed: {
      title: 'a question about three companies of a market, the second of which is covered',
      observations: () =>
        [...COMPANIES, 'quiet'].map((handle) =>
          seenCompany(handle, {
            locations: [{ country: 'France' }],
            tagline: handle === 'quiet' ? 'Fish' : `SAP number ${handle}`,
          }),
        ),
      launch: {
        signalTypes: ['deepSearch'],
        audiences: ['market'],
        parameters: { question: 'Does the company run SAP?' },
        persona: {
          personaId: 1,
          jobTitles: [],
          excludeJobTitles: [],
          locations: ['France'],
          seniorities: [],
          headcounts: [],
          industries: [],
        },
        templateKey: 'custom-research-question',
      },
      covered: ['c:globex'],
      finds: [COMPANIES.map(subjectOf)],
      pays: 2,
    },
  },
];
