import type { JsonObject } from '#kernel/values/json.js';
import type { MatchMode } from './keyword-matching.js';
import type { CompanyFacts, PersonFacts } from './network-directory.port.js';
import type { Experience, JobPostingObservation, PostObservation, Salary, Workplace } from './observation.js';
import type { ReadPosition } from './position.js';

export type { ReadPosition } from './position.js';

/**
 * The time range to read (D-02). An observation without a date is in no window. A post, job posting or company event
 * that a source showed late is dated when it was first observed (SRC-02), not by its own date.
 */
export type Window = {
  /** Exclusive. */
  readonly after: Date;
  /** Inclusive lower bound of the own date, if a start date raises it (D-03). */
  readonly from?: Date;
  /** Inclusive. */
  readonly until: Date;
};

/**
 * The pages of these companies, the people whose current employer is one of them (D-12), and these people, by the
 * facts at the moment of reading.
 */
export type Whose = {
  readonly companyRefs: readonly string[];
  readonly personRefs: readonly string[];
};

/** Where a page begins and its maximum size. */
export type Paging = {
  /** Where the last page ended; absent or null: at the beginning of the window. */
  readonly position?: ReadPosition | null;
  /** The maximum number of items, at least 1. */
  readonly limit: number;
};

/**
 * Items of a window in order of (date, ref), refs by code points (D-05). A page may have fewer items than its limit,
 * even none, without being the last.
 */
export type Page<Item> = {
  readonly items: readonly Item[];
  /** Where the next page begins; null: this is the last page. */
  readonly next: ReadPosition | null;
};

/** The reading that showed the revision (SRC-07); null: it was ingested from a stream. */
export type ReadingOf = { readonly sourceId: string; readonly readAtMs: number } | null;

/** Each item has its position, so that a reader can continue after any item. */
type Placed = { readonly position: ReadPosition; readonly reading: ReadingOf };

/** An author or actor. A person has the current employer, if it is known. */
export type Author =
  | { readonly entity: 'person'; readonly person: PersonFacts; readonly company: CompanyFacts | null }
  | { readonly entity: 'company'; readonly company: CompanyFacts };

/** Posts with text. */
export type PostWindow = Window & {
  /** Absent: the whole network. */
  readonly whose?: Whose;
};

export type PostSearch = PostWindow &
  Paging & {
    /** Absent: every post of the window, without keywords. Present and empty: no posts. */
    readonly keywords?: readonly string[];
    readonly mode?: MatchMode;
  };

/** A post with the facts about its author and the number of its interactions, at the moment of reading. */
export type ObservedPost = Placed &
  Pick<PostObservation, 'ref' | 'rev' | 'url' | 'authorRef'> & {
    readonly text: string;
    /** Its own date, or when it was first observed if it has none. */
    readonly publishedAt: string;
    /** Null if the author is unknown. */
    readonly author: Author | null;
    readonly commentCount: number;
    readonly reactionCount: number;
    /** As `keywordMatcher` returns them. */
    readonly keywordsFound: readonly string[];
  };

/** Job postings, also those without any text. */
export type JobPostingWindow = Window & {
  /** Postings closed at or before it are left out (SRC-05). */
  readonly now: Date;
  /** Postings of these companies; absent: the whole network. */
  readonly companyRefs?: readonly string[];
};

export type JobPostingSearch = JobPostingWindow &
  Paging & {
    /** Searched in title and description together. Absent: every posting. Present and empty: no postings. */
    readonly keywords?: readonly string[];
    readonly mode?: MatchMode;
  };

