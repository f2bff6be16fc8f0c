import type { JsonObject } from '#kernel/values/json.js';
import type { MatchMode } from './keyword-matching.js';
import type { CompanyFacts, PersonFacts } from './network-directory.port.js';
import type { Experience, Salary, Workplace } from './observation.js';
import type { ReadPosition } from './position.js';

export type { ReadPosition } from './position.js';

/**
 * Which time is looked at (D-02). What has no date is in no window. Posts, job postings and company events that a
 * source showed late stand where they were first seen (SRC-02), and not at their own date.
 */
export type Window = {
  /** Exclusive. */
  readonly after: Date;
  /** Inclusive lower bound of the own date, where a start date raises it (D-03). */
  readonly from?: Date;
  /** Inclusive. */
  readonly until: Date;
};

/**
 * The pages of these companies, the people whose present employer is one of them (D-12), and these people, as
 * they are known at the moment of reading.
 */
export type Whose = {
  readonly companyRefs: readonly string[];
  readonly personRefs: readonly string[];
};

/** Where a page begins and how much it may hold. */
export type Paging = {
  /** Where the last page ended; absent or null: at the beginning of the window. */
  readonly position?: ReadPosition | null;
  /** At most so many, at least 1. */
  readonly limit: number;
};

/**
 * Some of what a window holds, in order of (date, ref), refs as code points (D-05). A page may hold less than
 * its limit, even nothing, and not be the last one.
 */
export type Page<Item> = {
  readonly items: readonly Item[];
  /** Where the next page goes on; null when this is the last one. */
  readonly next: ReadPosition | null;
};

/** The reading of a source that showed the revision that is read (SRC-07); null: it was piped in. */
export type ReadingOf = { readonly sourceId: string; readonly readAtMs: number } | null;

/** Each thing that is read knows its place, so that a reader can go on behind any of them. */
type Placed = { readonly position: ReadPosition; readonly reading: ReadingOf };

/** Who wrote or did something. A person comes with the present employer, when that is known. */
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
    /** Absent: every post of the window, with no keywords found. Present and empty: none. */
    readonly keywords?: readonly string[];
    readonly mode?: MatchMode;
  };

/** A post with what is known at the moment of reading about its author and the echo it had. */
export type ObservedPost = Placed & {
  readonly ref: string;
  readonly rev: number;
  readonly url: string | null;
  readonly text: string;
  /** Its own date; where it has none, when it was first seen. */
  readonly publishedAt: string;
  readonly authorRef: string | null;
  /** Null when the author is not known. */
  readonly author: Author | null;
  readonly commentCount: number;
  readonly reactionCount: number;
  /** As `keywordMatcher` gives them. */
  readonly keywordsFound: readonly string[];
};

/** Job postings, also those without any text. */
export type JobPostingWindow = Window & {
  /** What was closed at or before it is left out (SRC-05). */
  readonly now: Date;
  /** Postings of these companies; absent: of the whole network. */
  readonly companyRefs?: readonly string[];
};

export type JobPostingSearch = JobPostingWindow &
  Paging & {
    /** Looked for in title and description together. Absent: every posting. Present and empty: none. */
    readonly keywords?: readonly string[];
    readonly mode?: MatchMode;
  };

/** A job posting with what is known at the moment of reading about who posted it. */
export type ObservedJobPosting = Placed & {
  readonly ref: string;
  readonly rev: number;
  readonly title: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly url: string | null;
  /** Its own date; where it has none, when it was first seen. */
  readonly postedAt: string;
  /** The date that windows and their order go by. */
  readonly windowAt: string;
  readonly department: string | null;
  readonly workplace: Workplace | null;
  readonly salary: Salary | null;
  readonly companyRef: string | null;
  readonly company: CompanyFacts | null;
  readonly hiringManager: PersonFacts | null;
  /** Where the hiring manager works now. */
  readonly hiringManagerCompany: CompanyFacts | null;
  /** As `keywordMatcher` gives them. */
  readonly keywordsFound: readonly string[];
};

export type InteractionKind = 'comment' | 'reaction';

/**
 * Comments and reactions. With `by` and `on` both must hold. What is by nobody in `by` and on no post of `on`
 * is never read.
 */
export type InteractionSearch = Window &
  Paging & {
    readonly kinds: readonly InteractionKind[];
  } & (
    | {
        /** Who commented or reacted. */
        readonly by: Whose;
        /** Whose posts these are on. */
        readonly on?: Whose;
      }
    | { readonly by?: Whose; readonly on: Whose }
  );

/**
 * A comment or a reaction, joined to the post that it belongs to; a comment on a comment belongs to the post of
 * that one. What belongs to no post that was observed, or is by nobody, is not read.
 */
