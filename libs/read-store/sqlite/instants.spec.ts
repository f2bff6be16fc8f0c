import fc from 'fast-check';
import { instantColumn, isInstant, textOfInstant } from './instants.js';

const ROUND = ['0000-01-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z', '2026-01-05T00:00:01.000Z'];
const INSTANT = fc
  .date({ min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') })
  .filter((date) => !Number.isNaN(date.getTime()))
  .map((date) => date.toISOString());

describe('the column of an instant', () => {
  it('orders the empty text before every instant, as the first text of a process too', () => {
    expect(instantColumn('')).toBe(Date.parse('0000-01-01T00:00:00.000Z') - 0.5);
  });

  it('is the number of its milliseconds, which restores its text', () => {
    fc.assert(
      fc.property(INSTANT, (text) => {
        expect(isInstant(instantColumn(text))).toBe(true);
        expect(textOfInstant(instantColumn(text))).toBe(text);
      }),
    );
  });

  it.each([
    '2026-02-30T00:00:00.000Z',
    '2026-01-05T00:00:00.000+',
    '2026-01-05T01:00:00.00+01',
    '2026-01-05T24:00:00.000Z',
    '2026-01-05T00:00:00Z',
    '2026-01-05',
    '+010000-01-01T00:00:00.00Z',
    'never',
    '\u{1f600}',
  ])('is no whole number for %s, which is no instant with milliseconds', (text) => {
    expect(isInstant(instantColumn(text))).toBe(false);
  });

  it('compares any text with an instant as the texts compare', () => {
    const instants = fc.oneof(INSTANT, fc.constantFrom(...ROUND));
    const any = fc.oneof(
      instants,
      fc.string(),
      instants.chain((text) => fc.integer({ min: 0, max: 24 }).map((length) => text.slice(0, length))),
      instants.map((text) => text.replace('Z', '+01:00')),
    );
    fc.assert(
      fc.property(any, instants, (text, instant) => {
        const difference = instantColumn(text) - instantColumn(instant);
        expect(Math.sign(difference)).toBe(text < instant ? -1 : text > instant ? 1 : 0);
      }),
      { numRuns: 1_000 },
    );
  });
});