/** A job posting with the facts about its company and hiring manager, at the moment of reading. */
export type ObservedJobPosting = Placed &
  Omit<
    JobPostingObservation,
    'kind' | 'hiringManagerRef' | 'postedAt' | 'department' | 'workplace' | 'salary'
  > & {
    /** Its own date, or when it was first observed if it has none. */
    readonly postedAt: string;
    /** The date of the window and of the order. */
    readonly windowAt: string;
    readonly department: string | null;
    readonly workplace: Workplace | null;
    readonly salary: Salary | null;
    readonly company: CompanyFacts | null;
    readonly hiringManager: PersonFacts | null;
    /** The current employer of the hiring manager. */
    readonly hiringManagerCompany: CompanyFacts | null;
    /** As `keywordMatcher` returns them. */
    readonly keywordsFound: readonly string[];
  };

export type InteractionKind = 'comment' | 'reaction';

/**
 * Comments and reactions. With `by` and `on` both must match. An interaction that matches neither scope is never
 * read.
 */
export type InteractionSearch = Window &
  Paging & {
    readonly kinds: readonly InteractionKind[];
  } & (
    | {
        /** The actors. */
        readonly by: Whose;
        /** The authors of the posts. */
        readonly on?: Whose;
      }
    | { readonly by?: Whose; readonly on: Whose }
  );

/**
 * A comment or reaction, joined to its post; a reply to a comment belongs to the post of that comment. An interaction
 * without an observed post, or without an actor, is not read.
 */
export type ObservedInteraction = Placed & {
  readonly kind: InteractionKind;
  readonly ref: string;
  readonly rev: number;
  /** For a comment; null for a reaction. */
  readonly url: string | null;
  /** For a comment; null for a reaction. */
  readonly text: string | null;
  /** For a reaction, as the network names it; null for a comment. */
  readonly reaction: string | null;
  /** The time of the comment or reaction. */
  readonly happenedAt: string;
  readonly actorRef: string;
  /** Null if the actor is unknown. */
  readonly actor: Author | null;
  readonly post: {
    readonly ref: string;
    readonly rev: number;
    readonly reading: ReadingOf;
    readonly url: string | null;
    readonly text: string | null;
    readonly publishedAt: string | null;
    readonly authorRef: string | null;
    /** Null if the author is unknown. */
    readonly author: Author | null;
  };
};

/** Narrows moves: of these people, to these companies, or away from these (D-26). */
export type MoveScope =
  | { readonly personRefs: readonly string[] }
  | { readonly toCompanyRefs: readonly string[] }
  | { readonly fromCompanyRefs: readonly string[] };

export type MoveSearch = Window &
  Paging & {
    /** Absent: the whole network. */
    readonly of?: MoveScope;
    /** Moves whose new title contains none of these may be left out; the caller decides. Absent: none is. */
    readonly titles?: readonly string[];
  };

export type MoveKind = 'new_company' | 'promotion' | 'departure';

/** A move of a person (D-25, D-26), dated by the revision that showed it; in order of (date, person ref, rev). */
export type ObservedMove = Placed & {
  readonly personRef: string;
  readonly rev: number;
  readonly observedAt: string;
  readonly change: MoveKind;
  /** The current position before. */
  readonly from: Experience | null;
  /** `from`, or the last ended position if that is null; ended if the new revision says so. */
  readonly previous: Experience | null;
  /** The current position after; null for a departure. */
  readonly current: Experience | null;
  readonly previousCompany: CompanyFacts | null;
  readonly currentCompany: CompanyFacts | null;
  /** The person at the moment of reading, which may be long after the move. */
  readonly person: PersonFacts;
};

export type HeadcountSearch = Window &
  Paging & {
    /** Absent: every company. */
    readonly companyRefs?: readonly string[];
  };

/**
 * The number of employees of a company or department. An observation without a company or number is not read (D-70).
 */
export type ObservedHeadcount = Placed & {
  readonly ref: string;
  readonly rev: number;
  readonly companyRef: string;
  /** Null if the company is unknown. */
  readonly company: CompanyFacts | null;
  /** Null: the whole company. */
  readonly department: string | null;
  readonly employees: number;
  readonly observedAt: string;
};

