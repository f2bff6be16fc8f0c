import { fromStored } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import { periodEnd } from './cap-periods.js';
import type { CreditPayloads } from './credits.events.js';

/** Entries after which balance and caps may pay for what they did not pay for before. */
export type PayingEntries = Pick<
  CreditPayloads,
  | 'CreditsGranted'
  | 'LotGranted'
  | 'OpeningImported'
  | 'CreditsAdjusted'
  | 'BillingModeSet'
  | 'CapSet'
  | 'CapRemoved'
>;

/** Whether an adjustment may pay for more: it adds credits. */
const mayPayMore = ({ data }: Recorded<CreditPayloads['CreditsAdjusted']>): boolean =>
  fromStored(data.credits) > 0n;

/** The first time after `at` at which the period of a cap may end, so that it pays for more: each ends with a day. */
export const capsMayResetAt = (at: string): string => periodEnd('day', at);

type Fold<Document> = (document: Document | null, event: Recorded<unknown>) => Document | null;

/** The folds of a read model that has to see when there may be more to pay with. */
export const whenMayPayMore = <Document>(fold: Fold<Document>) => ({
  CreditsGranted: fold,
  LotGranted: fold,
  OpeningImported: fold,
  CreditsAdjusted: (document: Document | null, event: Recorded<CreditPayloads['CreditsAdjusted']>) =>
    mayPayMore(event) ? fold(document, event) : document,
  BillingModeSet: fold,
  CapSet: fold,
  CapRemoved: fold,
});
