import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type {
  AskedReplay,
  WebhookEndpointDocument,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { feedPage, stoppedFeed, type FeedPoint } from '../../event-feed.js';
import type { EndpointState } from '../delivery-records.js';
import { wantedOf, wantedTypes } from '../wanted-events.js';
import { entryOf, type QueueHost } from './queue-host.js';

/** The first replay of an endpoint that is not completed; null: all are. */
export const openReplay = (
  { replays }: WebhookEndpointDocument,
  { replayedTo }: EndpointState,
): AskedReplay | null => replays.find(({ position }) => position > replayedTo) ?? null;

const READ_AT_ONCE = 50;

/** The next event of a replay; null: it is completed. */
export async function nextOfReplay(
  host: QueueHost,
  endpoint: WebhookEndpointDocument,
  { position, eventId, since }: AskedReplay,
  { replaying }: EndpointState,
): Promise<FeedEntryDocument | null> {
  if (eventId !== null) return entryOf(host, endpoint, eventId);
  const begun = replaying?.position === position ? await entryOf(host, endpoint, replaying.afterId) : null;
  for (let after: FeedPoint | null = begun; ;) {
    const { entries, hasMore, isStopped } = await feedPage(host.source, {
      workspaceId: endpoint.workspaceId,
      types: wantedTypes(endpoint),
      after,
      since: new Date(since ?? 0),
      limit: READ_AT_ONCE,
    });
    const earlier = entries.filter((entry) => entry.position <= position);
    const rendered = host.source.renderedFrom(endpoint.workspaceId);
    const found = (await wantedOf(rendered, endpoint, earlier)).at(0);
    if (found !== undefined) return found;
    if (!hasMore || earlier.length < entries.length) {
      // Draining parked events may add entries in the time range of the replay.
      if (isStopped) throw stoppedFeed(endpoint.workspaceId);
      return null;
    }
    after = entries.at(-1) ?? null;
  }
}
