import type { RecordStore } from '#kernel/ports/read-store.port.js';
import { randomUUID } from 'node:crypto';
import type { SecretStore } from '#kernel/ports/secret-store.port.js';
import { Refusal } from '#kernel/values/refusal.js';
import type { AllowedCidrs } from '#outbound/addresses.js';
import type { Outbound } from '#outbound/outbound.js';
import { urlFault } from '#outbound/url-fault.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { TEST_TYPE } from '../answers/event.view.js';
import { webhookEndpointView } from '../answers/webhook-endpoint.view.js';
import {
  attemptOf,
  deliveryRecords,
  type DeliveryAttempt,
  type DeliveryRecords,
} from './delivery-records.js';
import { deliveryBody } from './render-delivery.js';
import { sendDelivery, type DeliveryOutcome } from './send-delivery.js';
import { newSigningSecret, signingSecretIds } from './signing.js';

export type WebhookDeskParts = {
  readonly outbound: Outbound;
  readonly allowed: AllowedCidrs;
  readonly secrets: SecretStore;
  readonly reads: RecordStore;
  readonly onAttempt: (outcome: DeliveryOutcome) => void;
};

/** The operations on webhook endpoints for the API and operators. */
export type WebhookDesk = {
  readonly records: DeliveryRecords;
  /** Why an endpoint cannot have this address; null: it can. */
  readonly urlFault: (url: string) => string | null;
  /**
   * Does `work`, which may make a secret for the endpoint: `make` stores it and returns its name, which does not depend on
   * the secret. If `work` is refused, the secret is forgotten. After any other error it stays, because an event may name it.
   */
  readonly withNewSecret: <Result>(
    workspaceId: number,
    endpointId: number,
    work: (make: () => Promise<string>) => Promise<Result>,
  ) => Promise<Result>;
  /** A secret by its name; null: it is lost. */
  readonly secret: (secretId: string) => Promise<string | null>;
  readonly forgetSecrets: (secretIds: readonly string[]) => Promise<void>;
  /**
   * Sends an event of type `endpoint.test`, once; null: the secret of the endpoint is lost. `busy`: another test of the
   * endpoint is in flight.
   */
  readonly test: (endpoint: WebhookEndpointDocument, now: Date) => Promise<DeliveryAttempt | 'busy' | null>;
};

export function webhookDesk(parts: WebhookDeskParts): WebhookDesk {
  const { secrets } = parts;
  const nowMs = Date.now;
  /** The endpoints with a test in flight: tests take no slot of the deliveries. */
  const testing = new Set<number>();

  async function forgetSecrets(secretIds: readonly string[]): Promise<void> {
    if (secretIds.length > 0) await secrets.delete(secretIds);
  }

  async function sendTest(endpoint: WebhookEndpointDocument, now: Date): Promise<DeliveryAttempt | null> {
    const names = signingSecretIds(endpoint, nowMs());
    const found = await secrets.get(names);
    if (!found.has(endpoint.secretId)) return null;
    const id = `evt_test_${randomUUID().replaceAll('-', '')}`;
    const event = {
      id,
      type: TEST_TYPE,
      occurred_at: now.toISOString(),
      workspace_id: endpoint.workspaceId,
      previous_id: null,
      data: webhookEndpointView(endpoint),
    };
    const body = deliveryBody(event, endpoint.format);
    const signing = names.flatMap((name) => found.get(name) ?? []);
    const startedMs = nowMs();
    const never = new AbortController().signal;
    const sent = await sendDelivery(
      { outbound: parts.outbound, nowMs },
      { url: endpoint.url, id, body, secrets: signing },
      never,
    );
    parts.onAttempt(sent.outcome);
    return attemptOf(sent, startedMs, false);
  }

  return {
    records: deliveryRecords(parts.reads),
    urlFault: (url) => urlFault(url, parts.allowed),
    async withNewSecret(workspaceId, endpointId, work) {
      const made: string[] = [];
      const make = async (): Promise<string> => {
        const secretId = `webhook:${workspaceId}:${endpointId}:${randomUUID()}`;
        made.push(secretId);
        await secrets.put(secretId, newSigningSecret());
        return secretId;
      };
      try {
        return await work(make);
      } catch (error) {
        if (error instanceof Refusal) await forgetSecrets(made);
        throw error;
      }
    },
    secret: async (secretId) => (await secrets.get([secretId])).get(secretId) ?? null,
    forgetSecrets,
    async test(endpoint, now) {
      if (testing.has(endpoint.id)) return 'busy';
      testing.add(endpoint.id);
      try {
        return await sendTest(endpoint, now);
      } finally {
        testing.delete(endpoint.id);
      }
    },
  };
}
