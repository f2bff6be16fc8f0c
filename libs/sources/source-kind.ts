import type { JsonObject } from '#kernel/values/json.js';
import type { AnswerBody } from './answer-text.js';
import type { Pieces } from './pieces.js';
import type { Answer, PoliteClient, Validators } from './polite-client.js';

/** The terms under which a provider is read. */
export type Terms = {
  /** The address of the terms. */
  readonly url: string;
  readonly verdict: string;
  /** When they were read for this kind, YYYY-MM-DD; null: each site has its own, which its operator reads. */
  readonly readOn: string | null;
  /** The minimum interval between requests, in milliseconds. */
  readonly paceMs: number;
};

/** The items of a kind: postings are closed when a complete reading lacks them, other items never are. */
export type Gives = 'postings' | 'posts' | 'company events' | 'records';

/** The members of a source that its kind uses to read it. */
export type SourceParts = {
  readonly boardId: string;
  /** The address of a feed, page or file. */
  readonly url: string;
  /** The mirror whose API is read instead of the provider's. */
  readonly baseUrl: string | null;
  /** Only addresses of a sitemap that contain this text are read. */
  readonly match: string | null;
  readonly mapping: JsonObject | null;
  readonly redactsContacts: boolean;
};

/** The input of parsing an answer. */
export type ParseOf = SourceParts & {
  /** Ref of the company or person that the source is bound to; empty if the items name it themselves. */
  readonly subjectRef: string;
};

/** An item as a line for ingestion (docs/OBSERVATIONS.md). */
export type Line = { readonly kind: string; readonly ref: string; readonly [member: string]: unknown };

/** The content of one answer. */
export type Parsed = {
  /** Its items, to be read once, made while they are read; null for an item without a text or a name. */
  readonly lines: Iterable<Line | null>;
  /** Refs of all its items, including skipped ones: an item listed here is not gone. */
  readonly refs: readonly string[];
  /** The number of items that count for paging, including unlisted ones. */
  readonly items: number;
  /** The total over all pages, if stated. */
  readonly total: number | null;
  /** Links to further addresses. */
  readonly links: readonly string[];
  /** Hours of the day, UTC, in which the source asks not to be read. */
  readonly skipHours: readonly number[];
  /** The number of its items that cannot be read, for a kind that leaves such items out. */
  readonly unreadable?: number;
};

/** The same with its lines in pieces. The caller reads them to the end or closes them. */
export type ParsedAnswer = Omit<Parsed, 'lines'> & { readonly lines: Pieces<Line> };

/** An item, and when its request was sent. */
export type SeenLine = { readonly line: Line; readonly sentAtMs: number };

/** The items of a source, or why they are unknown. */
export type SourceReading =
  | {
      readonly outcome: 'read';
      /**
       * Must be read to the end or closed. Rejects with `MalformedAnswer` if a later part differs from the documented
       * form.
       */
      readonly lines: Pieces<SeenLine>;
      /** Refs of all listed items, including those without a text or a name. */
      readonly refs: readonly string[];
      /** The number of listed items, including skipped ones; null: the number of lines and skipped items. */
      readonly items: number | null;
      /**
       * Whether a missing item may still exist: it may have moved between the requests of two pages, or its page may be
       * temporarily without it.
       */
      readonly isPaged: boolean;
      /** Whether it lists everything: an item missing in a part may be elsewhere. */
      readonly isWhole: boolean;
      /** When the first request was sent. */
      readonly sentAtMs: number;
      readonly validators: Validators;
      readonly notBeforeMs: number;
      readonly movedTo: string | null;
      readonly skipHours: readonly number[];
      /** What the next reading needs to know: see `ReadWith`. */
      readonly known: readonly string[];
    }
  | Exclude<Answer, { readonly outcome: 'read' }>;

/** Parses an answer, here or on a thread. Rejects with `MalformedAnswer`. */
export type Parse = (kind: string, body: AnswerBody, of: ParseOf) => Promise<ParsedAnswer>;

/** Domains of companies, and handles of people and companies. */
export type Names = { readonly domains: readonly string[]; readonly handles: readonly string[] };
/** The refs of observed companies and people by name; unknown and ambiguous names are left out. */
export type RefsOfNames = {
  readonly domains: ReadonlyMap<string, string>;
  readonly handles: ReadonlyMap<string, string>;
};

/** What reading needs. */
export type ReadWith = {
  readonly client: PoliteClient;
  readonly parse: Parse;
  /** Null: read it even if it has not changed. */
  readonly validators: Validators | null;
  /**
   * What the last reading of this kind kept: items that need not be requested again, or pages that showed a posting.
   */
  readonly known: readonly string[];
  /** Whether known items are requested again, because they name an earlier company of the source (SRC-04). */
  readonly readsKnownAgain: boolean;
  readonly signal: AbortSignal;
  /** Called with the number of answered requests, for a progress bar; `total` is null if unknown. */
  readonly onRequest: (done: number, total: number | null) => void;
  /** Called with the bytes read of a file. */
  readonly onBytes: (done: number, total: number) => void;
  /** Real time in milliseconds. */
  readonly nowMs: () => number;
  /** The companies and people that currently have these names. */
  readonly refsOf: (names: Names) => Promise<RefsOfNames>;
};

/** One kind of sources: one file, and a line in the list of kinds. */
export type SourceKind = {
  readonly name: string;
  readonly gives: Gives;
  readonly terms: Terms;
  /** The host of the first request: sources of one host are polled one after the other. */
  readonly hostOf: (of: SourceParts) => string;
  /** The usual pause between two polls, in milliseconds. */
  readonly pauseMs: number;
  /** Whether its address is the one that is read. */
  readonly isReadAtUrl: boolean;
  /** The address that is read and that follows a permanent move (SRC-03). Null: it is always read at its provider. */
  readonly whereRead: (of: Pick<SourceParts, 'url'>) => string | null;
  /** Whether it is a local file: no provider is asked, and the data belongs to one customer (SRC-10). */
  readonly isFile: boolean;
  /** The provider's id of the board at an address for people or programs; null: not of this kind. */
  readonly boardAt: (address: URL) => string | null;
  /** The same if the operator names the kind; null: the address cannot be of this kind. */
  readonly boardNamed: (address: URL) => string | null;
  /** Parses an answer. Pure. Throws `MalformedAnswer`. */
  readonly parse: (body: string, of: ParseOf) => Parsed;
  /** Reads the source. Rejects with `MalformedAnswer` if it differs from the documented form. */
  readonly read: (of: ParseOf, by: ReadWith) => Promise<SourceReading>;
};
