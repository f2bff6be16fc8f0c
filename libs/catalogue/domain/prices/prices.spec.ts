import { pricesOf, shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { given } from '#kernel/testing/scenario.js';
import { invalidPrice, parsePrice, priceList, setListPrice, setShippedPrices } from './prices.js';
import { isPriceItem, resolvePrice, SHIPPED_PRICES } from './price-resolution.js';

const priced = (item: string, credits: string | null, setBy: 'catalogue' | 'operator') =>
  ({ type: 'ListPriceSet', data: { item, credits, setBy } }) as const;

describe('list prices (OPS-06)', () => {
  it('takes the price of an operator, once', () => {
    const set = setListPrice(parsePrice('bucket:essential', 7.5));
    const event = priced('bucket:essential', '7500000', 'operator');
    given(priceList, []).when(set).then([event]);
    given(priceList, [event]).when(set).then([]);
  });

  it('keeps as the operator’s word a price that a catalogue said before', () => {
    given(priceList, [priced('launch', '1000000', 'catalogue')])
      .when(setListPrice(parsePrice('launch', '1')))
      .then([priced('launch', '1000000', 'operator')]);
  });

  it('ships prices only where no operator has set one, null included', () => {
    const shipped = new Map([
      ['launch', '1000000'],
      ['profile', '1000000'],
      ['bucket:advanced', null],
      ['bucket:standard', '12500000'],
    ]);
    given(priceList, [
      priced('launch', '2000000', 'operator'),
      priced('profile', null, 'operator'),
      priced('bucket:standard', '9000000', 'catalogue'),
    ])
      .when(setShippedPrices(shipped))
      .then([priced('bucket:standard', '12500000', 'catalogue')]);
    given(priceList, [])
      .when(setShippedPrices(shipped))
      .then([
        priced('launch', '1000000', 'catalogue'),
        priced('profile', '1000000', 'catalogue'),
        priced('bucket:standard', '12500000', 'catalogue'),
      ]);
  });

  it('ships a price for everything that the catalogue and the work of the product cost', () => {
    const items = [...pricesOf(shippedCatalogue()).keys(), ...SHIPPED_PRICES.keys()];
    expect(items).toHaveLength(3 + 29 + 13);
    expect(items.filter((item) => !isPriceItem(item))).toEqual([]);
  });

  for (const [item, credits] of [
    ['bucket:gold', 1],
    ['discovery:', 1],
    ['agent:unconfigured', 1],
    ['constructor', 1],
    ['launch', -1],
    ['launch', '1.1234567'],
    ['launch', 'free'],
  ] as const) {
    it(`refuses ${credits} for ${item}`, () => {
      expect(() => parsePrice(item, credits)).toThrow(invalidPrice.detail);
    });
  }
});

describe('price resolution (OP-13)', () => {
  const list = { 'bucket:standard': '12500000', 'bucket:advanced': null, launch: '1000000' };
  const rates = { 'bucket:standard': '9000000', 'bucket:advanced': '30123456' };

  it('gives the list price to a workspace without a partner, exact', () => {
    expect(resolvePrice(list, null, 'bucket:standard')).toBe(12_500_000n);
  });

  it('gives a partner’s rate where the partner negotiated the item, else the list price', () => {
    expect(resolvePrice(list, rates, 'bucket:standard')).toBe(9_000_000n);
    expect(resolvePrice(list, rates, 'bucket:advanced')).toBe(30_123_456n);
    expect(resolvePrice(list, rates, 'launch')).toBe(1_000_000n);
  });

  it('gives null where nobody set a price or it was taken away, never 0', () => {
    expect(resolvePrice(list, null, 'bucket:advanced')).toBeNull();
    expect(resolvePrice(list, rates, 'discovery:new-executive')).toBeNull();
  });
});
