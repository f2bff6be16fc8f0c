import { JsonMembers, Nullable, OneOf, Timestamp, Type, Id } from '#kernel/values/schema.js';
import { TEMPLATE_SHAPES } from '#catalogue/domain/templates/catalogue-file.js';
import type { SignalTemplateDocument } from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import type { ShownPrice } from '../workspace-prices.js';

/** A signal template as the API returns it. */
export const SignalTemplateView = Type.Object(
  {
    id: Id,
    key: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    row_summary: Nullable(Type.String()),
    category: Type.String(),
    status: OneOf('live', 'coming_soon'),
    subjects: Type.Array(OneOf('person', 'company'), { minItems: 1 }),
    scopes: Type.Array(OneOf('discovery', 'account_monitoring'), { minItems: 1 }),
    tags: Type.Array(Type.String()),
    pricing: Type.Object({
      account_monitoring: Nullable(
        Type.Object({
          signal_bucket: OneOf('essential', 'standard', 'advanced'),
          credits: Type.Number({ minimum: 0 }),
          unit: OneOf('key_account_per_month'),
        }),
      ),
      discovery: Nullable(Type.Object({ credits: Type.Number({ minimum: 0 }), unit: OneOf('signal_found') })),
    }),
    setup: Type.Object({ fields: JsonMembers, shape: Type.String({ enum: [...TEMPLATE_SHAPES] }) }),
    display_order: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER }),
    archived_at: Nullable(Timestamp),
  },
  { title: 'SignalTemplate' },
);

/** The template with the prices of the calling workspace. */
export function signalTemplateView(template: SignalTemplateDocument, priceOf: ShownPrice) {
  const { content } = template;
  const bucket = content.signalBucket;
  const monthly = bucket === null ? null : priceOf(`bucket:${bucket}`);
  const found = priceOf(`discovery:${template.key}`);
  return {
    id: template.id,
    key: template.key,
    name: content.name,
    description: content.description,
    row_summary: content.rowSummary,
    category: content.category,
    status: template.status,
    subjects: content.subjects,
    scopes: content.scopes,
    tags: content.tags,
    pricing: {
      account_monitoring:
        bucket === null || monthly === null
          ? null
          : ({ signal_bucket: bucket, credits: monthly, unit: 'key_account_per_month' } as const),
      discovery: found === null ? null : ({ credits: found, unit: 'signal_found' } as const),
    },
    setup: { fields: content.fields, shape: content.shape },
    display_order: content.displayOrder,
    archived_at: template.retiredAt,
  };
}

export type SignalTemplateAnswer = ReturnType<typeof signalTemplateView>;
