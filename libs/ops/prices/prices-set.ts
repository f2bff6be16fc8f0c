import { Nullable, Type } from '#kernel/values/schema.js';
import { catalogue, unknownTemplateKey } from '#domain/catalogue/catalogue.js';
import { parsePrice, priceList, setListPrice } from '#domain/prices/prices.js';
import { CreditsInput } from '../support/amounts.js';
import { described } from '../support/inputs.js';
import { operatorCommand } from '../support/operator-command.js';
import { CATALOGUE_ID } from '../catalogue/sync-catalogue.js';

const DISCOVERY = 'discovery:';

export const pricesSet = operatorCommand({
  name: 'prices.set',
  summary: 'Set the list price of an item, or take it away with null',
  input: Type.Object({
    item: Type.String({
      description: 'bucket:<key>, discovery:<template key>, agent:<type>, launch, profile or account',
    }),
    credits: described('credits, at most six decimals; null takes the price away', Nullable(CreditsInput)),
  }),
  output: Type.Object({ item: Type.String(), credits: Nullable(CreditsInput) }),
  async run(host, { item, credits }, context) {
    const price = parsePrice(item, credits);
    if (item.startsWith(DISCOVERY)) {
      // A price under a key that no template has would never be found again.
      const { templates } = await host.commands.load(catalogue, CATALOGUE_ID);
      if (!templates.has(item.slice(DISCOVERY.length))) throw unknownTemplateKey();
    }
    await host.commands.handle(priceList, CATALOGUE_ID, setListPrice(price), { context, answer: () => null });
    return { item, credits };
  },
});
