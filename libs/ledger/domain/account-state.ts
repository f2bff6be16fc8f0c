import type { Credits } from '#kernel/values/credits.js';
import type { Immutable } from '#kernel/events/event.js';
import type { StreamPlace } from '#kernel/commands/decider.js';
import { JournaledMap } from '#kernel/commands/journaled-map.js';
import { emptyBooks, type Books } from './books.js';
import { emptyCharges, type Charges } from './charges.js';
import type { Corrections } from './corrections.js';
import type { CreditPayloads } from './credits.events.js';
import { emptyLimits, type Limits } from './limits.js';
import type { LotTerms } from './lots.js';
import type { RecentPosting } from './recent-postings.js';
import { emptyWatch, type Watch } from './thresholds.js';

/** A grant, withdrawal or adjustment that was made: what a repetition of it is compared with. */
export type Posting = {
  readonly kind: 'grant' | 'withdrawal' | 'adjustment' | 'import' | 'reversal';
  readonly movementId: number;
  readonly credits: Credits;
  readonly corrects: number | null;
  /** Of a grant with terms. */
  readonly terms: LotTerms | null;
  /** The lot that was named to take credits from. */
  readonly lot: number | null;
  /** Revision of its entry; null for one that was looked up. */
  readonly postedAt: bigint | null;
};

/**
 * All that decides about a workspace's money: sums, open holds, sealed months, and the keys that were used.
 * Keys older than `memory` tells are looked up when a decision asks for them.
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

/** A recurring grant that goes on. */
export type RecurringRule = Immutable<CreditPayloads['RecurringGrantAdded']> & {
  /** How many of its grants were given or skipped. */
  readonly passed: number;
};

/** The recurring grants of a ledger: those that go on, the number of the newest, and keys of those that are over. */
export type RecurringRules = {
  last: number;
  readonly open: JournaledMap<number, RecurringRule>;
  /** By key, in the order in which they ended: the newest alone. */
  readonly over: JournaledMap<string, RecurringRule>;
};

/** What came from another system: the opening that counts, and those that were reversed. */
export type Openings = { current: CurrentOpening | null; reversed: readonly ReversedOpening[] };
export type CurrentOpening = {
  readonly movementId: number;
  /** Revision of its entry. */
  readonly revision: bigint;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly credits: Credits;
  /** What of it had no terms. */
  readonly plain: Credits;
  /** The lots that it brought, whether they are open or not. */
  readonly lots: readonly number[];
  /** How many things were paid elsewhere, and over how many streams they are spread. */
  readonly paid: { readonly count: number; readonly streams: number };
};
export type ReversedOpening = Pick<CurrentOpening, 'hash' | 'credits'>;

/** What was sealed of a month: the payload of its PeriodSealed. */
export type PeriodSeal = CreditPayloads['PeriodSealed'];

type Postings = {
  /** Every posting by its movement id, so that an adjustment can name it. */
  readonly byMovement: JournaledMap<number, Posting>;
  /** Grants and withdrawals share one set of keys, adjustments have their own. */
  readonly byGrantKey: JournaledMap<string, Posting>;
  readonly byAdjustKey: JournaledMap<string, Posting>;
  /** What adjustments come to, by the movement that they correct. */
  readonly corrections: JournaledMap<number, Corrections>;
  /** Grants and withdrawals of the last day that have no key, in the order of the ledger. */
  readonly recent: JournaledMap<number, RecentPosting>;
};

/** How much of a ledger's past its state holds. */
export type LedgerMemory = {
  /** Revision of the last entry; -1 before the first. */
  revision: bigint;
  /**
   * Revision of the last entry that charges have to be prepared after: a stop, a grant, an adjustment, a change of
   * billing; or a later one, where the state comes from a snapshot.
   */
  preparedAfter: bigint;
  /** Keys and movements that changed last at or before this place are looked up; null: nothing is forgotten. */
  forgotten: StreamPlace | null;
  /** Questions that a look-up has proven to have no fact up to that place. */
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
