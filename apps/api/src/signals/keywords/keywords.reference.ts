import type { ReferencePart } from '#http/reference.js';

/** The preview of keywords. */
export const keywords: readonly ReferencePart[] = [
  {
    of: ['PreviewKeywordsBody'],
    fields: {
      keywords: [
        'The keywords to look for: 1 to 50, at most 100 characters each.',
        ['CRM', 'sales automation'],
      ],
      lookback_days: ['Number of days before now that are searched.', 90, 'days'],
    },
  },
  {
    of: ['KeywordPreview'],
    fields: {
      now: ['End of the searched period, in UTC.'],
      lookback_days: ['Number of searched days.', 90, 'days'],
      posts: ['Posts that mention at least one of the keywords.', 42, 'posts'],
      keywords: ['The keywords as they were sent, each once, with its own count.'],
      complete: ['Whether all posts of the period were counted.'],
      stopped_because: [
        'Why counting ended early: `too_many` (10,000 posts) or `too_long` (1 s); null if it did not.',
      ],
      counted_until: [
        'The date of the newest counted post, in UTC: counting begins with the oldest. Null if all were counted.',
      ],
      samples: ['Extracts of at most the ten oldest posts.'],
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
      keywords: ['The keywords that the post contains.', ['CRM']],
      extracts: [
        'Around the first match of each keyword, at most 120 characters and three extracts; a match that is already shown has no extract of its own.',
        ['We changed our CRM last week.'],
      ],
    },
  },
];
