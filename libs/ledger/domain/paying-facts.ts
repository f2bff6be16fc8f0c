import { fromStored } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import { periodEnd } from './cap-periods.js';
import type { CreditPayloads } from './credits.events.js';

/** Entries after which balance and caps may cover charges that they did not cover before. */
export type PayingEntries = Pick<
  CreditPayloads,
  | 'CreditsGranted'
  | 'LotGranted'
  | 'OpeningImported'
  | 'CreditsAdjusted'
  | 'LotAdjusted'
  | 'BillingModeSet'
  | 'CapSet'
  | 'CapRemoved'
>;

/** Whether an adjustment may cover more charges: it adds credits. */
const mayPayMore = ({ data }: Recorded<CreditPayloads['CreditsAdjusted']>): boolean =>
  fromStored(data.credits) > 0n;

/** The earliest time after `at` at which the period of a cap may end. Every period ends at the end of a day. */
export const capsMayResetAt = (at: string): string => periodEnd('day', at);

type Fold<Document> = (document: Document | null, event: Recorded<unknown>) => Document | null;

/** Folds for a read model that has to know when more charges may be covered. */
export const whenMayPayMore = <Document>(fold: Fold<Document>) => ({
  CreditsGranted: fold,
  LotGranted: fold,
  OpeningImported: fold,
  CreditsAdjusted: (document: Document | null, event: Recorded<CreditPayloads['CreditsAdjusted']>) =>
    mayPayMore(event) ? fold(document, event) : document,
  LotAdjusted: fold,
  BillingModeSet: fold,
  CapSet: fold,
  CapRemoved: fold,
});
