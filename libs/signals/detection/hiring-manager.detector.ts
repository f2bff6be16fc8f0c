import { Type } from '#kernel/values/schema.js';
import type { ObservedJobPosting } from '#network/network-source.port.js';
import { detector, oneByOne } from './detector.js';
import { postingFinding, titledPostings } from './job-postings.js';
import { seniorityFilter } from './seniority.js';

/** Job postings with a wanted title and a known hiring manager, oldest first. */
export const hiringManagerDetector = detector({
  kind: 'hiring_manager',
  signalTypes: ['jobPostingHiringManager'],
  directions: ['single'],
  audiences: ['network', 'covered_accounts'],
  arrivals: ['job_posting'],
  templates: [{ kind: 'job_posting', signalTypes: ['jobPostingHiringManager'] }],
  parameters: Type.Object({
    job_titles: Type.Array(Type.String()),
    seniority: Type.Optional(Type.Array(Type.String())),
  }),
  async search(run) {
    const { job_titles, seniority = [] } = run.parameters;
    const { read, isTitled } = await titledPostings(run, job_titles);
    const isOne = seniorityFilter(seniority);
    /** An unknown fact about a hiring manager does not meet a condition (D-11). */
    const isWanted = ({ hiringManager }: ObservedJobPosting): boolean => {
      if (hiringManager === null) return false;
      return isOne(hiringManager.current?.seniority ?? null);
    };
    return {
      read,
      judge: oneByOne((posting: ObservedJobPosting) =>
        isTitled(posting) && isWanted(posting) ? postingFinding('jobPostingHiringManager', posting) : null,
      ),
    };
  },
});
