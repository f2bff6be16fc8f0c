import type { Passage } from './passage.js';

/** What a client wants to know about companies. */
export type Question = {
  readonly text: string;
  /** The answers to choose from, as the client spells them; null: it is answered with yes or no. */
  readonly choices: readonly string[] | null;
  /** Where the client says that more can be read. */
  readonly notes: readonly string[];
};

/** What a researcher made of a question about one company. */
export type Research =
  /** `evidence`: numbers of the passages that say so, in their order; the first passage is 0. */
  | { readonly outcome: 'answered'; readonly answer: string; readonly evidence: readonly number[] }
  /** The passages do not tell, or what was answered is no answer. */
  | { readonly outcome: 'unanswered' }
  /** It could not be asked. */
  | { readonly outcome: 'unavailable' };

/** How much a researcher may be asked. */
export type ResearchLimits = { readonly questionsAtOnce: number; readonly questionsPerRun: number };

/** Who reads what was said about a company and answers the question of a client from that alone (D-83). */
export interface Researcher {
  /** null: it costs nothing to ask, and to ask again. */
  readonly limits: ResearchLimits | null;
  /**
   * `passages`: those that contain a word of the question or a choice, newest first. Rejects only where `signal`
   * ends it.
   */
  research(question: Question, passages: readonly Passage[], signal: AbortSignal): Promise<Research>;
}

/** The answers of which a client is told (D-83). */
export const answersTold = ({ choices }: Question): readonly string[] => choices ?? ['yes'];
