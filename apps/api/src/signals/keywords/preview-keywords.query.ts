import { ArrayMaxSize, ArrayMinSize, IsArray, MaxLength } from 'class-validator';
import { ofEntry } from '#kernel/values/faults.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { fold } from '#kernel/values/text-folding.js';
import { DEFAULT_LOOKBACK_DAYS } from '#signals/launching/lookback.js';
import { previewKeywords, STOPPED_BECAUSE } from '#signals/previewing/preview-keywords.js';
import { IsNotBlank } from '#http/body.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { invalidRequest } from '#http/problem.js';
import { handle } from '../../handle.js';
import { IsLookbackDays } from '../lookback.body.js';
import { takePreview } from './preview-allowance.js';

/** The same limits as in a signal setup. */
const MOST_KEYWORDS = 50;
const LONGEST_KEYWORD = 100;

export class PreviewKeywordsBody {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_KEYWORDS)
  @IsNotBlank({ each: true })
  @MaxLength(LONGEST_KEYWORD, { each: true })
  keywords!: string[];

  @IsLookbackDays()
  lookback_days?: number;
}

const Count = Type.Integer({ minimum: 0 });

const KeywordPreview = DataOf(
  Type.Object(
    {
      now: Timestamp,
      lookback_days: Type.Integer({ minimum: 1 }),
      posts: Count,
      keywords: Type.Array(
        Type.Object({ keyword: Type.String(), posts: Count }, { title: 'PreviewedKeyword' }),
      ),
      complete: Type.Boolean(),
      stopped_because: Nullable(OneOf(...STOPPED_BECAUSE)),
      counted_until: Nullable(Timestamp),
      samples: Type.Array(
        Type.Object(
          {
            published_on: Type.String({ format: 'date' }),
            keywords: Type.Array(Type.String()),
            extracts: Type.Array(Type.String()),
          },
          { title: 'PreviewedText' },
        ),
      ),
    },
    { title: 'KeywordPreview' },
  ),
);
type KeywordPreview = Static<typeof KeywordPreview>;

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v3/keywords/preview',
  summary: 'Count the posts that mention keywords',
  description:
    'Counts the posts of the whole network that contain each keyword, with the matching of runs, and shows ' +
    'extracts of at most ten posts: at most 120 characters around a match, without authors. Nothing is ' +
    'charged or changed. Counting begins with the oldest and ends after 10,000 posts or 1 s: then ' +
    '`complete` is false and `counted_until` is the date of the last counted post. A workspace has 60 ' +
    'previews a minute and 500 a day, in UTC; beyond that the answer is 429 with `Retry-After`.',
  body: PreviewKeywordsBody,
  readsOnly: true,
  response: KeywordPreview,
})
export class PreviewKeywords extends EndpointQuery<KeywordPreview, { body: PreviewKeywordsBody }> {}

handle(PreviewKeywords, async ({ workspaceId, body }, ports): Promise<KeywordPreview> => {
  const { keywords, lookback_days: lookbackDays = DEFAULT_LOOKBACK_DAYS } = body;
  const empty = keywords.findIndex((keyword) => fold(keyword) === '');
  if (empty >= 0)
    throw invalidRequest('body', 422, fieldError('keywords', ofEntry(empty, 'must not be empty')));
  await takePreview(ports, workspaceId);
  const now = ports.clock.now();
  const preview = await previewKeywords(ports.network, { keywords, now, lookbackDays });
  return {
    data: {
      now: now.toISOString(),
      lookback_days: lookbackDays,
      posts: preview.posts,
      keywords: [...preview.counts].map(([keyword, posts]) => ({ keyword, posts })),
      complete: preview.stoppedBecause === null,
      stopped_because: preview.stoppedBecause,
      counted_until: preview.countedUntil,
      samples: preview.samples.map(({ publishedOn, keywords: found, extracts }) => ({
        published_on: publishedOn,
        keywords: [...found],
        extracts: [...extracts],
      })),
    },
  };
});
