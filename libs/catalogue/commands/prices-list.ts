import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Nullable, OneOf, Type } from '#kernel/values/schema.js';
import { priceList } from '#catalogue/domain/prices/prices.js';
import { Amount } from '#kernel/values/amounts.js';
import { CATALOGUE_ID } from './apply-catalogue.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, pageOf } from '#ops/support/pages.js';

const PriceRow = Type.Object({
  item: Type.String(),
  /** null: there is no price. */
  credits: Nullable(Amount),
  /** The next catalogue replaces a price of a catalogue; a price of an operator is kept. */
  set_by: OneOf('catalogue', 'operator'),
});

export const pricesList = operatorCommand({
  name: 'prices.list',
  forFinance: true,
  summary: 'List the list prices by item, and who set each price; partner list shows the rates of partners',
  input: Type.Object(pageInput),
  output: Type.Object({ ...PageAnswer, prices: Type.Array(PriceRow) }),
  async run({ commands }, asked) {
    const all = await commands.load(priceList, CATALOGUE_ID, ({ prices }) =>
      [...prices].map(([item, { credits, setBy }]) => ({ item, credits, setBy })),
    );
    const { rows, numbers } = pageOf(
      all.toSorted((left, right) => (left.item < right.item ? -1 : 1)),
      asked,
    );
    return {
      ...numbers,
      prices: rows.map(({ item, credits, setBy }) => ({
        item,
        credits: credits === null ? null : toJsonNumber(fromStored(credits)),
        set_by: setBy,
      })),
    };
  },
});
