import { Type } from '#kernel/values/schema.js';
import { personaPositions } from './career/persona-positions.js';
import { detector } from './detector.js';

const texts = Type.Optional(Type.Array(Type.String()));

/** People of the persona who start at a company, oldest first. */
export const newHireDetector = detector({
  kind: 'new_hire',
  signalTypes: ['newJob'],
  directions: ['single'],
  audiences: ['network', 'top_accounts', 'covered_accounts'],
  arrivals: ['person'],
  templates: [{ kind: 'job_change', signalTypes: ['newJob'], listType: null }],
  parameters: Type.Object({
    job_titles: texts,
    use_other_locations: Type.Optional(Type.Boolean()),
    locations: texts,
  }),
  search(run) {
    const { job_titles: jobTitles, use_other_locations, locations } = run.parameters;
    const own = { jobTitles, ...(use_other_locations === true && { locations }) };
    return personaPositions(run, 'newJob', own, ({ change }) => change === 'new_company');
  },
});
