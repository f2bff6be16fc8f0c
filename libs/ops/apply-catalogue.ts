import type { Clock } from '#kernel/clock.js';
import type { Commands } from '#kernel/commands.js';
import type { CommandContext } from '#kernel/decider.js';
import { sha256Hex } from '#kernel/hash.js';
import { canonicalJson } from '#kernel/json.js';
import { catalogue, syncCatalogue } from '#domain/catalogue/catalogue.js';
import { pricesOf, shippedCatalogue, type CatalogueFile } from '#domain/catalogue/catalogue-file.js';
import { priceList, setShippedPrices } from '#domain/prices/prices.js';
import { SHIPPED_PRICES } from '#domain/prices/price-resolution.js';

type Host = { readonly commands: Commands; readonly clock: Clock };

/** What a sync recorded: how many events of each type, none for what was already so. */
export type AppliedCatalogue = { readonly [eventType: string]: number };

/**
 * Brings catalogue and list prices to what a catalogue says. The two are two streams; a stop between them is
 * mended by the next sync, because each is idempotent.
 */
export async function applyCatalogue(
  { commands, clock }: Host,
  { file, retireMissing }: { readonly file: CatalogueFile; readonly retireMissing: boolean },
  context: CommandContext,
): Promise<AppliedCatalogue> {
  const answer = (_: unknown, events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
  const now = clock.now().toISOString();
  const sync = syncCatalogue({ file, retireMissing, now });
  const templates = await commands.handle(catalogue, '', sync, { context, answer });
  const prices = new Map([...SHIPPED_PRICES, ...pricesOf(file)]);
  const priced = await commands.handle(priceList, '', setShippedPrices(prices), { context, answer });
  const types = [...templates.answer, ...priced.answer];
  return Object.fromEntries(
    [...new Set(types)].map((type) => [type, types.filter((each) => each === type).length]),
  );
}

/** The catalogue of this version, applied at every start; a command id of its content names the sync. */
export async function applyShippedCatalogue(host: Host): Promise<AppliedCatalogue> {
  const file = shippedCatalogue();
  const content = sha256Hex(canonicalJson(file)).slice(0, 32);
  return applyCatalogue(
    host,
    { file, retireMissing: false },
    {
      commandId: `shipped-catalogue-${content}`,
      actor: { kind: 'system', id: 'shipped-catalogue' },
      workspaceId: null,
      correlationId: `shipped-catalogue-${content}`,
    },
  );
}
