import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { eventFeed, type FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import type { FeedSource } from '../../event-feed.js';
import type { DeliveryRecords } from '../delivery-records.js';
import type { Sent } from '../send-delivery.js';

/** What the queue of an endpoint works with. */
export type QueueHost = {
  readonly source: FeedSource;
  readonly readModels: ReadModels;
  readonly records: DeliveryRecords;
  /** Renders and sends; null: the secret of the endpoint is lost, and nothing was sent. Rejects where a store is away. */
  readonly attempt: (
    endpoint: WebhookEndpointDocument,
    entry: FeedEntryDocument,
    previousId: string | null,
    signal: AbortSignal,
  ) => Promise<Sent | null>;
  readonly disable: (
    endpoint: WebhookEndpointDocument,
    reason: 'gone' | 'failing' | 'secret_lost',
    cause: string,
  ) => Promise<void>;
  /** Writes to the stream of the endpoint that everything up to an event is settled. */
  readonly settle: (endpoint: WebhookEndpointDocument, throughId: string) => Promise<void>;
  readonly progressOf: (endpointId: number) => Promise<string | null>;
  /** Real time. */
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Calls back after so long, once; the function it gives ends that. */
  readonly later: (ms: number, act: () => void) => () => void;
  /** A place among the requests of this process; null while all are taken: `wake` is called when one is free. */
  readonly takeSlot: (isTroubled: boolean, wake: () => void) => (() => void) | null;
  /** Throws `LeaseLost` where another process delivers by now. */
  readonly requireLead: () => void;
  readonly onError: (endpointId: number, error: unknown) => void;
};

/**
 * An entry of the feed by its id; null: the workspace has none. Rejects with `StoreUnavailable` where the entry may have
 * been set aside, because the workspace is parked.
 */
export async function entryOf(
  { readModels, source }: Pick<QueueHost, 'readModels' | 'source'>,
  { workspaceId }: Pick<WebhookEndpointDocument, 'workspaceId'>,
  eventId: string | null,
): Promise<FeedEntryDocument | null> {
  if (eventId === null) return null;
  const [entry] = await readModels.find(eventFeed, { where: { workspaceId, id: eventId }, limit: 1 });
  if (entry === undefined) await requireWholeFeed(source, workspaceId);
  return entry ?? null;
}

/** Throws `StoreUnavailable` while events of the workspace are set aside: what is not there may come. */
export async function requireWholeFeed(source: FeedSource, workspaceId: number): Promise<void> {
  const standing = await source.standing(workspaceId);
  if (standing?.parkedAt === null) return;
  throw new StoreUnavailable(`the feed of workspace ${workspaceId} is stopped until an operator retries it`);
}
