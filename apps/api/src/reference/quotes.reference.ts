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
        'Why counting ended early: `too_many` (10,000 posts) or `too_long` (1 s); null where it did not.',
      ],
      counted_until: [
        'The date of the newest post that was counted, in UTC: counting begins with the oldest. Null where all were counted.',
      ],
      samples: ['Parts of the oldest ten at most.'],
    },
  },
  {
    of: ['PreviewedKeyword'],
    fields: {
      keyword: ['The keyword as it was sent.', 'CRM'],
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
