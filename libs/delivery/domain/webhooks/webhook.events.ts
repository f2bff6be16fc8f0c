import { event, type Immutable, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** How the body of a delivery is written. */
export const FORMATS = ['standard', 'slack'] as const;

/** Why an endpoint gets nothing. `asked`: its workspace wants it so. */
export const DISABLED_REASONS = ['asked', 'operator', 'gone', 'failing', 'secret_lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const Ids = Nullable(Type.Array(Id));

/** What a workspace says of an endpoint, and may change. */
const configured = {
  url: Type.String(),
  /** Types of events that it gets; null: all, also those that a later version adds. */
  types: Nullable(Type.Array(Type.String())),
  /** Each narrows the types that are about such a thing; null: it narrows nothing. */
  signalSetupIds: Ids,
  signalTemplateKeys: Nullable(Type.Array(Type.String())),
  listIds: Ids,
  description: Nullable(Type.String()),
  /** null: as fast as it answers. */
  ratePerSecond: Nullable(Type.Integer({ minimum: 1 })),
  format: OneOf(...FORMATS),
};
const Configured = Type.Object(configured);
export type EndpointConfiguration = Immutable<Static<typeof Configured>>;

const Changes = Type.Unsafe<Partial<EndpointConfiguration>>(Type.Partial(Configured));

/** On the stream of the endpoints of a workspace. */
export const webhookEvents = {
  /** `secretId` names the signing secret in the secret store; no event has the secret itself (DLV-04). */
  WebhookEndpointAdded: event(
    Type.Object({ endpointId: Id, ...configured, secretId: Type.String(), addedAt: Timestamp }),
  ),
  WebhookEndpointChanged: event(Type.Object({ endpointId: Id, changes: Changes, changedAt: Timestamp })),
  /** The secret before it signs as well until `previousUntil`, which is real time. */
  WebhookSecretRotated: event(
    Type.Object({ endpointId: Id, secretId: Type.String(), previousUntil: Timestamp, rotatedAt: Timestamp }),
  ),
  WebhookEndpointDisabled: event(
    Type.Object({ endpointId: Id, reason: OneOf(...DISABLED_REASONS), disabledAt: Timestamp }),
  ),
  WebhookEndpointEnabled: event(Type.Object({ endpointId: Id, enabledAt: Timestamp })),
  WebhookEndpointDeleted: event(Type.Object({ endpointId: Id, deletedAt: Timestamp })),
  /** One event again, or all that the endpoint asks for since a time. */
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

/** On the stream of one endpoint. */
export const webhookProgressEvents = {
  /** Everything up to the event with this id is delivered or given up (DLV-05). */
  WebhookEventsSettled: event(
    Type.Object({ endpointId: Id, throughId: Type.String(), settledAt: Timestamp }),
  ),
};
export type WebhookProgressEvents = PayloadsOf<typeof webhookProgressEvents>;
