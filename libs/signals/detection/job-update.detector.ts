import { agentTypes } from '#signals/domain/agents/agent-types.js';
import type { ObservedMove } from '#network/network-source.port.js';
import { moveFinding } from './career/career-finding.js';
import { newPositions } from './career/job-changes.js';
import { narrowing } from './career/narrowing.js';
import { mentioning } from './career/social-keywords.js';
import { oneInOrAny } from './career/titles.js';
import { detector } from './detector.js';
import type { Finding } from './finding.js';
import { seniorityFilter } from './seniority.js';

/** People who start, or are promoted, at a found top account, oldest first (D-61). */
export const jobUpdateDetector = detector({
  kind: 'job_update',
  signalTypes: ['newJob', 'recentlyPromoted'],
  directions: ['single'],
  audiences: ['top_accounts'],
  arrivals: ['person'],
  templates: [],
  parameters: agentTypes.job_update.parameters,
  search(run) {
    const {
      job_titles,
      seniority_levels = [],
      keywords_for_social_detection: keywords = [],
    } = run.parameters;
    const isTitled = oneInOrAny(job_titles);
    const isAsHigh = seniorityFilter(seniority_levels);
    const narrow = narrowing(run, run.parameters);
    return newPositions(run, async (moves) => {
      const taken = moves
        .filter(({ change, current }) => {
          const [title, seniority] = [current?.title ?? null, current?.seniority ?? null];
          return change !== 'departure' && isTitled(title) && isAsHigh(seniority);
        })
        .map((move) => ({ move, ...narrowedBy(move) }));
      const narrowed = await narrow(taken);
      const narrowedPeople = narrowed.map(({ person }) => person);
      const social = keywords.length === 0 ? null : await mentioning(run, keywords, narrowedPeople);
      const reported = new Set(
        narrowed.filter(({ person }) => social?.has(person.ref) !== false).map(({ move }) => move),
      );
      return moves.map((move) => (reported.has(move) ? findingOf(move) : null));
    });
  },
});

const narrowedBy = ({ person, current, currentCompany }: ObservedMove) => ({
  person,
  title: current?.title ?? null,
  company: currentCompany,
  employers: [currentCompany],
});

const findingOf = (move: ObservedMove): Finding =>
  moveFinding(move.change === 'new_company' ? 'newJob' : 'recentlyPromoted', move, move.currentCompany);
