import { Nullable, Type } from '#kernel/values/schema.js';
import { catalogue, unknownTemplateKey } from '#catalogue/domain/templates/catalogue.js';
import { parseListPrice, priceList, setListPrice } from '#catalogue/domain/prices/prices.js';
import { CreditsInput } from '#ops/support/amounts.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';
import { CATALOGUE_ID } from './apply-catalogue.js';

const DISCOVERY = 'discovery:';

export const pricesSet = operatorCommand({
  name: 'prices.set',
  summary: 'Set the list price of an item; null removes it',
  input: Type.Object({
    item: Type.String({
      description: 'bucket:<key>, discovery:<template key>, agent:<type>, launch, profile or account',
    }),
    credits: described(
      'credits, at most six decimals, whole for launch; null removes the price, except of launch, profile and account',
      Nullable(CreditsInput),
    ),
  }),
  output: Type.Object({ item: Type.String(), credits: Nullable(CreditsInput) }),
  async run(host, { item, credits }, context) {
    const price = parseListPrice(item, credits);
    const prepare = async () => {
      // A price under a key that no template has would never be found again.
      if (item.startsWith(DISCOVERY)) await requireTemplate(host, item.slice(DISCOVERY.length));
      return setListPrice(price);
    };
    await host.commands.handle(priceList, CATALOGUE_ID, { prepare }, { context });
    await host.priceSet({ ...price, partnerId: null }, context);
    return { item, credits };
  },
});

async function requireTemplate({ commands }: OperatorHost, key: string): Promise<void> {
  const isKnown = await commands.load(catalogue, CATALOGUE_ID, ({ templates }) => templates.has(key));
  if (!isKnown) throw unknownTemplateKey();
}
