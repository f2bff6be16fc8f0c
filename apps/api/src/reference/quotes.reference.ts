import type { ReferencePart } from '#http/reference.js';

/** Quotes of launches. */
export const quotes: readonly ReferencePart[] = [
  {
    of: ['LaunchSignalRunBody', 'Quote'],
    fields: {
      quote_id: [
        'The quote itself, sealed: send it with the body that was quoted, and the launch spends at most what was quoted.',
        'quote_eyJ2IjoxfQ',
      ],
    },
  },
  {
    of: ['Quote'],
    fields: {
      expires_at: ['Until when a launch can be made with it: 15 minutes, in UTC.'],
      now: ['The moment at which a launch with this quote looks, in UTC.'],
      candidates: ['What matches in the time that is looked at, found before or not.', 42, 'signals'],
      new: ['What no earlier run of the agent or signal setup has found.', 40, 'signals'],
      free: ['New ones that cost nothing: of lower priority, or about covered accounts.', 4, 'signals'],
      priced: ['New ones that have a price.', 36, 'signals'],
      unit_price: ['What one priced signal costs.', 10, 'credits'],
      credits_needed: [
        'What all priced ones cost, each charge counted once; null where they were not counted to the end.',
        340,
        'credits',
      ],
      credits_at_most: [
        'What a launch with this quote spends at most: the smallest of `credits_needed`, the balance, the room under the caps and `max_credits`, in whole signals.',
        340,
        'credits',
      ],
      exact: [
        'Whether it spends just `credits_at_most`, if nothing is ingested, covered or launched in between.',
      ],
      inexact_because: ['Why it is not exact; null where it is.'],
      limited_by: ['What allows less than all of it; null where nothing does.'],
      balance: ['What the workspace can spend itself, now and after such a launch.'],
      caps: ['The caps that count such a launch, now and after it.'],
    },
  },
  {
    of: ['QuotedBalance'],
    fields: {
      now: ['What can be spent now.', 1000, 'credits'],
      afterwards: ['What can be spent when `credits_at_most` is spent.', 660, 'credits'],
    },
  },
  {
    of: ['QuotedCap'],
    fields: {
      spent_afterwards: ['What `spent` is when `credits_at_most` is spent.', 460, 'credits'],
    },
  },
];
