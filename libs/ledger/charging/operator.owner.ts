import type { Charge } from './charges.js';
import type { HoldOwner } from './hold-owner.js';

/** A charge for work that is done outside this service (OPS-21). */
export const operatorCharge = (wanted: Pick<Charge, 'key' | 'credits' | 'product'>): Charge => ({
  ...wanted,
  cause: { kind: 'operator' },
});

/** What operators hold for work elsewhere. Nobody can be told of its end, and nothing of it is recorded here. */
export const operatorOwner: HoldOwner = {
  kind: 'operator',
  workOf: () => 'operator',
  models: [],
  fence: async () => undefined,
  recorded: async () => new Set(),
};
