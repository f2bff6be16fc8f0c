import { Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { DeliveryRow } from '#delivery/webhooks/delivery-records.js';
import { OUTCOMES } from '#delivery/webhooks/send-delivery.js';

/** One attempt; `answer` is the beginning of the response body if the attempt failed. */
export const AttemptView = Type.Object(
  {
    at: Timestamp,
    outcome: OneOf(...OUTCOMES),
    status_code: Nullable(Type.Integer({ minimum: 100, maximum: 999 })),
    duration_ms: Type.Integer({ minimum: 0 }),
    answer: Nullable(Type.String()),
    is_replay: Type.Boolean(),
  },
  { title: 'WebhookAttempt' },
);

export const DELIVERY_STATUSES = ['delivered', 'retrying', 'failed'] as const;

/** The delivery of one event to one endpoint. */
export const DeliveryView = Type.Object(
  {
    event_id: Type.String(),
    type: Type.String(),
    occurred_at: Timestamp,
    status: OneOf(...DELIVERY_STATUSES),
    next_attempt_at: Nullable(Timestamp),
    attempts: Type.Array(AttemptView),
  },
  { title: 'WebhookDelivery' },
);
export type DeliveryAnswer = Static<typeof DeliveryView>;

export const deliveryView = (row: DeliveryRow): DeliveryAnswer => ({
  event_id: row.eventId,
  type: row.type,
  occurred_at: row.occurredAt,
  status: row.status,
  next_attempt_at: row.nextAttemptMs === null ? null : new Date(row.nextAttemptMs).toISOString(),
  attempts: [...row.attempts],
});
