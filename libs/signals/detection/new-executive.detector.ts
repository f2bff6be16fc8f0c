import { Type } from '#kernel/values/schema.js';
import { fold } from '#kernel/values/text-folding.js';
import type { ObservedMove } from '#network/network-source.port.js';
import { moveFinding } from './career/career-finding.js';
import { newPositions } from './career/job-changes.js';
import { detector } from './detector.js';
import type { Finding } from './finding.js';
import { seniorityMatcher } from './seniority.js';

/** People who become executives, by a new job or a promotion, oldest first; the persona only ranks them. */
export const newExecutiveDetector = detector({
  kind: 'new_executive',
  signalTypes: ['newJob', 'recentlyPromoted'],
  directions: ['single'],
  audiences: ['network', 'top_accounts', 'covered_accounts'],
  arrivals: ['person'],
  templates: [{ kind: 'job_change', signalTypes: ['newJob', 'recentlyPromoted'] }],
  parameters: Type.Object({
    seniority: Type.Array(Type.String()),
    departments: Type.Optional(Type.Array(Type.String())),
  }),
  search(run) {
    const { seniority, departments = [] } = run.parameters;
    const isExecutive = seniorityMatcher(seniority);
    const wanted = new Set(departments.map(fold));
    const isOfDepartment = (department: string | null): boolean =>
      wanted.size === 0 || (department !== null && wanted.has(fold(department)));
    const findingOf = (move: ObservedMove): Finding | null => {
      const { change, current, previous, currentCompany } = move;
      if (!isExecutive(current?.seniority ?? null) || !isOfDepartment(current?.department ?? null))
        return null;
      if (change === 'new_company') return moveFinding('newJob', move, currentCompany);
      // A promoted person who already was an executive does not become one.
      return change === 'promotion' && !isExecutive(previous?.seniority ?? null)
        ? moveFinding('recentlyPromoted', move, currentCompany)
        : null;
    };
    return newPositions(run, (moves) => moves.map(findingOf));
  },
});
