import { Type } from '#kernel/values/schema.js';
import { moveFinding } from './career/career-finding.js';
import { movesToAccounts, newPositions, type FindingsOfMoves } from './career/job-changes.js';
import { withOwnAnswers } from './career/own-answers.js';
import { oneIn } from './career/titles.js';
import { detector } from './detector.js';
import { personaMatcher } from './persona-match.js';

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
  async search(run) {
    const { job_titles, use_other_locations, locations } = run.parameters;
    if (run.persona === null) return null;
    const persona = withOwnAnswers(run.persona, {
      jobTitles: job_titles,
      locations: use_other_locations === true ? locations : [],
    });
    const [isWanted, isTitled] = [personaMatcher(persona), oneIn(persona.jobTitles)];
    const findingsOf: FindingsOfMoves = (moves) =>
      moves.map((move) =>
        move.change === 'new_company' && isTitled(move.current?.title ?? null) && isWanted(move.person)
          ? moveFinding('newJob', move, move.currentCompany)
          : null,
      );
    const search = newPositions(run, await movesToAccounts(run), findingsOf, persona.jobTitles);
    return { ...search, persona };
  },
});