/** Kinds of company events (D-72). */
export type CompanyEventKind = 'funding' | 'location_opened' | 'renewal_due';

export type CompanyEventSearch = Window &
  Paging & {
    readonly events: readonly CompanyEventKind[];
    /** Absent: every company. */
    readonly companyRefs?: readonly string[];
  };

/**
 * An event of a company. Its own date is occurred_at; a renewal is dated by its due day, 00:00Z of
 * `fields.renewal_date`, so that a window of days finds it (D-73).
 */
export type ObservedCompanyEvent = Placed & {
  readonly ref: string;
  readonly rev: number;
  readonly event: CompanyEventKind;
  readonly companyRef: string;
  /** Null if the company is unknown. */
  readonly company: CompanyFacts | null;
  /** As observed: any JSON under any name. */
  readonly fields: JsonObject;
  readonly occurredAt: string | null;
};

/**
 * The observations of the network as candidates for runs, all read by window, scope and position. Facts of people
 * and companies are those at the moment of reading.
 *
 * | Detectors (docs/rules/detectors.md) | Read |
 * |---|---|
 * | keyword posts of everybody | `posts` with keywords |
 * | of listed, top or covered accounts: pages and people | `posts` with keywords of `whose` |
 * | `max_posts_to_scrape` (D-05) | `beforeNewestPosts`, `beforeNewestJobPostings` |
 * | keywords in job postings, topics (D-36) | `jobPostings` with keywords, of everybody or of companies |
 * | new postings, hiring managers | `jobPostings` |
 * | insight (D-37): more postings of one company | `jobPostings` of a company |
 * | engagement inbound: others act on posts of the tracked side | `interactions` `on` it |
 * | engagement outbound: the tracked side acts | `interactions` `by` it |
 * | the other side works for a top or covered account | `interactions` with `by` and `on` |
 * | moves of everybody | `moves` |
 * | to found top accounts, to covered accounts | `moves` to companies |
 * | departures from listed companies | `moves` from companies |
 * | champions since they were added (D-50) | `moves` of people |
 * | words in posts of one person (D-61) | `posts` with keywords of `whose` |
 * | headcount: candidates, and the series of each company (D-70) | `headcounts`, of everybody or of companies |
 * | funding, new locations | `companyEvents`, of everybody or of companies |
 * | renewals of listed companies (D-73) | `companyEvents` of companies, a window of days |
 * | passages about a company (D-81) | `posts`, `jobPostings`, `companyEvents` of it, the newest 500 by `beforeNewest…` |
 *
 * An observation that the network shows late has an old date and position: a reader that has passed the position misses
 * it, and the next one finds it if its window reaches back far enough (D-04).
 *
 * Errors: every method rejects with `StoreUnavailable` or `StoreUnusable` as the event store does.
 */
export interface NetworkSource {
  /** The results are exactly those of `keywordMatcher`; an index only reduces the reads. */
  posts(search: PostSearch): Promise<Page<ObservedPost>>;
  /** As `posts`. */
  jobPostings(search: JobPostingSearch): Promise<Page<ObservedJobPosting>>;
  /** For equal date and ref a comment comes before a reaction. */
  interactions(search: InteractionSearch): Promise<Page<ObservedInteraction>>;
  moves(search: MoveSearch): Promise<Page<ObservedMove>>;
  headcounts(search: HeadcountSearch): Promise<Page<ObservedHeadcount>>;
  companyEvents(search: CompanyEventSearch): Promise<Page<ObservedCompanyEvent>>;
  /**
   * The position after which exactly the newest `count` posts of the window follow; null if there are no more than
   * that, so that the whole window is read.
   */
  beforeNewestPosts(window: PostWindow, count: number): Promise<ReadPosition | null>;
  /** As `beforeNewestPosts`. */
  beforeNewestJobPostings(window: JobPostingWindow, count: number): Promise<ReadPosition | null>;
}
