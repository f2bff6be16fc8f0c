import { Id, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, type OffsetPage } from '#http/paging.js';
import { offsetPage } from '#http/parameters.js';
import type { Reply } from '#http/reply.js';
import {
  SIGNAL_BUCKETS_KEY,
  signalBuckets,
  type BucketMember,
  type SignalBucket,
} from '#projections/catalogue/signal-buckets/signal-buckets.projection.js';
import { handle } from '../../handle.js';
import { shownPrices, type ShownPrice } from '../workspace-prices.js';

const SignalBucketView = Type.Object(
  {
    key: OneOf('essential', 'standard', 'advanced'),
    name: Type.String(),
    description: Nullable(Type.String()),
    display_order: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER }),
    signal_template_ids: Type.Array(Id),
    pricing: Nullable(
      Type.Object({ credits: Type.Number({ minimum: 0 }), unit: OneOf('key_account_per_month') }),
    ),
  },
  { title: 'SignalBucket' },
);

function signalBucketView(bucket: SignalBucket, members: readonly BucketMember[], priceOf: ShownPrice) {
  const monthly = priceOf(`bucket:${bucket.key}`);
  return {
    key: bucket.key,
    name: bucket.name,
    description: bucket.description,
    display_order: bucket.displayOrder,
    signal_template_ids: members
      .filter((member) => member.bucket === bucket.key && !member.retired)
      .map((member) => member.templateId),
    pricing: monthly === null ? null : ({ credits: monthly, unit: 'key_account_per_month' } as const),
  };
}

type Page = Reply<OffsetPage<ReturnType<typeof signalBucketView>>>;

const query = { page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signal-buckets',
  summary: 'List the signal buckets',
  description: 'A price is per key account and month; null means no price yet, not free.',
  query,
  response: PageOf(SignalBucketView),
})
export class ListSignalBuckets extends EndpointQuery<Page, { query: typeof query }> {}

handle(ListSignalBuckets, async ({ workspaceId, query }, { readModels }) => {
  const { page: asked } = query;
  const [catalogue, priceOf] = await Promise.all([
    readModels.get(signalBuckets, SIGNAL_BUCKETS_KEY),
    shownPrices(readModels, workspaceId),
  ]);
  const { buckets, members } = catalogue ?? { buckets: [], members: [] };
  return page(
    buckets
      .slice(asked.skip, asked.skip + asked.pageSize)
      .map((bucket) => signalBucketView(bucket, members, priceOf)),
    buckets.length,
    asked,
  );
});
