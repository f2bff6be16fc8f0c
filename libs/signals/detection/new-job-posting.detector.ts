import { Type } from '#kernel/values/schema.js';
import type { ObservedJobPosting } from '#network/network-source.port.js';
import { detector } from './detector.js';
import { postingFinding, titledPostings } from './job-postings.js';
import { postingPlaces } from './posting-places.js';

/** New job postings with a wanted title, anywhere or at wanted locations, oldest first. */
export const newJobPostingDetector = detector({
  kind: 'new_job_posting',
  signalTypes: ['jobPosting'],
  directions: ['single'],
  audiences: ['network', 'covered_accounts'],
  arrivals: ['job_posting'],
  templates: [{ kind: 'job_posting', signalTypes: ['jobPosting'] }],
  parameters: Type.Object({
    job_titles: Type.Array(Type.String()),
    locations: Type.Optional(Type.Array(Type.String())),
  }),
  async search(run) {
    const { job_titles, locations = [] } = run.parameters;
    const { read, isTitled } = await titledPostings(run, job_titles);
    const isThere = postingPlaces(locations, (city) => run.directory.countryCodesOfCity(city));
    return {
      read,
      judge: (postings: readonly ObservedJobPosting[]) =>
        Promise.all(
          postings.map(async (posting) =>
            isTitled(posting) && (await isThere(posting.location))
              ? [postingFinding('jobPosting', posting)]
              : [],
          ),
        ),
    };
  },
});
