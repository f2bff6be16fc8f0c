import type { Commands } from '#kernel/commands/commands.js';
import type { Credits } from '#kernel/values/credits.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Billing } from '#ledger/domain/books.js';
import { billingOf, creditAccount } from '#ledger/domain/credit-account.js';
import { resolvePrice, type PriceItem, type PricedWork } from './domain/prices/price-resolution.js';
import { productOf, type PricedProduct } from './products.js';
import { partnerKey, partners } from '#projections/catalogue/partners/partners.projection.js';
import { LIST_PRICES_KEY, listPrices } from '#projections/catalogue/prices/prices.projection.js';
import { workspaceKey, workspaces } from '#projections/access/workspaces/workspaces.projection.js';

/** The price of an item for one workspace: null for "no price yet", which is not free. */
export type PriceOf = (item: PriceItem) => Credits | null;

/** The prices shown to a workspace (OP-13), with three reads for any number of items. */
export async function pricesToShow(readModels: ReadModels, workspaceId: number): Promise<PriceOf> {
  const workspace = await readModels.get(workspaces, workspaceKey(workspaceId));
  return pricesFor(readModels, workspace?.billing === 'partner' ? workspace.partnerId : null);
}

/** What a workspace is charged. Its current ledger decides who pays. */
export async function pricesToCharge(
  commands: Pick<Commands, 'load'>,
  readModels: ReadModels,
  workspaceId: number,
): Promise<{
  readonly billing: Billing;
  /** Null for an item without a price yet. */
  readonly chargeOf: (item: PriceItem) => PricedProduct | null;
  readonly workChargeOf: (item: PricedWork) => PricedProduct;
}> {
  const billing = await commands.load(creditAccount, String(workspaceId), billingOf);
  const priceOf = await pricesFor(readModels, billing.mode === 'partner' ? billing.partnerId : null);
  const chargeOf = (item: PriceItem): PricedProduct | null => {
    const credits = priceOf(item);
    return credits === null ? null : { credits, product: productOf(item, credits) };
  };
  const workChargeOf = (item: PricedWork): PricedProduct => {
    const charge = chargeOf(item);
    if (charge === null) throw new Error(`${item} has no price, though work always has one (OPS-06)`);
    return charge;
  };
  return { billing, chargeOf, workChargeOf };
}

async function pricesFor(readModels: ReadModels, partnerId: number | null): Promise<PriceOf> {
  const [list, partner] = await Promise.all([
    readModels.get(listPrices, LIST_PRICES_KEY),
    partnerId === null ? null : readModels.get(partners, partnerKey(partnerId)),
  ]);
  return (item) => resolvePrice(list?.prices ?? {}, partner?.rates ?? null, item);
}
