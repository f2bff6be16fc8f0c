import { Type } from '#kernel/values/schema.js';
import { moveFinding } from './career/career-finding.js';
import { movesToAccounts, newPositions, type FindingsOfMoves } from './career/job-changes.js';
import { withOwnAnswers } from './career/own-answers.js';
import { oneIn } from './career/titles.js';
import { detector } from './detector.js';
import { personaMatcher } from './persona-match.js';
import { seniorityMatcher } from '#identities/seniority.js';

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
  async search(run) {
    const { job_titles, seniority = [] } = run.parameters;
    if (run.persona === null) return null;
    const persona = withOwnAnswers(run.persona, { jobTitles: job_titles });
    const [isWanted, isTitled] = [personaMatcher(persona), oneIn(persona.jobTitles)];
    const isAsHigh = seniority.length === 0 ? () => true : seniorityMatcher(seniority);
    const findingsOf: FindingsOfMoves = (moves) =>
      moves.map((move) =>
        move.change === 'promotion' &&
        isTitled(move.current?.title ?? null) &&
        isAsHigh(move.current?.seniority ?? null) &&
        isWanted(move.person)
          ? moveFinding('recentlyPromoted', move, move.currentCompany)
          : null,
      );
    const search = newPositions(run, await movesToAccounts(run), findingsOf, persona.jobTitles);
    return { ...search, persona };
  },
});
