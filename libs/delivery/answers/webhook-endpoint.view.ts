import type { WebhookEndpoint } from '#delivery/domain/webhooks/webhook-endpoints.js';
import { DISABLED_REASONS, FORMATS, rateOf } from '#delivery/domain/webhooks/webhook.events.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** An endpoint as its workspace sees it. The secret is not included, because it is shown only once. */
export const WebhookEndpointView = Type.Object(
  {
    id: Id,
    url: Type.String(),
    types: Nullable(Type.Array(Type.String())),
    signal_setup_ids: Nullable(Type.Array(Id)),
    signal_template_keys: Nullable(Type.Array(Type.String())),
    list_ids: Nullable(Type.Array(Id)),
    description: Nullable(Type.String()),
    rate_per_second: Nullable(Type.Integer({ minimum: 1 })),
    format: OneOf(...FORMATS),
    enabled: Type.Boolean(),
    disabled_reason: Nullable(OneOf(...DISABLED_REASONS)),
    disabled_at: Nullable(Timestamp),
    created_at: Timestamp,
  },
  { title: 'WebhookEndpoint' },
);
export type WebhookEndpointAnswer = Static<typeof WebhookEndpointView>;

/** The facts of an endpoint that its workspace sees. */
type ShownEndpoint = Omit<
  WebhookEndpoint,
  'endpointId' | 'secretId' | 'earlierSecretIds' | 'previousUntil'
> & {
  readonly id: number;
};

/** An endpoint as its own stream states it: a read model may not show what was just written. */
export const statedEndpointView = (endpoint: WebhookEndpoint): WebhookEndpointAnswer =>
  webhookEndpointView({ ...endpoint, id: endpoint.endpointId });

export const webhookEndpointView = (endpoint: ShownEndpoint): WebhookEndpointAnswer => ({
  id: endpoint.id,
  url: endpoint.url,
  types: endpoint.types === null ? null : [...endpoint.types],
  signal_setup_ids: endpoint.signalSetupIds === null ? null : [...endpoint.signalSetupIds],
  signal_template_keys: endpoint.signalTemplateKeys === null ? null : [...endpoint.signalTemplateKeys],
  list_ids: endpoint.listIds === null ? null : [...endpoint.listIds],
  description: endpoint.description,
  rate_per_second: rateOf(endpoint),
  format: endpoint.format,
  enabled: endpoint.disabledReason === null,
  disabled_reason: endpoint.disabledReason,
  disabled_at: endpoint.disabledAt,
  created_at: endpoint.addedAt,
});
