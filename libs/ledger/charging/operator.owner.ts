import type { Charge } from './charges.js';
import type { HoldOwner } from './hold-owner.js';

/** A charge for work that is done outside this service (OPS-21). */
export const operatorCharge = (wanted: Pick<Charge, 'key' | 'credits' | 'product'>): Charge => ({
  ...wanted,
  cause: { kind: 'operator' },
});

/** Holds of operators for work in another system. The end of that work is not recorded here. */
export const operatorOwner: HoldOwner = {
  kind: 'operator',
  workOf: () => 'operator',
  models: [],
  fence: async () => undefined,
  recorded: async () => new Set(),
};
