import { toJsonNumber } from '#kernel/credits.js';
import type { ReadModels } from '#kernel/read-store.port.js';
import { resolvePrice, type PriceItem } from '#domain/prices/price-resolution.js';
import { partnerKey, partners, type PartnerDocument } from '#projections/partners/partners.projection.js';
import {
  LIST_PRICES_KEY,
  listPrices,
  type ListPricesDocument,
} from '#projections/prices/prices.projection.js';
import {
  workspaceKey,
  workspaces,
  type WorkspaceDocument,
} from '#projections/workspaces/workspaces.projection.js';

/** The price of an item for one workspace as it is shown: exact credits, null for "no price yet". */
export type ShownPrice = (item: PriceItem) => number | null;

/** The prices a workspace is shown (OP-13), with three reads however many items a page has. */
export async function shownPrices(readModels: ReadModels, workspaceId: number): Promise<ShownPrice> {
  const [list, workspace] = await Promise.all([
    readModels.get<ListPricesDocument>(listPrices, LIST_PRICES_KEY),
    readModels.get<WorkspaceDocument>(workspaces, workspaceKey(workspaceId)),
  ]);
  const partnerId = workspace?.billing === 'partner' ? workspace.partnerId : null;
  const partner =
    partnerId === null ? null : await readModels.get<PartnerDocument>(partners, partnerKey(partnerId));
  return (item) => {
    const price = resolvePrice(list?.prices ?? {}, partner?.rates ?? null, item);
    return price === null ? null : toJsonNumber(price);
  };
}
