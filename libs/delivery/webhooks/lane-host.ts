import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { LeaseLost, type ReadModels, type RecordStore } from '#kernel/ports/read-store.port.js';
import type { SecretStore } from '#kernel/ports/secret-store.port.js';
import type { Outbound } from '#outbound/outbound.js';
import {
  webhookEndpointKey,
  webhookEndpointViews,
  type WebhookEndpointDocument,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import {
  webhookProgressKey,
  webhookProgressViews,
} from '#projections/delivery/webhook-progress/webhook-progress.projection.js';
import {
  disableEndpoint,
  disableWithoutSecret,
  settleEvents,
  webhookEndpoints,
  webhookProgress,
} from '../domain/webhooks/webhook-endpoints.js';
import type { FeedSource } from '../event-feed.js';
import { contextOf } from './command-context.js';
import { deliveryRecords } from './delivery-records.js';
import type { QueueHost } from './queue/queue-host.js';
import { renderDelivery } from './render-delivery.js';
import { requestSlots } from './request-slots.js';
import { sendDelivery, type DeliveryOutcome } from './send-delivery.js';
import { signingSecretIds } from './signing.js';

export type LaneHostParts = {
  readonly source: FeedSource;
  readonly readModels: ReadModels;
  readonly reads: RecordStore;
  readonly commands: Commands;
  readonly secrets: Pick<SecretStore, 'get'>;
  readonly outbound: Outbound;
  /** Product time. */
  readonly now: () => Date;
  /** Real time. */
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly later: QueueHost['later'];
  readonly onAttempt: (outcome: DeliveryOutcome) => void;
  readonly onTrouble: (what: string, error: unknown) => void;
};

/** Requests in flight for all endpoints of a process. */
const REQUESTS = { healthy: 400, troubled: 100, slow: 500, slowAfterMs: 1_000 };

/** The host of every queue of a process. `requireLead` throws `LeaseLost` if another process delivers. */
export function laneHost(parts: LaneHostParts, requireLead: () => void): QueueHost {
  const { source, readModels, reads, commands, nowMs, later, onTrouble } = parts;
  const slots = requestSlots(REQUESTS, later);

  /** The secrets that sign for an endpoint, newest first; null: its own is missing. */
  async function secretsOf(endpoint: WebhookEndpointDocument): Promise<readonly string[] | null> {
    const names = signingSecretIds(endpoint, nowMs());
    const found = await parts.secrets.get(names);
    return found.has(endpoint.secretId) ? names.flatMap((name) => found.get(name) ?? []) : null;
  }

  /** The same for its present state: two rotations delete the secret that a queue may still know. */
  async function secretsNow({ id }: WebhookEndpointDocument): Promise<readonly string[] | null> {
    const endpoint = await readModels.get(webhookEndpointViews, webhookEndpointKey(id));
    return endpoint === null ? null : secretsOf(endpoint);
  }

  return {
    source,
    readModels,
    records: deliveryRecords(reads),
    nowMs,
    random: parts.random,
    later,
    takeSlot: slots.take,
    async attempt(endpoint, entry, previousId, signal) {
      const secrets = (await secretsOf(endpoint)) ?? (await secretsNow(endpoint));
      if (secrets === null) return null;
      const body = await renderDelivery(source, endpoint, entry, previousId);
      const sent = await sendDelivery(parts, { url: endpoint.url, id: entry.id, body, secrets }, signal);
      parts.onAttempt(sent.outcome);
      return sent;
    },
    async disable({ id, workspaceId, secretId, enabledTimes }, reason, cause) {
      const at = parts.now().toISOString();
      const decision =
        reason === 'secret_lost' ? disableWithoutSecret(id, secretId, at) : disableEndpoint(id, reason, at);
      const context = contextOf(workspaceId, `webhook-disabled:${id}:${reason}:${cause}:${enabledTimes}`);
      const options = { context, waitForReadModels: false };
      await commands.handle(webhookEndpoints, String(workspaceId), decision, options);
    },
    async settle({ id, workspaceId }, throughId) {
      const settledAt = parts.now().toISOString();
      const decision = settleEvents({ endpointId: id, throughId, settledAt });
      const context = contextOf(workspaceId, `webhook-settled:${id}:${throughId}`);
      const options = { context, waitForReadModels: false };
      await commands.handle(webhookProgress, workspaceScoped(workspaceId, id), decision, options);
    },
    progressOf: async (endpointId) =>
      (await readModels.get(webhookProgressViews, webhookProgressKey(endpointId)))?.throughId ?? null,
    requireLead,
    onError: (endpointId, error) => {
      if (!(error instanceof LeaseLost)) onTrouble(`webhook endpoint ${endpointId}`, error);
    },
  };
}
