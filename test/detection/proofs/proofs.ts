import { championProofs } from './champions.proof.js';
import { companySignalProofs } from './company-signals.proof.js';
import { interactionProofs } from './interactions.proof.js';
import { jobChangeProofs } from './job-changes.proof.js';
import { jobPostingProofs } from './job-postings.proof.js';
import { keywordPostProofs } from './keyword-post.proof.js';
import { researchProofs } from './research.proof.js';
import type { DetectorProof } from './proof.js';

/** The proofs of each detector: a new detector gets a row here, with a random proof and a killed run. */
export const proofs: readonly DetectorProof[] = [
  ...keywordPostProofs,
  ...jobPostingProofs,
  ...companySignalProofs,
  ...researchProofs,
  ...interactionProofs,
  ...jobChangeProofs,
  ...championProofs,
];

/** Detectors that have their own specs instead of these rows: by a reference, and killed. */
export const provenElsewhere: { readonly random: readonly string[]; readonly killed: readonly string[] } = {
  random: ['research', 'interactions', 'engagement'],
  killed: [],
};
