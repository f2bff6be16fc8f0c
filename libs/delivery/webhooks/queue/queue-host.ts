import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { feedEntry, type FeedSource } from '../../event-feed.js';
import type { DeliveryRecords } from '../delivery-records.js';
import type { Sent } from '../send-delivery.js';

/** What the queue of an endpoint needs. */
export type QueueHost = {
  readonly source: FeedSource;
  readonly readModels: ReadModels;
  readonly records: DeliveryRecords;
  /**
   * Renders and sends; null: the secret of the endpoint is lost, and nothing was sent. Rejects if a store is
   * unavailable.
   */
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
  /** Writes to the stream of the endpoint that all events up to this one are settled. */
  readonly settle: (endpoint: WebhookEndpointDocument, throughId: string) => Promise<void>;
  readonly progressOf: (endpointId: number) => Promise<string | null>;
  /** Real time. */
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Calls back once after this time. Returns a function that cancels it. */
  readonly later: (ms: number, act: () => void) => () => void;
  /** A slot among the requests of this process; null while all are taken: `wake` is called when one is free. */
  readonly takeSlot: (isTroubled: boolean, wake: () => void) => (() => void) | null;
  /** Throws `LeaseLost` if another process delivers. */
  readonly requireLead: () => void;
  readonly onError: (endpointId: number, error: unknown) => void;
};

/** The feed entry with an id from the endpoint's progress; null: there is none. Rejects as `feedEntry` does. */
export const entryOf = async (
  { source }: Pick<QueueHost, 'source'>,
  { workspaceId }: Pick<WebhookEndpointDocument, 'workspaceId'>,
  eventId: string | null,
): Promise<FeedEntryDocument | null> => (eventId === null ? null : feedEntry(source, workspaceId, eventId));
