import type { InteractionKind, ReadingOf } from './network-source.port.js';
import type { CompanyFacts, PersonFacts } from './network-directory.port.js';
import type { RecordedMove } from './moves.js';
import type { OrderPoint } from './position.js';

/** What a store can read in the order of time, by what it is looked for. */
export type KeyOrder =
  /** By who commented or reacted, or by whose post it is on; never of everybody. */
  | { readonly of: InteractionKind; readonly by: 'actor' | 'host' }
  | { readonly of: 'headcount' | 'company_event'; readonly by: 'company' }
  | { readonly of: 'move'; readonly by: 'person' | 'to' | 'from' };

/** A thing in the order of a lane. */
export type Key = OrderPoint & {
  /** Of a comment or reaction: who did it, and whose post it is on ('' where nobody knows). */
  readonly actor: string | null;
  readonly host: string | null;
  /** Of a move that was read whole with its key. */
  readonly move?: RecordedMove;
  /** Of a move that was asked for by `withTitle`: the new title; undefined where the store did not keep it. */
  readonly title?: string | null;
};

/** Members by ref, or everybody whose present employer is one of these companies. */
export type Members = { readonly refs: readonly string[] } | { readonly workersOf: readonly string[] };

/** The things of a lane behind a place, up to a moment. */
export type LaneRange = {
  readonly from: OrderPoint;
  readonly lastMs: number;
  readonly limit: number;
  /** Of moves of everybody: with the new title instead of all that was recorded. */
  readonly withTitle?: boolean;
};

/** An observation as it is stored now. */
export type StoredBody = {
  readonly body: string;
  /** The date that windows go by, in milliseconds. */
  readonly at: number | null;
  /** Of a comment or reaction: its post, and who wrote that. */
  readonly target: string | null;
  readonly host: string | null;
  readonly reading: ReadingOf;
};

/** What the answers about things without a search for words are made of. */
export type KeyStore = {
  /** Keys of these members (null: of everybody), in order, at most `limit`; of members from the index alone. */
  readonly keys: (lane: KeyOrder, members: Members | null, range: LaneRange) => Promise<readonly Key[]>;
  /** The people whose present employer is one of these companies, some at a time. */
  readonly workers: (companyRefs: readonly string[]) => AsyncIterable<Members>;
  /** How many people these are. */
  readonly workerCount: (companyRefs: readonly string[]) => Promise<number>;
  /** Which of these people work for one of the companies now. */
  readonly workingAt: (
    companyRefs: ReadonlySet<string>,
    personRefs: readonly string[],
  ) => Promise<ReadonlySet<string>>;
  /** By ref; what is not there is left out. */
  readonly bodies: (
    kind: InteractionKind | 'post' | 'headcount' | 'company_event',
    refs: readonly string[],
  ) => Promise<ReadonlyMap<string, StoredBody>>;
  /** One for each key, in the order asked. */
  readonly moves: (keys: readonly Key[]) => Promise<readonly RecordedMove[]>;
  /** By ref; what is not known is left out. */
  readonly companies: (refs: readonly string[]) => Promise<ReadonlyMap<string, CompanyFacts>>;
  /** By ref; what is not known is left out. */
  readonly people: (refs: readonly string[]) => Promise<ReadonlyMap<string, PersonFacts>>;
};
