import type { PricedProduct } from '#catalogue/products.js';
import { holdCharges, type Charge, type ChargeHost, type PaidWork } from '#ledger/charging/charges.js';
import { payInRounds } from './charge-rounds.js';

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
  const { requestId } = analysis;
  const chargeOf = (ref: string, attempt: number): Charge => profileCharge(analysis, price, ref, attempt);
  const free = new Set<string>();
  let isHeld = false;
  return payInRounds(host, work, { requestId, step, subjects: personRefs, chargeOf }, async (round) => {
    if (await round.takeOver()) return null;
    const unpaid = round.uncharged.filter((ref) => !free.has(ref));
    if (unpaid.length === 0 || isHeld) {
      const paid = new Map(
        personRefs.flatMap((ref) => {
          const movementId = round.known(ref)?.movementId ?? (free.has(ref) ? null : undefined);
          return movementId === undefined ? [] : [[ref, movementId] as const];
        }),
      );
      return { paid, cutShort: unpaid.length > 0 };
    }
    const wanted = unpaid.map(round.chargeOf);
    const { paid } = await holdCharges(host, work, round.stepOf('hold'), wanted, 'prefix');
    for (const ref of unpaid) if (paid.get(round.chargeOf(ref).key) === null) free.add(ref);
    isHeld = true;
    return null;
  });
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
