import { OneOf, Type, type Static } from '#kernel/values/schema.js';
import { detector, oneByOne } from './detector.js';
import { askCompanies, firstProgress, progressOf, type AskedCompany } from './research/ask-companies.js';
import { companiesOfMarket } from './research/companies-of-market.js';
import type { Question } from './research/researcher.port.js';
import { statementsOn } from './research/statements.js';

const Parameters = Type.Object({
  question: Type.String(),
  answer_type: Type.Optional(OneOf('yes_no', 'choice')),
  choices: Type.Optional(Type.Array(Type.String())),
  links: Type.Optional(Type.Array(Type.Object({ url: Type.String(), note: Type.Optional(Type.String()) }))),
});
type Parameters = Static<typeof Parameters>;

/** A question of the client about the companies of the persona's market (D-80 to D-84), in order of their refs. */
export const researchDetector = detector({
  kind: 'research',
  signalTypes: ['deepSearch'],
  directions: ['single'],
  audiences: ['market', 'covered_accounts'],
  arrivals: [],
  templates: [{ kind: 'custom', signalTypes: ['deepSearch'], declares: ['question'] }],
  parameters: Parameters,
  async search(run) {
    const question = questionOf(run.parameters);
    const statements = statementsOn(question);
    // Without keywords no passage can be matched to the question (D-82).
    if (statements.keywords.length === 0) return null;
    const companies = await companiesOfMarket(run);
    const { limits } = run.researcher;
    return {
      ...(limits !== null && { start: async () => firstProgress(limits, await run.previousEnd()) }),
      read: (position) => askCompanies({ run, question, statements, companies }, progressOf(position)),
      // A question has a cost, so it is asked while its company is read: each read then knows the number of questions
      // asked.
      judge: oneByOne(({ finding }: AskedCompany) => finding),
    };
  },
});

function questionOf({ question, answer_type, choices = [], links = [] }: Parameters): Question {
  return {
    text: question,
    choices: answer_type === 'choice' ? choices : null,
    notes: links.map(({ url, note }) => (note === undefined ? url : `${url} — ${note}`)),
  };
}
