import type { JsonObject } from '#kernel/values/json.js';
import type { AnswerBody } from './answer-text.js';
import type { Pieces } from './pieces.js';
import type { Answer, PoliteClient, Validators } from './polite-client.js';

/** Under which terms a provider is read. */
export type Terms = {
  /** Where they stand. */
  readonly url: string;
  readonly verdict: string;
  /** As of when they were read for this kind, YYYY-MM-DD; null: each site has its own, which its operator reads. */
  readonly readOn: string | null;
  /** The shortest time from one request to the next, in milliseconds. */
  readonly paceMs: number;
};

/** What a kind shows: postings are closed when a complete reading lacks them, other things never are. */
export type Gives = 'postings' | 'posts' | 'company events' | 'records';

/** What of a source its kind reads by. */
export type SourceParts = {
  readonly boardId: string;
  /** Where a feed, a page or a file is read. */
  readonly url: string;
  /** Where the provider's API is read instead of at the provider. */
  readonly baseUrl: string | null;
  /** Of the addresses in a sitemap only those that contain it are read. */
  readonly match: string | null;
  readonly mapping: JsonObject | null;
  readonly redactsContacts: boolean;
};

/** What an answer is parsed by. */
export type ParseOf = SourceParts & {
  /** Ref of the company or person that the source is bound to. Where the source says it itself: empty. */
  readonly subjectRef: string;
};

/** An item as a line of an ingest (docs/OBSERVATIONS.md). */
export type Line = { readonly kind: string; readonly ref: string; readonly [member: string]: unknown };

/** What one answer says. */
export type Parsed = {
  /** Its items, read once and made as they are read; null for one without a text or a name. */
  readonly lines: Iterable<Line | null>;
  /** Refs of all its items, with those that are skipped: what is listed here is not gone. */
  readonly refs: readonly string[];
  /** How many of its items count for paging, with those that are not listed. */
  readonly items: number;
  /** How many there are on all pages, where it says so. */
  readonly total: number | null;
  /** Addresses that it leads to. */
  readonly links: readonly string[];
  /** Hours of the day, UTC, in which it asks not to be read. */
  readonly skipHours: readonly number[];
};

/** The same, its lines some at a time. Who asks for it reads them to the end, or closes them. */
export type ParsedAnswer = Omit<Parsed, 'lines'> & { readonly lines: Pieces<Line> };

/** An item, and when the request for it was sent. */
export type SeenLine = { readonly line: Line; readonly sentAtMs: number };

/** What a source shows: all of it, or why that is not known. */
export type SourceReading =
  | {
      readonly outcome: 'read';
      /** Read to the end or closed. Rejects with `MalformedAnswer` where it goes on as it is not documented. */
      readonly lines: Pieces<SeenLine>;
      /** Refs of what is listed, with those without a text or a name. */
      readonly refs: readonly string[];
      /** What the provider lists, with the items that are skipped; null: as many as there are lines and skipped items. */
      readonly items: number | null;
      /** Whether it was read in pieces, between which something may have moved. */
      readonly isPaged: boolean;
      /** Whether it lists all there is: what a part lacks may be elsewhere. */
      readonly isWhole: boolean;
      /** When the first request was sent. */
      readonly sentAtMs: number;
      readonly validators: Validators;
      readonly notBeforeMs: number;
      readonly movedTo: string | null;
      readonly skipHours: readonly number[];
      /** What the next reading need not ask for again. */
      readonly known: readonly string[];
    }
  | Exclude<Answer, { readonly outcome: 'read' }>;

/** Parses an answer, here or on a thread. Rejects with `MalformedAnswer`. */
export type Parse = (kind: string, body: AnswerBody, of: ParseOf) => Promise<ParsedAnswer>;

/** Domains of companies, and handles of people and companies. */
export type Names = { readonly domains: readonly string[]; readonly handles: readonly string[] };
/** The refs of those who are observed, each by the name; what names nobody or several is left out. */
export type RefsOfNames = {
  readonly domains: ReadonlyMap<string, string>;
  readonly handles: ReadonlyMap<string, string>;
};

/** What a kind reads with. */
export type ReadWith = {
  readonly client: PoliteClient;
  readonly parse: Parse;
  /** Null: read it whatever it says. */
  readonly validators: Validators | null;
  /** What earlier readings need not ask for again. */
  readonly known: readonly string[];
  readonly signal: AbortSignal;
  /** Told of requests that were answered, for a progress bar; `total` is null where it is not known. */
  readonly onRequest: (done: number, total: number | null) => void;
  /** Told of what was read of a file, in bytes. */
  readonly onBytes: (done: number, total: number) => void;
  /** Real time in milliseconds. */
  readonly nowMs: () => number;
  /** Who goes by these names now. */
  readonly refsOf: (names: Names) => Promise<RefsOfNames>;
};

/** One kind of sources: a file of its own, and a line in the list of kinds. */
export type SourceKind = {
  readonly name: string;
  readonly gives: Gives;
  readonly terms: Terms;
  /** The host that is asked first: sources of one host are polled one after the other. */
  readonly hostOf: (of: SourceParts) => string;
  /** The usual pause between two polls, in milliseconds. */
  readonly pauseMs: number;
  /** Whether its address is that of what is read. */
  readonly isReadAtUrl: boolean;
  /**
   * The address that tells where it is read, and that follows when this moves for good (SRC-03). Null: it is read at its
   * provider, always.
   */
  readonly whereRead: (of: Pick<SourceParts, 'url'>) => string | null;
  /** Whether it is a file of this machine: nobody is asked, and it is the data of one customer (SRC-10). */
  readonly isFile: boolean;
  /** The provider's id of what an address of a person or a program names; null: none of this kind. */
  readonly boardAt: (address: URL) => string | null;
  /** The same, where the operator names the kind; null: the address cannot be of this kind. */
  readonly boardNamed: (address: URL) => string | null;
  /** Reads an answer. Pure. Throws `MalformedAnswer`. */
  readonly parse: (body: string, of: ParseOf) => Parsed;
  /** Reads the source as a whole. Rejects with `MalformedAnswer` where it is not as documented. */
  readonly read: (of: ParseOf, by: ReadWith) => Promise<SourceReading>;
};
