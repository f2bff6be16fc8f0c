import type { MatchMode } from './keyword-matching.js';
import type { CompanyFacts, PersonFacts } from './network-directory.port.js';

/** Place of a post in the order of a run: by time, then by ref. */
export type PostPosition = { readonly publishedAt: string; readonly ref: string };

export type PostScope = {
  /** Posts by these companies, and by people whose present company is one of them. */
  readonly companyRefs: readonly string[];
  /** Posts by these people. */
  readonly personRefs: readonly string[];
};

/** Which posts a run looks at (OP-70). */
export type PostWindow = {
  /** Exclusive. */
  readonly after: Date;
  /** Inclusive lower bound, where a start date raises it. */
  readonly from?: Date;
  /** Inclusive. */
  readonly until: Date;
  /** Absent: the whole network. */
  readonly scope?: PostScope;
};

export type PostSearch = PostWindow & {
  /** Absent: every post of the window, with no keywords found. Present and empty: none. */
  readonly keywords?: readonly string[];
  readonly mode?: MatchMode;
  /** Where the last page ended. */
  readonly position?: PostPosition | null;
  /** At most so many posts, at least 1. */
  readonly limit: number;
};

export type PostAuthor =
  | { readonly entity: 'person'; readonly person: PersonFacts; readonly company: CompanyFacts | null }
  | { readonly entity: 'company'; readonly company: CompanyFacts };

/** A post with what is known at the moment of reading about its author and the echo it had. */
export type ObservedPost = {
  readonly ref: string;
  readonly rev: number;
  readonly url: string | null;
  readonly text: string;
  readonly publishedAt: string;
  readonly authorRef: string | null;
  /** Null when the author is not known. A person comes with the present company, when that is known. */
  readonly author: PostAuthor | null;
  readonly commentCount: number;
  readonly reactionCount: number;
  /** As `keywordMatcher` gives them. */
  readonly keywordsFound: readonly string[];
};

export type PostPage = {
  readonly posts: readonly ObservedPost[];
  /** Where the next page goes on; null when this is the last one. */
  readonly next: PostPosition | null;
};

/** Which job postings a run looks at. */
export type JobPostingWindow = {
  /** Exclusive. */
  readonly after: Date;
  /** Inclusive. */
  readonly until: Date;
  /** Postings of these companies; absent: of the whole network. */
  readonly companyRefs?: readonly string[];
};

/** Place of a job posting in the order of a run: by time, then by ref. */
export type JobPostingPosition = { readonly postedAt: string; readonly ref: string };

export type JobPostingSearch = JobPostingWindow & {
  /** Looked for in title and description together; none: nothing is found. */
  readonly keywords: readonly string[];
  readonly mode?: MatchMode;
  /** Where the last page ended. */
  readonly position?: JobPostingPosition | null;
  /** At most so many postings, at least 1. */
  readonly limit: number;
};

/** A job posting with what is known at the moment of reading about who posted it. */
export type ObservedJobPosting = {
  readonly ref: string;
  readonly rev: number;
  readonly title: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly url: string | null;
  readonly postedAt: string;
  readonly company: CompanyFacts | null;
  readonly hiringManager: PersonFacts | null;
  /** As `keywordMatcher` gives them. */
  readonly keywordsFound: readonly string[];
};

export type JobPostingPage = {
  readonly postings: readonly ObservedJobPosting[];
  /** Where the next page goes on; null when this is the last one. */
  readonly next: JobPostingPosition | null;
};

/**
 * What happens on the network: candidates for runs. What is found is exactly what `keywordMatcher` finds;
 * an index only saves looking at the rest.
 * Errors: every method rejects with `StoreUnavailable` or `StoreUnusable` as the event store does.
 */
export interface NetworkSource {
  /** Posts with text in the window that match, ordered by (published_at, ref) as code points, by pages. */
  posts(search: PostSearch): Promise<PostPage>;
  /**
   * The position after which exactly the newest `count` posts of the window follow; null when it holds no
   * more than that, so that the whole window is looked at.
   */
  positionBeforeNewest(window: PostWindow, count: number): Promise<PostPosition | null>;
  /** Job postings with text in the window that match, ordered by (posted_at, ref) as code points, by pages. */
  jobPostings(search: JobPostingSearch): Promise<JobPostingPage>;
  /** As `positionBeforeNewest`, of job postings. */
  jobPostingBeforeNewest(window: JobPostingWindow, count: number): Promise<JobPostingPosition | null>;
}
