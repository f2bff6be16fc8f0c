import { Counter, type Registry } from 'prom-client';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { LaneFigures } from '#delivery/webhooks/webhook-lane.js';
import { OUTCOMES, type DeliveryOutcome } from '#delivery/webhooks/send-delivery.js';
import { webhookEndpointViews } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { lookedUpGauges, type Collector } from './looked-up-gauges.js';

/** Counts the delivery attempts of this process by outcome. */
export function attemptCounter(registry: Registry): (outcome: DeliveryOutcome) => void {
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of this process to deliver an event to a webhook endpoint',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  return (outcome) => attempts.inc({ outcome });
}

/** The state of deliveries; only the delivering process reports the waiting ones. */
export function webhookGauges(
  registry: Registry,
  sources: { readonly readModels: ReadModels; readonly deliveries: () => Promise<LaneFigures> },
): Collector {
  type Found = LaneFigures & { readonly disabled: number };
  const look = async (): Promise<Found> => {
    const disabled = await sources.readModels.count(webhookEndpointViews, {
      where: { status: 'disabled', disabledReason: { in: ['gone', 'failing', 'secret_lost'] } },
    });
    return { ...(await sources.deliveries()), disabled };
  };
  return lookedUpGauges(registry, 'webhooks', look, [
    {
      name: 'webhook_endpoints_disabled',
      help: 'Webhook endpoints that the service has disabled: gone, failing or without their secret',
      labels: [],
      readings: ({ disabled }) => [[[], disabled]],
    },
    {
      name: 'webhook_deliveries_pending',
      help: 'Events that wait for their delivery or for another attempt; only the delivering process reports it',
      labels: [],
      readings: ({ isLeading, pending }) => (isLeading ? [[[], pending]] : []),
    },
    {
      name: 'webhook_delivery_oldest_age_seconds',
      help: 'Age of the oldest event that waits for its delivery; 0 if none waits; only the delivering process reports it',
      labels: [],
      readings: ({ isLeading, oldestAt }) =>
        isLeading
          ? [[[], oldestAt === null ? 0 : Math.max(0, (Date.now() - Date.parse(oldestAt)) / 1_000)]]
          : [],
    },
  ]);
}
