import { pricesOf, shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { rulesOf } from '#kernel/testing/scenario.js';
import {
  invalidPrice,
  parseListPrice,
  parsePrice,
  priceList,
  setListPrice,
  setShippedPrices,
} from './prices.js';
import { isPriceItem, resolvePrice, SHIPPED_PRICES } from './price-resolution.js';

const deciding = rulesOf(priceList);
const priced = (item: string, credits: string | null, setBy: 'catalogue' | 'operator') =>
  ({ type: 'ListPriceSet', data: { item, credits, setBy } }) as const;

describe('list prices (OPS-06)', () => {
  it('records the price of an operator once', () => {
    const set = setListPrice(parsePrice('bucket:essential', 7.5));
    const event = priced('bucket:essential', '7500000', 'operator');
    deciding([], set).then([event]);
    deciding([event], set).then([]);
  });

  it('records a price as the operator’s if a catalogue has set the same price before', () => {
    deciding([priced('launch', '1000000', 'catalogue')], setListPrice(parsePrice('launch', '1'))).then([
      priced('launch', '1000000', 'operator'),
    ]);
  });

  it('sets shipped prices only for items without a price of an operator, null included', () => {
    const shipped = new Map([
      ['launch', '1000000'],
      ['profile', '1000000'],
      ['bucket:advanced', null],
      ['bucket:standard', '12500000'],
    ]);
    deciding(
      [
        priced('launch', '2000000', 'operator'),
        priced('profile', null, 'operator'),
        priced('bucket:standard', '9000000', 'catalogue'),
      ],
      setShippedPrices(shipped),
    ).then([priced('bucket:standard', '12500000', 'catalogue')]);
    deciding([], setShippedPrices(shipped)).then([
      priced('launch', '1000000', 'catalogue'),
      priced('profile', '1000000', 'catalogue'),
      priced('bucket:standard', '12500000', 'catalogue'),
    ]);
  });

  it('ships a price for every item of the catalogue and every charged unit of work', () => {
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
    ['launch', 0.5],
    ['launch', '2.000001'],
  ] as const) {
    it(`refuses ${credits} for ${item}`, () => {
      expect(() => parsePrice(item, credits)).toThrow(invalidPrice.detail);
    });
  }

  it('keeps a list price of the work that is always charged, while a rate of it can be withdrawn', () => {
    for (const item of ['launch', 'profile', 'account']) {
      expect(() => parseListPrice(item, null)).toThrow(invalidPrice.detail);
      expect(parsePrice(item, null)).toEqual({ item, credits: null });
    }
    expect(parseListPrice('bucket:advanced', null)).toEqual({ item: 'bucket:advanced', credits: null });
  });
});

describe('price resolution (OP-13)', () => {
  const list = { 'bucket:standard': '12500000', 'bucket:advanced': null, launch: '1000000' };
  const rates = { 'bucket:standard': '9000000', 'bucket:advanced': '30123456' };

  it('returns the exact list price for a workspace without a partner', () => {
    expect(resolvePrice(list, null, 'bucket:standard')).toBe(12_500_000n);
  });

  it('returns the partner’s rate if the partner has negotiated the item, else the list price', () => {
    expect(resolvePrice(list, rates, 'bucket:standard')).toBe(9_000_000n);
    expect(resolvePrice(list, rates, 'bucket:advanced')).toBe(30_123_456n);
    expect(resolvePrice(list, rates, 'launch')).toBe(1_000_000n);
  });

  it('returns null, never 0, if no price was set or the price was removed', () => {
    expect(resolvePrice(list, null, 'bucket:advanced')).toBeNull();
    expect(resolvePrice(list, rates, 'discovery:new-executive')).toBeNull();
  });
});
