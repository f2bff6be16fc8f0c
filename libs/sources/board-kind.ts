import type { Salary, Workplace } from '#network/observation.js';

/** A posting as a board shows it. */
export type SeenPosting = {
  /** The provider's, within the board. */
  readonly id: string;
  readonly url: string;
  readonly title: string | null;
  /** Texts one after the other, as HTML. */
  readonly html: readonly string[];
  readonly location: string | null;
  /** UTC with milliseconds. */
  readonly postedAt: string | null;
  readonly department: string | null;
  readonly workplace: Workplace | null;
  readonly salary: Salary | null;
};

/** What one answer of a board says. */
export type BoardPage = {
  readonly postings: readonly SeenPosting[];
  /** How many the board holds, where it says so; another number on a later page fails the reading. */
  readonly total: number | null;
  /** How many of the answer's items count for paging, with those that are not listed. */
  readonly items: number;
};

/** Under which terms a provider is read. */
export type Terms = {
  /** Where they stand. */
  readonly url: string;
  readonly verdict: string;
  /** When somebody read them for this kind, YYYY-MM-DD; null: nobody has yet, so no source of the kind may be added. */
  readonly readOn: string | null;
  /** The shortest time from one request to the next, in milliseconds. */
  readonly paceMs: number;
};

/** Which board of a provider is meant, as an operator's address names it. */
export type Board = {
  /** The provider's id: with the kind it names the board for ever (SRC-03). */
  readonly id: string;
};

/** One provider of job boards. */
export type BoardKind = {
  readonly name: string;
  readonly terms: Terms;
  /** The board that an address of a person or a program belongs to; null: none of this provider. */
  readonly boardAt: (address: URL) => Board | null;
  /** Where a page of the board is read. */
  readonly address: (board: Board, page: number) => string;
  /** Postings of a page; null: one page is the whole board. */
  readonly pageSize: number | null;
  /** Reads an answer. Throws `MalformedAnswer`. */
  readonly read: (body: string, board: Board) => BoardPage;
};
