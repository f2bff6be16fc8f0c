import type { ReferencePart } from '#http/reference.js';

/** Monitored accounts, and what monitoring costs. */
export const monitoring: readonly ReferencePart[] = [
  {
    of: ['AccountMonitoring'],
    fields: {
      price_per_account_credits: [
        'Price of today for one account in one business unit.',
        5,
        'credits a month',
      ],
      not_covered_since: [
        'When the first of the uncovered accounts lost its coverage, in UTC; null if all are covered.',
      ],
      renewal_shortfall_credits: [
        'The missing credits for the accounts that are not covered because of the balance, in whole credits.',
        0,
        'credits',
      ],
      by_business_unit: ['Every active persona, also those without a monitored account.'],
    },
  },
  {
    of: ['AccountMonitoring', 'BusinessUnitMonitoring'],
    fields: {
      monitored_count: ['Accounts that are monitored, counted once in each business unit.', 17, 'accounts'],
      not_covered_count: ['Due accounts that are not paid, for any reason.', 0, 'accounts'],
      monthly_cost_credits: ['Their cost at the present price.', 85, 'credits a month'],
    },
  },
];
