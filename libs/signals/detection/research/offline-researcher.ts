import type { Passage } from './passage.js';
import { reportedAnswers, type Question, type Research, type Researcher } from './researcher.port.js';
import { statementsOn } from './statements.js';

const MOST_EVIDENCE = 5;

/**
 * Works without an external service and is deterministic: a passage is evidence if one of its sentences states the
 * question. The answer is yes or nothing; of several choices it is the one with most evidence, then the one with the
 * newest evidence, then the one listed first.
 */
export const offlineResearcher: Researcher = {
  limits: null,
  research: async (question, passages) => judged(question, passages),
};

function judged(question: Question, passages: readonly Passage[]): Research {
  const { statement } = statementsOn(question);
  const [best] = reportedAnswers(question)
    .map((answer) => ({
      answer,
      evidence: passages.flatMap((passage, index) => (statement(passage, answer) === null ? [] : [index])),
    }))
    .filter(({ evidence }) => evidence.length > 0)
    .sort(
      (left, right) =>
        right.evidence.length - left.evidence.length ||
        newestOf(right.evidence, passages) - newestOf(left.evidence, passages),
    );
  if (best === undefined) return { outcome: 'unanswered' };
  return { outcome: 'answered', answer: best.answer, evidence: best.evidence.slice(0, MOST_EVIDENCE) };
}

/** The date of the newest evidence, which comes first; the lowest value if none has a date. */
function newestOf([first]: readonly number[], passages: readonly Passage[]): number {
  const date = first === undefined ? null : (passages[first]?.date ?? null);
  return date === null ? -8.64e15 : Date.parse(date);
}
