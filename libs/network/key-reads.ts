import type { InteractionKind, ReadingOf } from './network-source.port.js';
import type { CompanyFacts, PersonFacts } from './network-directory.port.js';
import type { RecordedMove } from './moves.js';
import type { OrderPoint } from './position.js';

/** The records that a store can read in the order of time, with the ref that selects them. */
export type KeyOrder =
  /** By the actor, or by the author of the post; never for everybody. */
  | { readonly of: InteractionKind; readonly by: 'actor' | 'host' }
  | { readonly of: 'headcount' | 'company_event'; readonly by: 'company' }
  | { readonly of: 'move'; readonly by: 'person' | 'to' | 'from' };

/** An observation in the order of a lane. */
export type Key = OrderPoint & {
  /** For a comment or reaction: its actor, and the author of the post ('' if unknown). */
  readonly actor: string | null;
  readonly host: string | null;
  /** For a move that was read completely with its key. */
  readonly move?: RecordedMove;
  /** For a move read with `withTitle`: the new title; undefined if the store does not have it. */
  readonly title?: string | null;
};

/** Members by ref, or all people whose current employer is one of these companies. */
export type Members = { readonly refs: readonly string[] } | { readonly workersOf: readonly string[] };

/** A range of a lane after a position, up to a moment. */
export type LaneRange = {
  readonly from: OrderPoint;
  readonly lastMs: number;
  readonly limit: number;
  /** For moves of everybody: read only the new title instead of the whole move. */
  readonly withTitle?: boolean;
};

/** An observation as it is stored now. */
export type StoredBody = {
  readonly body: string;
  /** The date of the window, in milliseconds. */
  readonly at: number | null;
  /** For a comment or reaction: its post, and the author of the post. */
  readonly target: string | null;
  readonly host: string | null;
  readonly reading: ReadingOf;
};

/** The reads of a store for everything without a keyword search. */
export type KeyStore = {
  /** Keys of these members (null: of everybody), in order, at most `limit`; for members from the index alone. */
  readonly keys: (lane: KeyOrder, members: Members | null, range: LaneRange) => Promise<readonly Key[]>;
  /** The people whose current employer is one of these companies, in groups. */
  readonly workers: (companyRefs: readonly string[]) => AsyncIterable<Members>;
  /** The number of these people. */
  readonly workerCount: (companyRefs: readonly string[]) => Promise<number>;
  /** The people among these who currently work for one of the companies. */
  readonly workingAt: (
    companyRefs: ReadonlySet<string>,
    personRefs: readonly string[],
  ) => Promise<ReadonlySet<string>>;
  /** By ref; missing ones are left out. */
  readonly bodies: (
    kind: InteractionKind | 'post' | 'headcount' | 'company_event',
    refs: readonly string[],
  ) => Promise<ReadonlyMap<string, StoredBody>>;
  /** One for each key, in the requested order. */
  readonly moves: (keys: readonly Key[]) => Promise<readonly RecordedMove[]>;
  /** By ref; unknown ones are left out. */
  readonly companies: (refs: readonly string[]) => Promise<ReadonlyMap<string, CompanyFacts>>;
  /** By ref; unknown ones are left out. */
  readonly people: (refs: readonly string[]) => Promise<ReadonlyMap<string, PersonFacts>>;
};
