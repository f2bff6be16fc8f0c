import { foldAll } from '#kernel/testing/project.js';
import { LIST_PRICES_KEY, listPrices } from './prices.projection.js';

const set = (item: string, credits: string | null) => ({
  type: 'ListPriceSet',
  data: { item, credits, setBy: 'operator' },
  metadata: {},
});

describe('the list prices read model', () => {
  it('keeps the last price of each item, null where it was taken away', () => {
    const events = [set('launch', '1000000'), set('bucket:essential', '5000000')];
    expect(foldAll(listPrices, [...events, set('launch', '2000000'), set('bucket:essential', null)])).toEqual(
      new Map([[LIST_PRICES_KEY, { prices: { launch: '2000000', 'bucket:essential': null } }]]),
    );
  });
});
