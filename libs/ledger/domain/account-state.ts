import type { Credits } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import type { StreamPoint } from '#kernel/commands/decider.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';
import { emptyBooks, type Books } from './books.js';
import { emptyCharges, type Charges } from './charges.js';
import type { RememberedSum } from './corrections.js';
import type { CreditPayloads } from './credits.events.js';
import { emptyLimits, type Limits } from './limits.js';
import type { LotTerms } from './lot-facts.js';
import type { RecentPosting } from './recent-postings.js';
import { emptyWatch, type Watch } from './thresholds.js';

/** A recorded grant, withdrawal or adjustment. A repetition is compared with it. */
export type Posting = {
  readonly kind: 'grant' | 'withdrawal' | 'adjustment' | 'import' | 'reversal';
  readonly movementId: number;
  readonly credits: Credits;
  readonly corrects: number | null;
  /** For a grant or adjustment with terms. */
  readonly terms: LotTerms | null;
  /** The lot that the caller named to take credits from. */
  readonly lot: number | null;
  /** Revision of its entry; null if it was looked up. */
  readonly postedAt: bigint | null;
};

/**
 * The state that decides about a workspace's money: sums, open holds, sealed months, and used keys. Keys older than
 * `memory` says are looked up when a decision needs them.
 */
export type CreditAccount = {
  readonly books: Books;
  readonly charges: Charges;
  readonly postings: Postings;
  readonly sealedMonths: JournaledMap<string, PeriodSeal>;
  readonly limits: Limits;
  readonly recurring: RecurringRules;
  readonly openings: Openings;
  readonly watch: Watch;
  readonly memory: LedgerMemory;
};

/** A running recurring grant. */
export type RecurringRule = Immutable<CreditPayloads['RecurringGrantAdded']> & {
  /** How many of its grants were given or skipped. */
  readonly passed: number;
};

/** The recurring grants of a ledger: the running ones, the number of the newest, and keys of ended ones. */
export type RecurringRules = {
  last: number;
  readonly open: JournaledMap<number, RecurringRule>;
  /** By key, in the order in which they ended; only the newest. */
  readonly over: JournaledMap<string, RecurringRule>;
};

/** Openings imported from another system: the current one, and those that were reversed. */
export type Openings = { current: CurrentOpening | null; reversed: readonly ReversedOpening[] };
export type CurrentOpening = {
  readonly movementId: number;
  /** Revision of its entry. */
  readonly revision: bigint;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly credits: Credits;
  /** Credits without terms. */
  readonly plain: Credits;
  /** The lots of the opening, open or not. */
  readonly lots: readonly number[];
  /** How many subjects were paid for elsewhere, and over how many streams they are spread. */
  readonly paid: { readonly count: number; readonly streams: number };
};
export type ReversedOpening = Pick<CurrentOpening, 'hash' | 'credits'>;

/** The seal of a month: the payload of its PeriodSealed. */
export type PeriodSeal = CreditPayloads['PeriodSealed'];

type Postings = {
  /** Every posting by its movement id, so that an adjustment can name it. */
  readonly byMovement: JournaledMap<number, Posting>;
  /** Grants and withdrawals share one set of keys, adjustments have their own. */
  readonly byGrantKey: JournaledMap<string, Posting>;
  readonly byAdjustKey: JournaledMap<string, Posting>;
  /** Sums of adjustments, by the movement that they correct. */
  readonly corrections: JournaledMap<number, RememberedSum>;
  /** Sums of the credits of a grant that expired or were reversed with its opening, by the movement of the grant. */
  readonly ended: JournaledMap<number, RememberedSum>;
  /** Grants and withdrawals of the last day that have no key, in the order of the ledger. */
  readonly recent: JournaledMap<number, RecentPosting>;
};

/** Which part of a ledger's history its state holds. */
export type LedgerMemory = {
  /** Revision of the last entry; -1 before the first. */
  revision: bigint;
  /**
   * Revision of the last entry that charges have to be prepared after: a stop, a grant, an adjustment or a change of
   * billing. It may be a later entry if the state comes from a snapshot.
   */
  preparedAfter: bigint;
  /** Keys and movements whose last change is at or before this position are looked up; null: nothing is forgotten. */
  forgotten: StreamPoint | null;
  /** Questions for which a look-up proved that no fact exists up to that position. */
  readonly absent: Set<string>;
};

/** A ledger without entries. */
export function emptyAccount(): CreditAccount {
  return {
    books: emptyBooks(),
    charges: emptyCharges(),
    postings: {
      byMovement: new JournaledMap(),
      byGrantKey: new JournaledMap(),
      byAdjustKey: new JournaledMap(),
      corrections: new JournaledMap(),
      ended: new JournaledMap(),
      recent: new JournaledMap(),
    },
    sealedMonths: new JournaledMap(),
    limits: emptyLimits(),
    recurring: { last: 0, open: new JournaledMap(), over: new JournaledMap() },
    openings: { current: null, reversed: [] },
    watch: emptyWatch(),
    memory: { revision: -1n, preparedAfter: -1n, forgotten: null, absent: new Set() },
  };
}
