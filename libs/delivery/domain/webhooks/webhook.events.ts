import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** The format of the body of a delivery. */
export const FORMATS = ['standard', 'slack'] as const;

/** Why an endpoint is disabled. `asked`: by its workspace. */
export const DISABLED_REASONS = ['asked', 'operator', 'gone', 'failing', 'secret_lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const Ids = Nullable(Type.Array(Id));

/** The members of an endpoint that its workspace sets and may change. */
const configured = {
  url: Type.String(),
  /** The event types it receives; null: all, including types that later versions add. */
  types: Nullable(Type.Array(Type.String())),
  /** Each list narrows the event types that have such an id; null: not narrowed. */
  signalSetupIds: Ids,
  signalTemplateKeys: Nullable(Type.Array(Type.String())),
  listIds: Ids,
  description: Nullable(Type.String()),
  /** As it was sent; null: not limited. `rateOf` says what applies. */
  ratePerSecond: Nullable(Type.Integer({ minimum: 1 })),
  format: OneOf(...FORMATS),
};
const Configured = Type.Object(configured);
export type EndpointConfiguration = Immutable<Static<typeof Configured>>;

/** Slack messages go to one channel, which accepts one per second. */
export const SLACK_RATE = 1;

/**
 * The largest number of requests per second; null: not limited. The limit of Slack is not stored in the endpoint, so
 * that a change of the format changes the format alone.
 */
export const rateOf = ({
  format,
  ratePerSecond,
}: Pick<EndpointConfiguration, 'format' | 'ratePerSecond'>): number | null =>
  format === 'slack' ? SLACK_RATE : ratePerSecond;

const Changes = Type.Unsafe<Partial<EndpointConfiguration>>(Type.Partial(Configured));

/** Events on the stream of the endpoints of a workspace. */
export const webhookEvents = {
  /** `secretId` names the signing secret in the secret store; events never contain the secret (DLV-04). */
  WebhookEndpointAdded: event(
    Type.Object({ endpointId: Id, ...configured, secretId: Type.String(), addedAt: Timestamp }),
  ),
  WebhookEndpointChanged: event(Type.Object({ endpointId: Id, changes: Changes, changedAt: Timestamp })),
  /** The previous secret also signs until `previousUntil`, in real time. */
  WebhookSecretRotated: event(
    Type.Object({ endpointId: Id, secretId: Type.String(), previousUntil: Timestamp, rotatedAt: Timestamp }),
  ),
  WebhookEndpointDisabled: event(
    Type.Object({ endpointId: Id, reason: OneOf(...DISABLED_REASONS), disabledAt: Timestamp }),
  ),
  WebhookEndpointEnabled: event(Type.Object({ endpointId: Id, enabledAt: Timestamp })),
  WebhookEndpointDeleted: event(Type.Object({ endpointId: Id, deletedAt: Timestamp })),
  /** Requests one event again, or all events of the endpoint since a time. */
  WebhookReplayAsked: event(
    Type.Object({
      endpointId: Id,
      eventId: Nullable(Type.String()),
      since: Nullable(Timestamp),
      askedAt: Timestamp,
    }),
  ),
};
export type WebhookEvents = PayloadsOf<typeof webhookEvents>;

/** Events on the stream of one endpoint. */
export const webhookProgressEvents = {
  /** All events up to this id are delivered or given up (DLV-05). */
  WebhookEventsSettled: event(
    Type.Object({ endpointId: Id, throughId: Type.String(), settledAt: Timestamp }),
  ),
};
export type WebhookProgressEvents = PayloadsOf<typeof webhookProgressEvents>;
