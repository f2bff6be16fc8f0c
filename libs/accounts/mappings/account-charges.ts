import type { Credits } from '#kernel/values/credits.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import type { PricedProduct } from '#catalogue/products.js';
import {
  holdCharges,
  unpaidBecause,
  type Charge,
  type ChargeHost,
  type PaidWork,
} from '#ledger/charging/charges.js';
import { settleRequest } from '#ledger/charging/settle-charges.js';
import { payInRounds, type ChargeRound } from './charge-rounds.js';
import { profileCharge, type Analysis } from './profile-charges.js';
import { recordedMovements } from './recorded-movements.js';

/** The maximum number of charges held in one command. */
const HELD_AT_ONCE = 100;
const HELD_BYTES = 256 * 1024;

export type AccountPrices = { readonly account: PricedProduct; readonly profile: PricedProduct };

/** The analysis of a top account's people, and the mapping that records them. */
export type AccountAnalysis = Analysis & { readonly mappingId: number };

/** The credits that the mapping of an account needs, and whether the balance or a cap does not cover them. */
export type Uncovered = { readonly required: Credits; readonly by: 'credits' | 'cap' };

/**
 * The movement that holds the account's credit, and the number of earlier holds that were released; or what is
 * missing, and then nothing is held: holds of people that an interrupted attempt recorded are captured, the others
 * released.
 */
export type AccountPayment = { readonly movementId: number | null; readonly attempt: number } | Uncovered;

/** Whether a mapping may hold more than it has; an earlier one that waits for credits comes first. */
export type Holding = 'any' | 'nothing more';

/**
 * Holds the price of a top account's mapping, all or nothing: its own credit and one for each person who was not
 * analysed for this company on this day (OP-52). A person's hold of another request is captured before anything is
 * recorded with it. Idempotent: existing holds are found. A mapping that may hold nothing more, and lacks something, is
 * not covered.
 */
export async function payForAccount(
  host: ChargeHost,
  work: PaidWork,
  analysis: AccountAnalysis,
  prices: AccountPrices,
  personRefs: readonly string[],
  holding: Holding,
): Promise<AccountPayment> {
  const { requestId, mappingId } = analysis;
  /** The account itself, and its people. */
  const subjects = [null, ...personRefs];
  const chargeOf = (ref: string | null, attempt: number): Charge =>
    ref === null
      ? accountCharge(analysis, prices.account, attempt)
      : profileCharge(analysis, prices.profile, ref, attempt);
  return payInRounds(host, work, { requestId, step: 'pay', subjects, chargeOf }, async (round) => {
    const wanted = round.uncharged.map(round.chargeOf);
    const isRefused = holding === 'nothing more' && wanted.length > 0;
    const paid = isRefused ? 'credits' : await holdAll(host, work, round.stepOf, wanted);
    if (paid === 'credits' || paid === 'cap') {
      const recorded = await recordedMovements(host, work.workspaceId, mappingId);
      await settleRequest(host, work, requestId, recorded);
      return { required: requiredCredits(round, subjects, recorded), by: paid };
    }
    // Not before its own holds: an account that waits for credits must not end what others pay for.
    if (await round.takeOver()) return null;
    // A hold that was released concurrently is no payment; the next round sees that.
    if (wanted.some(({ key }) => !paid.has(key))) return null;
    const movementId = round.known(null)?.movementId ?? paid.get(round.chargeOf(null).key) ?? null;
    return { movementId, attempt: round.attemptOf(null) };
  });
}

/** The credits of the subjects that are not paid for yet: by no capture, no other request and no recorded result. */
function requiredCredits(
  { chargeOf, known }: ChargeRound<string | null>,
  subjects: readonly (string | null)[],
  recorded: ReadonlySet<number>,
): Credits {
  return subjects.reduce((required, subject) => {
    const charge = known(subject);
    const isPaid =
      charge !== undefined &&
      (charge.status === 'captured' || charge.isOfOtherRequest || recorded.has(charge.movementId));
    return isPaid ? required : required + chargeOf(subject).credits;
  }, 0n);
}

/** The paid charges by key; or what does not cover all of them. */
async function holdAll(
  host: ChargeHost,
  work: PaidWork,
  stepOf: (what: string) => string,
  wanted: readonly Charge[],
): Promise<ReadonlyMap<string, number | null> | Uncovered['by']> {
  const paid = new Map<string, number | null>();
  // Amounts are bigints that JSON does not support; their text has about the same length.
  const weighed = wanted.map(({ key, product, cause }, index) => ({ key, product, cause, index }));
  let held = 0;
  for (const [number, piece] of inPiecesOfBytes(weighed, HELD_AT_ONCE, HELD_BYTES).entries()) {
    const charges = piece.flatMap(({ index }) => wanted[index] ?? []);
    held += charges.length;
    const later = wanted.slice(held);
    try {
      const payments = await holdCharges(host, { ...work, later }, stepOf(`hold-${number}`), charges, 'all');
      for (const [key, movementId] of payments.paid) paid.set(key, movementId);
    } catch (error) {
      const by = unpaidBecause(error);
      if (by === null) throw error;
      return by;
    }
  }
  return paid;
}

/** One per mapping of an account; the attempt grows after a hold was released. */
function accountCharge(
  { requestId, companyId }: Analysis,
  { credits, product }: PricedProduct,
  attempt: number,
): Charge {
  return {
    key: `account:${requestId}:${attempt}`,
    credits,
    product,
    cause: { kind: 'account', requestId, companyId },
  };
}
