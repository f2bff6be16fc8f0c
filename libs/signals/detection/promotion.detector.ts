import { Type } from '#kernel/values/schema.js';
import { personaPositions } from './career/persona-positions.js';
import { detector } from './detector.js';
import { seniorityFilter } from './seniority.js';

const texts = Type.Optional(Type.Array(Type.String()));

/** People of the persona who are promoted, oldest first. */
export const promotionDetector = detector({
  kind: 'promotion',
  signalTypes: ['recentlyPromoted'],
  directions: ['single'],
  audiences: ['network', 'top_accounts', 'covered_accounts'],
  arrivals: ['person'],
  templates: [{ kind: 'job_change', signalTypes: ['recentlyPromoted'] }],
  parameters: Type.Object({ job_titles: texts, seniority: texts }),
  search(run) {
    const { job_titles: jobTitles, seniority = [] } = run.parameters;
    const isAsHigh = seniorityFilter(seniority);
    return personaPositions(
      run,
      'recentlyPromoted',
      { jobTitles },
      ({ change, current }) => change === 'promotion' && isAsHigh(current?.seniority ?? null),
    );
  },
});