export type ObservedInteraction = Placed & {
  readonly kind: InteractionKind;
  readonly ref: string;
  readonly rev: number;
  /** Of a comment; null for a reaction. */
  readonly url: string | null;
  /** Of a comment; null for a reaction. */
  readonly text: string | null;
  /** Of a reaction, as the network names it; null for a comment. */
  readonly reaction: string | null;
  /** When it was commented or reacted. */
  readonly happenedAt: string;
  readonly actorRef: string;
  /** Null when who did it is not known. */
  readonly actor: Author | null;
  readonly post: {
    readonly ref: string;
    readonly rev: number;
    readonly reading: ReadingOf;
    readonly url: string | null;
    readonly text: string | null;
    readonly publishedAt: string | null;
    readonly authorRef: string | null;
    /** Null when the author is not known. */
    readonly author: Author | null;
  };
};

/** Whose moves: of these people, to these companies, or away from these (D-26). */
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
  /** The present position before. */
  readonly from: Experience | null;
  /** `from`, or where that is null the position that ended last; ended when the new revision says so. */
  readonly previous: Experience | null;
  /** The present position after; null at a departure. */
  readonly current: Experience | null;
  readonly previousCompany: CompanyFacts | null;
  readonly currentCompany: CompanyFacts | null;
  /** The person as known at the moment of reading, which may be long after the move. */
  readonly person: PersonFacts;
};

export type HeadcountSearch = Window &
  Paging & {
    /** Absent: of every company. */
    readonly companyRefs?: readonly string[];
  };

/** How many work at a company, or in a department of it. Without a company or a number it is not read (D-70). */
export type ObservedHeadcount = Placed & {
  readonly ref: string;
  readonly rev: number;
  readonly companyRef: string;
  /** Null when the company is not known. */
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
    /** Absent: of every company. */
    readonly companyRefs?: readonly string[];
  };

/**
 * Something that happened to a company. Its own date is occurred_at; that of a renewal is the day it is
 * due, 00:00Z of `fields.renewal_date`, so that a window of days finds it (D-73).
 */
export type ObservedCompanyEvent = Placed & {
  readonly ref: string;
  readonly rev: number;
  readonly event: CompanyEventKind;
  readonly companyRef: string;
  /** Null when the company is not known. */
  readonly company: CompanyFacts | null;
  /** As they were observed: any JSON under any name. */
  readonly fields: JsonObject;
  readonly occurredAt: string | null;
};

/**
 * What happens on the network: candidates for runs, all read in one way, by window, scope and position. Facts of
 * people and companies are those at the moment of reading.
 *
 * | Detectors (docs/rules/detectors.md) | Read |
 * |---|---|
 * | keyword posts of everybody | `posts` with keywords |
 * | of listed, top or covered accounts: pages and people | `posts` with keywords of `whose` |
 * | `max_posts_to_scrape` (D-05) | `beforeNewestPosts`, `beforeNewestJobPostings` |
 * | keywords in job postings, topics (D-36) | `jobPostings` with keywords, of everybody or of companies |
 * | new postings, hiring managers | `jobPostings` |
 * | insight (D-37): more postings of one company | `jobPostings` of a company |
 * | engagement inbound: what others do on posts of the tracked side | `interactions` `on` it |
 * | engagement outbound: what the tracked side does | `interactions` `by` it |
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
 * What the network shows late has an old date and so an old place: a reader that went past that does not see it,
 * the next one does when its window reaches back far enough (D-04).
 *
 * Errors: every method rejects with `StoreUnavailable` or `StoreUnusable` as the event store does.
 */
export interface NetworkSource {
  /** What is found is exactly what `keywordMatcher` finds; an index only saves looking at the rest. */
  posts(search: PostSearch): Promise<Page<ObservedPost>>;
  /** As `posts`. */
  jobPostings(search: JobPostingSearch): Promise<Page<ObservedJobPosting>>;
  /** Where a comment and a reaction have one date and ref, the comment comes first. */
  interactions(search: InteractionSearch): Promise<Page<ObservedInteraction>>;
  moves(search: MoveSearch): Promise<Page<ObservedMove>>;
  headcounts(search: HeadcountSearch): Promise<Page<ObservedHeadcount>>;
  companyEvents(search: CompanyEventSearch): Promise<Page<ObservedCompanyEvent>>;
  /**
   * The position behind which exactly the newest `count` posts of the window follow; null when it holds no
   * more than that, so that the whole window is looked at.
   */
  beforeNewestPosts(window: PostWindow, count: number): Promise<ReadPosition | null>;
  /** As `beforeNewestPosts`. */
  beforeNewestJobPostings(window: JobPostingWindow, count: number): Promise<ReadPosition | null>;
}
