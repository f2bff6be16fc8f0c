import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Nullable, OneOf, StoredCredits, Type } from '#kernel/values/schema.js';

export const pricesEvents = {
  /** The price of an item for workspaces without a negotiated rate; null removes the price. */
  ListPriceSet: event(
    Type.Object({
      item: Type.String(),
      credits: Nullable(StoredCredits),
      setBy: OneOf('catalogue', 'operator'),
    }),
  ),
};
export type PricesEvents = PayloadsOf<typeof pricesEvents>;
