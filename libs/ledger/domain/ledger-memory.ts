import { fromStored } from '#kernel/values/credits.js';
import type { StreamPoint } from '#kernel/commands/decider.js';
import { Forgotten, type Recalled } from '#kernel/ports/recall.port.js';
import { rememberCharge, type RecordedCharge, type MovementReference } from './charges.js';
import type { CreditAccount, Posting } from './account-state.js';
import type { Payer } from './credits.events.js';
import { forgetAmounts, NOTHING_REMEMBERED } from './corrections.js';
import type { LotTerms } from './lot-facts.js';

/** Questions for what a ledger may have forgotten: by the key of a charge, grant or adjustment, or by a movement. */
export const askCharge = (key: string): string => `charge/${key}`;
export const askMovement = (movementId: number): string => `movement/${movementId}`;
export const askGrant = (key: string): string => `grant/${key}`;
export const askAdjustment = (key: string): string => `adjustment/${key}`;
/** The question for the sum of the adjustments of a movement. */
export const askCorrections = (movementId: number): string => `corrections/${movementId}`;
/** The question for the credits of a grant that expired or were reversed with its opening. */
export const askEnded = (movementId: number): string => `ended/${movementId}`;
export const askReference = (movement: MovementReference): string =>
  'key' in movement ? askCharge(movement.key) : askMovement(movement.movementId);

/** Closed charges and postings that are kept before older ones are forgotten: about 15 MB per ledger. */
const MOST_REMEMBERED = 50_000;
/** A forgotten proof of absence is cheap to look up again. */
const MOST_ABSENT = 10_000;

/** Throws `Forgotten` with every question that neither memory nor a look-up has answered. */
export function requireRemembered(account: CreditAccount, questions: readonly string[]): void {
  const { forgotten, absent } = account.memory;
  if (forgotten === null) return;
  const open = questions.filter((question) => !absent.has(question) && !isRemembered(account, question));
  if (open.length > 0) throw new Forgotten(open, forgotten.position);
}

function isRemembered({ charges, postings }: CreditAccount, question: string): boolean {
  const slash = question.indexOf('/');
  const name = question.slice(slash + 1);
  switch (question.slice(0, slash)) {
    case 'charge':
      return charges.byKey.has(name);
    case 'movement':
      return charges.byMovement.has(Number(name)) || postings.byMovement.has(Number(name));
    case 'corrections':
      return (postings.corrections.get(Number(name))?.recalled ?? null) !== null;
    case 'ended':
      return (postings.ended.get(Number(name))?.recalled ?? null) !== null;
    case 'grant':
      return postings.byGrantKey.has(name);
    case 'adjustment':
      return postings.byAdjustKey.has(name);
    default:
      throw new Error(`nobody asks ${question}`);
  }
}

/**
 * The sum of the adjustments that correct a movement, or of the credits of a grant that ended, up to the revision of the
 * last one included.
 */
type SumFact<Kind> = {
  readonly kind: Kind;
  readonly movementId: number;
  readonly credits: string;
  readonly upTo: number;
};

/** A looked-up fact about an old charge or posting. */
export type LedgerFact =
  | {
      readonly kind: 'charge';
      readonly movementId: number;
      readonly key: string;
      readonly credits: string;
      readonly product: string;
      readonly payer: Payer;
      readonly causeKind: RecordedCharge['kind'];
      readonly status: RecordedCharge['status'];
    }
  | SumFact<'corrections'>
  | SumFact<'ended'>
  | {
      readonly kind: Posting['kind'];
      readonly movementId: number;
      readonly key: string | null;
      readonly credits: string;
      readonly corrects: number | null;
      readonly terms?: LotTerms | null;
      readonly lot?: number | null;
    };

/**
 * Adds looked-up facts to the state. Facts in memory win, because they are newer. A look-up that has not read
 * everything that was forgotten proves nothing and is ignored.
 */
export function recallFacts(account: CreditAccount, { position, asked, found }: Recalled): void {
  const { forgotten, absent } = account.memory;
  if (forgotten === null || position < forgotten.position) return;
  if (absent.size > MOST_ABSENT) absent.clear();
  for (const question of asked) {
    const fact = found.get(question);
    if (fact === undefined) absent.add(question);
    // This program writes the index of charges and postings, so its rows have the form of `LedgerFact`.
    else if (!isRemembered(account, question)) recallFact(account, fact as unknown as LedgerFact);
  }
}

function recallFact(account: CreditAccount, fact: LedgerFact): void {
  const { charges, postings, books } = account;
  const { movementId, kind } = fact;
  const credits = fromStored(fact.credits);
  if (kind === 'charge') {
    const { key, product, payer, causeKind, status } = fact;
    // Memory has every open hold, so the index is ahead of this state, which has to read on first.
    if (status === 'held' && !books.openHolds.has(movementId)) return;
    const charge = { movementId, key, credits, product, payer, kind: causeKind, status };
    rememberCharge(charges, { ...charge, heldFor: null, changedAt: null });
    return;
  }
  if (fact.kind === 'corrections' || fact.kind === 'ended') {
    const amounts = postings[fact.kind];
    const { remembered } = amounts.get(movementId) ?? NOTHING_REMEMBERED;
    amounts.set(movementId, { recalled: { credits, upTo: BigInt(fact.upTo) }, remembered });
    return;
  }
  const { kind: posted, corrects, terms = null, lot = null } = fact;
  const posting = { kind: posted, movementId, credits, corrects, terms, lot, postedAt: null };
  postings.byMovement.set(movementId, posting);
  if (fact.key === null) return;
  if (kind === 'adjustment') postings.byAdjustKey.set(fact.key, posting);
  else postings.byGrantKey.set(fact.key, posting);
}

/**
 * Forgets entries whose last change is at or before a position, once there are many: false until then. Open holds are never
 * forgotten.
 */
export function forgetOld(
  account: CreditAccount,
  point: StreamPoint,
  mostRemembered: number = MOST_REMEMBERED,
): boolean {
  const { charges, postings, memory } = account;
  if (charges.byMovement.size + postings.byMovement.size < mostRemembered) return false;
  const isOld = (at: bigint | null): boolean => at === null || at <= point.revision;
  for (const { movementId, key, status, changedAt } of charges.byMovement.values()) {
    if (status === 'held' || !isOld(changedAt)) continue;
    charges.byMovement.delete(movementId);
    charges.byKey.delete(key);
  }
  for (const map of [postings.byMovement, postings.byGrantKey, postings.byAdjustKey]) {
    for (const [key, { postedAt }] of map) if (isOld(postedAt)) map.delete(key as never);
  }
  for (const amounts of [postings.corrections, postings.ended]) forgetAmounts(amounts, point.revision);
  memory.forgotten = point;
  memory.absent.clear();
  return true;
}
