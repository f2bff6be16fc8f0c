import type { PricedProduct } from '#catalogue/products.js';
import {
  holdCharges,
  knownCharges,
  settleCharges,
  type Charge,
  type ChargeHost,
  type PaidWork,
} from '#ledger/charging/charges.js';

/** The request, company and day of an analysis. */
export type Analysis = {
  readonly requestId: number;
  readonly companyId: number;
  readonly personaId: number | null;
  readonly requestDate: string;
  /** The API key whose call requested it; null if no call did. */
  readonly keyId: number | null;
};

/** The movement that paid for each person, by network ref; null if it was free. */
export type PaidProfiles = {
  readonly paid: ReadonlyMap<string, number | null>;
  /** The balance did not cover all. */
  readonly cutShort: boolean;
};

/** More rounds than a charge can change concurrently. */
const MOST_ROUNDS = 50;

/**
 * Pays for the analysis of people in order, as far as the balance allows. A person who was analysed for this company on
 * this day is paid already, by any request (OP-59). A hold of another request is captured before anything is recorded
 * with it: if that request fails, it releases its holds.
 */
export async function payForProfiles(
  host: ChargeHost,
  work: PaidWork,
  step: string,
  analysis: Analysis,
  price: PricedProduct,
  personRefs: readonly string[],
): Promise<PaidProfiles> {
  const attempts = new Map<string, number>();
  const chargeOf = (ref: string): Charge => profileCharge(analysis, price, ref, attempts.get(ref) ?? 0);
  const free = new Set<string>();
  let isHeld = false;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const stepOf = (what: string): string => `${step}:${what}:${round}`;
    const known = await knownCharges(host, work, personRefs.map(chargeOf));
    const of = (ref: string) => known.get(chargeOf(ref).key);
    const released = personRefs.filter((ref) => of(ref)?.status === 'released');
    for (const ref of released) attempts.set(ref, (attempts.get(ref) ?? 0) + 1);
    if (released.length > 0) continue;
    const foreign = personRefs.flatMap((ref) => {
      const charge = of(ref);
      return charge?.isOfOtherRequest === true ? charge.movementId : [];
    });
    if (foreign.length > 0) {
      await settleCharges(host, work, stepOf('take-over'), { capture: foreign });
      continue;
    }
    const unpaid = personRefs.filter((ref) => of(ref) === undefined && !free.has(ref));
    if (unpaid.length === 0 || isHeld) {
      const paid = new Map(
        personRefs.flatMap((ref) => {
          const movementId = of(ref)?.movementId ?? (free.has(ref) ? null : undefined);
          return movementId === undefined ? [] : [[ref, movementId] as const];
        }),
      );
      return { paid, cutShort: unpaid.length > 0 };
    }
    const { paid } = await holdCharges(host, work, stepOf('hold'), unpaid.map(chargeOf), 'prefix');
    for (const ref of unpaid) if (paid.get(chargeOf(ref).key) === null) free.add(ref);
    isHeld = true;
  }
  throw new Error(`the charges of request ${analysis.requestId} keep changing`);
}

/** One analysis per person, company and day; the attempt grows after a hold was released. */
export function profileCharge(
  { requestId, companyId, personaId, requestDate, keyId }: Analysis,
  { credits, product }: PricedProduct,
  personRef: string,
  attempt: number,
): Charge {
  return {
    subjects: [`profile:${personRef}:${requestDate}`],
    key: `profile:${companyId}:${requestDate}:${personRef}:${attempt}`,
    credits,
    product,
    cause: {
      kind: 'profile',
      subject: personRef,
      requestId,
      companyId,
      ...(personaId === null ? {} : { personaId }),
      ...(keyId === null ? {} : { keyId }),
    },
  };
}
