import { toJsonNumber } from '#kernel/values/credits.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { pricesToShow } from '#catalogue/workspace-prices.js';
import type { PriceItem } from '#catalogue/domain/prices/price-resolution.js';

/** The price of an item for one workspace as it is shown: exact credits, null for "no price yet". */
export type ShownPrice = (item: PriceItem) => number | null;

/** The prices shown to a workspace, with three reads for any number of items. */
export async function shownPrices(readModels: ReadModels, workspaceId: number): Promise<ShownPrice> {
  const priceOf = await pricesToShow(readModels, workspaceId);
  return (item) => {
    const price = priceOf(item);
    return price === null ? null : toJsonNumber(price);
  };
}
