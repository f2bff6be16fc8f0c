import type { Passage } from './passage.js';

/** A client's question about companies. */
export type Question = {
  readonly text: string;
  /** The allowed answers, as the client spells them; null: the question is answered with yes or no. */
  readonly choices: readonly string[] | null;
  /** Notes of the client, for example links to further sources. */
  readonly notes: readonly string[];
};

/** The researcher's result for a question about one company. */
export type Research =
  /** `evidence`: numbers of the passages that support the answer, in their order; the first passage is 0. */
  | { readonly outcome: 'answered'; readonly answer: string; readonly evidence: readonly number[] }
  /** The passages do not contain the answer, or the result is not a valid answer. */
  | { readonly outcome: 'unanswered' }
  /** It could not be asked. */
  | { readonly outcome: 'unavailable' };

/** The limits of a researcher. */
export type ResearchLimits = { readonly questionsAtOnce: number; readonly questionsPerRun: number };

/** Reads the passages about a company and answers the client's question from them alone (D-83). */
export interface Researcher {
  /** null: asking, and asking again, is free. */
  readonly limits: ResearchLimits | null;
  /**
   * `passages`: those that contain a word of the question or a choice, newest first. Rejects only if `signal` aborts.
   */
  research(question: Question, passages: readonly Passage[], signal: AbortSignal): Promise<Research>;
}

/** The answers that are reported to a client (D-83). */
export const reportedAnswers = ({ choices }: Question): readonly string[] => choices ?? ['yes'];
