import { decider, type Decision } from '#kernel/commands/decider.js';
import { creditOutlookEvents, type CreditOutlookEvents } from './credit-outlook.events.js';

type CreditOutlook = { readonly looks: number };

const SNAPSHOT_EVERY = 500;

/** The latest forecast of how long the balance of a workspace lasts. It decides nothing about credits. */
export const creditOutlook = decider<CreditOutlook>()({
  category: 'creditOutlook',
  scope: 'workspace',
  vocabulary: creditOutlookEvents,
  initial: () => ({ looks: 0 }),
  snapshot: {
    every: SNAPSHOT_EVERY,
    stateVersion: 1,
    toJson: ({ looks }) => ({ looks }),
    fromJson: ({ looks }) => ({ looks: Number(looks) }),
  },
  on: { CreditsForeseen: ({ looks }) => ({ looks: looks + 1 }) },
});

/** Records a forecast. */
export const recordOutlook =
  (data: CreditOutlookEvents['CreditsForeseen']): Decision<CreditOutlook, typeof creditOutlookEvents> =>
  () => [{ type: 'CreditsForeseen', data }];
