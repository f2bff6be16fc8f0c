import { fractionOf } from '#kernel/values/fraction.js';
import { OneOf, Type, type Static } from '#kernel/values/schema.js';
import { fold } from '#kernel/values/text-folding.js';
import { companyEvents, joined, numberField, textField } from './company-events.js';
import { detector } from './detector.js';

const CURRENCIES = ['EUR', 'USD', 'GBP'] as const;

const Parameters = Type.Object({
  rounds: Type.Optional(Type.Array(Type.String())),
  min_amount: Type.Optional(Type.Number()),
  currency: Type.Optional(OneOf(...CURRENCIES)),
});
type Parameters = Static<typeof Parameters>;

/** Funding rounds of companies (D-72), oldest first. */
export const fundingDetector = detector({
  kind: 'funding',
  signalTypes: ['deepSearch'],
  directions: ['single'],
  audiences: ['market', 'covered_accounts'],
  arrivals: ['company_event'],
  templates: [{ kind: 'firmographic', signalTypes: ['deepSearch'], declares: ['rounds', 'min_amount'] }],
  parameters: Parameters,
  search(run) {
    const { rounds = [] } = run.parameters;
    const isEnough = amountFilter(run.parameters);
    return companyEvents(run, 'funding', ({ fields }) => {
      const round = roundOf(textField(fields, 'round'));
      const amount = numberField(fields, 'amount');
      const currency = textField(fields, 'currency')?.trim().toUpperCase() ?? null;
      if (rounds.length > 0 && (round === null || !rounds.includes(round))) return null;
      if (!isEnough(amount, currency)) return null;
      const raised = amount === null ? null : [String(amount), currency ?? []].flat().join(' ');
      return { answer: joined([round, raised]), facts: { round, amount, currency } };
    });
  },
});

const ROUNDS = new Set(['pre_seed', 'seed', 'series_a', 'series_b', 'series_c', 'later']);

/** `Series A` and `series-a` are `series_a`; every round after series C is `later`; another text is unknown. */
function roundOf(text: string | null): string | null {
  if (text === null) return null;
  const round = fold(text)
    .trim()
    .replaceAll(/[\s-]+/g, '_');
  if (/^series_[d-z]$/.test(round)) return 'later';
  return ROUNDS.has(round) ? round : null;
}

/** Fixed reference rates (D-72): 100 EUR equal 110 USD and 86 GBP. */
const REFERENCE_RATES = { EUR: 100n, USD: 110n, GBP: 86n };

/**
 * Whether an amount reaches the wanted one; without a currency it is read as EUR. If no amount is wanted, every
 * amount passes, even an unknown one.
 */
function amountFilter({
  min_amount: least,
  currency: wanted = 'EUR',
}: Parameters): (amount: number | null, currency: string | null) => boolean {
  if (least === undefined) return () => true;
  const limit = fractionOf(least);
  return (amount, currency) => {
    const known = CURRENCIES.find((one) => one === currency);
    if (amount === null || known === undefined) return false;
    const raised = fractionOf(amount);
    return (
      raised.numerator * REFERENCE_RATES[wanted] * limit.denominator >=
      limit.numerator * REFERENCE_RATES[known] * raised.denominator
    );
  };
}
