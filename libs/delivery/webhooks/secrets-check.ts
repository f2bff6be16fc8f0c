import { eachPage } from '#kernel/projections/each-page.js';
import {
  webhookEndpointViews,
  type WebhookEndpointDocument,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { enableWithSecret, webhookEndpoints } from '../domain/webhooks/webhook-endpoints.js';
import { contextOf } from './command-context.js';
import type { LaneHostParts } from './lane-host.js';
import type { QueueHost } from './queue/queue-host.js';

type Parts = Pick<LaneHostParts, 'readModels' | 'commands' | 'secrets' | 'now' | 'onTrouble'>;

const ENDPOINTS_AT_ONCE = 500;

/**
 * Checks whether each endpoint has its secret (DLV-04). An endpoint whose secret is lost is disabled before an event
 * is sent to it; it is enabled when the secret is back, for example after a restore.
 */
export function secretsCheck(
  { readModels, commands, secrets, now, onTrouble }: Parts,
  disable: QueueHost['disable'],
): () => Promise<void> {
  /** The endpoints of a page whose secret exists, or does not. */
  async function* endpointsOf(where: { readonly [field: string]: string }, hasSecret: boolean) {
    const sort = [['id', 'asc']] as const;
    const pages = eachPage(readModels, webhookEndpointViews, { where, sort, limit: ENDPOINTS_AT_ONCE });
    for await (const page of pages) {
      const found = await secrets.get(page.map(({ secretId }) => secretId));
      yield* page.filter(({ secretId }) => found.has(secretId) === hasSecret);
    }
  }

  async function enable({ id, workspaceId, secretId, enabledTimes }: WebhookEndpointDocument): Promise<void> {
    const decision = enableWithSecret(id, secretId, now().toISOString());
    const context = contextOf(workspaceId, `webhook-secret-back:${id}:${secretId}:${enabledTimes}`);
    const options = { context, waitForReadModels: false };
    await commands.handle(webhookEndpoints, String(workspaceId), decision, options);
  }

  return async () => {
    for await (const endpoint of endpointsOf({ status: 'enabled' }, false)) {
      await disable(endpoint, 'secret_lost', endpoint.secretId);
      const of = `webhook endpoint ${endpoint.id} of workspace ${endpoint.workspaceId}`;
      onTrouble(
        of,
        new Error('its signing secret is lost: it is disabled until the secret is restored or rotated'),
      );
    }
    const lost = { status: 'disabled', disabledReason: 'secret_lost' };
    for await (const endpoint of endpointsOf(lost, true)) await enable(endpoint);
  };
}
