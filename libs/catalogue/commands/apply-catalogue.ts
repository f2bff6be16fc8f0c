import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { pricesOf, type CatalogueFile } from '#catalogue/domain/templates/catalogue-file.js';
import { catalogue, syncCatalogue } from '#catalogue/domain/templates/catalogue.js';
import { SHIPPED_PRICES } from '#catalogue/domain/prices/price-resolution.js';
import { priceList, setShippedPrices } from '#catalogue/domain/prices/prices.js';

/** The catalogue and the price list exist once: their streams are `catalogue` and `prices`, without an id. */
export const CATALOGUE_ID = '';

/**
 * Updates templates, buckets and prices to the content of a catalogue file; idempotent. Settings of an operator are
 * kept. After an interruption between the two streams the next sync completes the update. Returns the number of
 * events.
 */
export async function applyCatalogue(
  { commands, clock }: { readonly commands: Commands; readonly clock: Clock },
  file: CatalogueFile,
  retireMissing: boolean,
  context: CommandContext,
): Promise<number> {
  const sync = syncCatalogue({ file, retireMissing, now: clock.now().toISOString() });
  const templates = await commands.handle(catalogue, CATALOGUE_ID, sync, { context });
  const prices = new Map([...SHIPPED_PRICES, ...pricesOf(file)]);
  const priced = await commands.handle(priceList, CATALOGUE_ID, setShippedPrices(prices), { context });
  return templates.appended + priced.appended;
}
