import type { ReferencePart } from '#http/reference.js';

/** Quotes of launches. */
export const quotes: readonly ReferencePart[] = [
  {
    of: ['LaunchSignalRunBody', 'Quote'],
    fields: {
      quote_id: [
        'The sealed quote: a launch with it and the same body spends at most the quoted credits.',
        'quote_eyJ2IjoxfQ',
      ],
    },
  },
  {
    of: ['Quote'],
    fields: {
      expires_at: ['Until when a launch can be made with it: 15 minutes, in UTC.'],
      now: ['The present time of a launch with this quote, in UTC.'],
      candidates: ['Matches in the period, including signals that were found before.', 42, 'signals'],
      new: ['Matches that no earlier run of the agent or signal setup has found.', 40, 'signals'],
      free: ['New ones that cost nothing: of lower priority, or about covered accounts.', 4, 'signals'],
      priced: ['New ones that have a price.', 36, 'signals'],
      unit_price: ['Price of one priced signal.', 10, 'credits'],
      credits_needed: [
        'Cost of all priced signals, each charge counted once; null if the count is incomplete.',
        340,
        'credits',
      ],
      credits_at_most: [
        'Most credits that a launch with this quote spends: the smallest of `credits_needed`, the balance, the rest under the caps and `max_credits`, in whole signals.',
        340,
        'credits',
      ],
      exact: [
        'Whether it spends just `credits_at_most`, if nothing is ingested, covered or launched in between.',
      ],
      inexact_because: ['Why the quote is not exact; null if it is.'],
      limited_by: ['The limit that allows less than `credits_needed`; null if nothing does.'],
      balance: ['Available credits of the workspace, now and after such a launch.'],
      caps: ['The caps that count such a launch, now and after it.'],
    },
  },
  {
    of: ['QuotedBalance'],
    fields: {
      now: ['Available credits.', 1000, 'credits'],
      afterwards: ['Available credits after `credits_at_most` is spent.', 660, 'credits'],
    },
  },
  {
    of: ['QuotedCap'],
    fields: {
      spent_afterwards: ['Value of `spent` after `credits_at_most` is spent.', 460, 'credits'],
    },
  },
  {
    of: ['PreviewKeywordsBody'],
    fields: {
      keywords: [
        'The keywords to look for: 1 to 50, at most 100 characters each.',
        ['CRM', 'sales automation'],
      ],
      lookback_days: ['How far back is looked.', 90, 'days'],
    },
  },
  {
    of: ['KeywordPreview'],
    fields: {
      now: ['The newest moment that is looked at, in UTC.'],
      lookback_days: ['How far back was looked.', 90, 'days'],
      posts: ['Posts that mention at least one of the keywords.', 42, 'posts'],
      keywords: ['The keywords as they were sent, each once, with its own count.'],
      complete: ['Whether everything in that time was counted.'],
      stopped_because: [
        'Why counting ended early: `too_many` (10,000 posts) or `too_long` (1 s); null if it did not.',
      ],
      counted_until: [
        'The date of the newest counted post, in UTC: counting begins with the oldest. Null if all were counted.',
      ],
      samples: ['Parts of the oldest ten at most.'],
    },
  },
  {
    of: ['PreviewedKeyword'],
    fields: {
      keyword: ['The sent keyword.', 'CRM'],
      posts: ['Posts that mention it.', 40, 'posts'],
    },
  },
  {
    of: ['PreviewedText'],
    fields: {
      published_on: ['The day on which it was published, in UTC.', '2026-05-20'],
      keywords: ['The keywords that stand in it.', ['CRM']],
      extracts: [
        'Around the first match of each keyword, at most 120 characters and three extracts; a match that is shown already has none of its own.',
        ['We changed our CRM last week.'],
      ],
    },
  },
];
