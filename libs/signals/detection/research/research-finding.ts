import { sha256Hex } from '#kernel/values/hash.js';
import { fold } from '#kernel/values/text-folding.js';
import type { CompanyFacts } from '#network/network-directory.port.js';
import type { FindingOf } from '#signals/detection/finding.js';
import { bounded, EXCERPT_LENGTH, boundedUrl } from '#kernel/values/bounded-text.js';
import type { Passage } from './passage.js';
import { reportedAnswers, type Question, type Research } from './researcher.port.js';
import type { Statements } from './statements.js';
import { companySubjects } from '../company-subjects.js';

/** An answer about a company is reported once; another answer or another question is new (D-84). */
export function subjectOf(companyRef: string, { text, choices }: Question, answer: string): string {
  const asked = [fold(text), choices === null ? 'yes_no' : 'choice', (choices ?? []).map(fold)];
  return `research:${companyRef}:${sha256Hex(JSON.stringify(asked)).slice(0, 16)}:${fold(answer)}`;
}

export type Researched = {
  readonly company: CompanyFacts;
  readonly question: Question;
  readonly statements: Statements;
  /** The passages of the question, newest first. */
  readonly passages: readonly Passage[];
  readonly research: Research;
};

/** The finding for the client: only yes or a choice, and only with evidence (D-83). */
export function researchFinding({
  company,
  question,
  statements,
  passages,
  research,
}: Researched): FindingOf<'deepSearch'> | null {
  if (research.outcome !== 'answered') return null;
  const { answer } = research;
  const evidence = research.evidence.flatMap((index) => passages[index] ?? []);
  if (evidence.length === 0 || !reportedAnswers(question).includes(answer)) return null;
  return {
    ...companySubjects(company, (ref) => subjectOf(ref, question, answer)),
    signalType: 'deepSearch',
    signalDate: evidence.find(({ date }) => date !== null)?.date ?? null,
    company,
    lead: null,
    contents: [],
    readings: evidence.map(({ reading }) => reading),
    data: {
      question: question.text,
      answer,
      evidence: evidence.map((passage) => ({
        url: boundedUrl(passage.url),
        extract: bounded(statements.extract(passage, answer), EXCERPT_LENGTH),
      })),
      facts: null,
    },
  };
}
