import {
  knownCharges,
  type Charge,
  type ChargeHost,
  type KnownCharge,
  type PaidWork,
} from '#ledger/charging/charges.js';
import { settleCharges } from '#ledger/charging/settle-charges.js';

/** More rounds than a charge can change concurrently. */
const MOST_ROUNDS = 50;

/** What a request is charged for: one charge per subject. */
export type RequestCharges<Subject> = {
  readonly requestId: number;
  /** The beginning of the name of each step. */
  readonly step: string;
  readonly subjects: readonly Subject[];
  /** The attempt is part of the key: a charge whose hold was released needs a new key. */
  readonly chargeOf: (subject: Subject, attempt: number) => Charge;
};

/** The charges of a request as the ledger has them at the beginning of a round; none is released. */
export type ChargeRound<Subject> = {
  readonly attemptOf: (subject: Subject) => number;
  readonly chargeOf: (subject: Subject) => Charge;
  readonly known: (subject: Subject) => KnownCharge | undefined;
  /** The subjects that no movement pays for yet. */
  readonly uncharged: readonly Subject[];
  readonly stepOf: (what: string) => string;
  /**
   * Captures the open holds of other requests, before anything is recorded with them: if such a request fails, it
   * releases its holds. False if there are none.
   */
  readonly takeOver: () => Promise<boolean>;
};

/**
 * Repeats a payment until it is complete: other requests hold, capture and release the same charges concurrently. `pay`
 * returns null if the charges have to be read again.
 */
export async function payInRounds<Subject, Payment>(
  host: ChargeHost,
  work: PaidWork,
  { requestId, step, subjects, chargeOf }: RequestCharges<Subject>,
  pay: (round: ChargeRound<Subject>) => Promise<Payment | null>,
): Promise<Payment> {
  const attempts = new Map<Subject, number>();
  const attemptOf = (subject: Subject): number => attempts.get(subject) ?? 0;
  const currentCharge = (subject: Subject): Charge => chargeOf(subject, attemptOf(subject));
  for (let round = 0, tried = 0; tried < MOST_ROUNDS; round += 1) {
    const byKey = await knownCharges(host, work, subjects.map(currentCharge));
    const known = (subject: Subject): KnownCharge | undefined => byKey.get(currentCharge(subject).key);
    const released = subjects.filter((subject) => known(subject)?.status === 'released');
    for (const subject of released) attempts.set(subject, attemptOf(subject) + 1);
    // Not counted as a try: a request may wait for credits, and release its holds, any number of times.
    if (released.length > 0) continue;
    tried += 1;
    const stepOf = (what: string): string => `${step}:${what}:${round}`;
    const foreign = subjects.flatMap((subject) => {
      const charge = known(subject);
      return charge?.isOfOtherRequest === true ? charge.movementId : [];
    });
    const payment = await pay({
      attemptOf,
      chargeOf: currentCharge,
      known,
      uncharged: subjects.filter((subject) => known(subject) === undefined),
      stepOf,
      async takeOver() {
        await settleCharges(host, work, stepOf('take-over'), { capture: foreign });
        return foreign.length > 0;
      },
    });
    if (payment !== null) return payment;
  }
  throw new Error(`the charges of request ${requestId} keep changing`);
}
