import type { Credits } from '#kernel/values/credits.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import type { PricedProduct } from '#catalogue/products.js';
import {
  holdCharges,
  knownCharges,
  settleCharges,
  settleRequest,
  unpaidBecause,
  type Charge,
  type ChargeHost,
  type KnownCharge,
  type PaidWork,
} from '#ledger/charging/charges.js';
import { profileCharge, type Analysis } from './profile-charges.js';
import { recordedMovements } from './recorded-movements.js';

/** The maximum number of charges held in one command. */
const HELD_AT_ONCE = 100;
const HELD_BYTES = 256 * 1024;
/** More rounds than a charge can change concurrently. */
const MOST_ROUNDS = 50;

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
  const attempts = new Map<string | null, number>();
  const chargeOf = (ref: string | null): Charge => {
    const attempt = attempts.get(ref) ?? 0;
    return ref === null
      ? accountCharge(analysis, prices.account, attempt)
      : profileCharge(analysis, prices.profile, ref, attempt);
  };
  const paidFor = [null, ...personRefs];
  for (let round = 0, tried = 0; tried < MOST_ROUNDS; round += 1) {
    const stepOf = (what: string): string => `pay:${what}:${round}`;
    const known = await knownCharges(host, work, paidFor.map(chargeOf));
    const of = (ref: string | null) => known.get(chargeOf(ref).key);
    const released = paidFor.filter((ref) => of(ref)?.status === 'released');
    for (const ref of released) attempts.set(ref, (attempts.get(ref) ?? 0) + 1);
    // Not counted as a round: an account may wait for credits any number of times.
    if (released.length > 0) continue;
    tried += 1;
    const foreign = paidFor.flatMap((ref) => {
      const charge = of(ref);
      return charge?.isOfOtherRequest === true ? charge.movementId : [];
    });
    const wanted = paidFor.filter((ref) => of(ref) === undefined).map(chargeOf);
    const isRefused = holding === 'nothing more' && wanted.length > 0;
    const paid = isRefused ? 'credits' : await holdAll(host, work, stepOf, wanted);
    if (paid === 'credits' || paid === 'cap') {
      const recorded = await recordedMovements(host, work.workspaceId, analysis.mappingId);
      await settleRequest(host, work, analysis.requestId, recorded);
      const isCostless = (charge: KnownCharge | undefined): boolean =>
        charge !== undefined &&
        (charge.status === 'captured' || charge.isOfOtherRequest || recorded.has(charge.movementId));
      const costless = paidFor.filter((ref) => isCostless(of(ref))).map((ref) => chargeOf(ref).credits);
      return { required: sum(paidFor.map((ref) => chargeOf(ref).credits)) - sum(costless), by: paid };
    }
    // Not before its own holds: an account that waits for credits must not end what others pay for.
    if (foreign.length > 0) {
      await settleCharges(host, work, stepOf('take-over'), { capture: foreign });
      continue;
    }
    // A hold that was released concurrently is no payment; the next round sees that.
    if (wanted.some(({ key }) => !paid.has(key))) continue;
    const { key } = chargeOf(null);
    return { movementId: of(null)?.movementId ?? paid.get(key) ?? null, attempt: attempts.get(null) ?? 0 };
  }
  throw new Error(`the charges of request ${analysis.requestId} keep changing`);
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

const sum = (amounts: readonly Credits[]): Credits => amounts.reduce((total, amount) => total + amount, 0n);

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
