import { eventFeed, type FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { feedPage, type FeedPoint } from '../../event-feed.js';
import { rowKey, type DeliveryAttempt, type DeliveryRow, type EndpointState } from '../delivery-records.js';
import { wantedOf, wantedTypes } from '../wanted-events.js';
import type { QueueHost } from './queue-host.js';

/** An event that was read and has had no attempt. */
export type FreshEvent = {
  readonly entry: FeedEntryDocument;
  readonly previousId: string | null;
  /** Whether the endpoint wants it. */
  readonly isWanted: boolean;
  status: 'waiting' | 'sent' | 'settled';
};

/** The beginning of a window. */
export type WindowStart = {
  readonly place: FeedPoint;
  /** The last event before it that the endpoint wanted. */
  readonly lastWanted: string | null;
  /** Events up to this position may have been sent before, and may have rows that no record names. */
  readonly repeatedTo: string;
};

/** Whether an attempt settles an event or counts for its retries. A failed replay does neither: the event is still due. */
const isOfSchedule = ({ is_replay: isReplay, outcome }: DeliveryAttempt): boolean =>
  !isReplay || outcome === 'delivered';

/** Events that are read ahead of those in flight. */
const READ_AHEAD = 50;

export type FeedWindow = ReturnType<typeof feedWindow>;

/** The events after the cursor of an endpoint that have been read. */
export function feedWindow({ source, readModels, records }: QueueHost) {
  const window: FreshEvent[] = [];
  let readTo: FeedPoint | null = null;
  let lastWanted: string | null = null;
  let repeatedTo = '';
  let hasMore = true;
  /** No notification reports that parked events were drained, so each repetition checks. */
  let isStopped = false;
  const mayReadMore = (): boolean => window.length < READ_AHEAD;

  /**
   * The entries after the window, which of them the endpoint wants, and the rows that an earlier queue stored for
   * these. Unwanted entries are skipped for good: an event type added to the endpoint later does not bring back
   * earlier events.
   */
  async function readPage(endpoint: WebhookEndpointDocument) {
    const page = await feedPage(source, {
      workspaceId: endpoint.workspaceId,
      types: null,
      after: readTo,
      since: new Date(0),
      limit: READ_AHEAD,
    });
    const asked = await wantedOf(source.renderedFrom(endpoint.workspaceId), endpoint, page.entries);
    const rows = new Map<string, DeliveryRow>();
    for (const entry of asked) {
      if (entry.position > repeatedTo) break;
      const key = rowKey(endpoint.id, entry);
      const row = await records.row(key);
      if (row !== null && row.attempts.some(isOfSchedule)) rows.set(key, row);
    }
    return { ...page, wanted: new Set(asked.map(({ id }) => id)), rows };
  }

  return {
    begin(start: WindowStart): void {
      readTo = start.place;
      ({ lastWanted, repeatedTo } = start);
    },
    /** Call it when the feed may have grown. */
    grown: (): void => void (hasMore = true),
    /** Whether a page should be read now: the window is not full, and more entries exist. */
    hasPage: (): boolean => hasMore && mayReadMore(),
    /** Reads more if the window is not full. Returns the rows that an earlier queue stored for these events, by key. */
    async readAhead(endpoint: WebhookEndpointDocument): Promise<ReadonlyMap<string, DeliveryRow>> {
      if (!(hasMore || isStopped) || !mayReadMore()) return new Map();
      // Entries that arrive during the read are looked for again.
      hasMore = false;
      const page = await readPage(endpoint).catch((error: unknown) => {
        hasMore = true;
        throw error;
      });
      hasMore ||= page.hasMore;
      ({ isStopped } = page);
      for (const entry of page.entries) {
        const isWanted = page.wanted.has(entry.id);
        const status = isWanted && !page.rows.has(rowKey(endpoint.id, entry)) ? 'waiting' : 'settled';
        window.push({ entry, previousId: lastWanted, isWanted, status });
        if (isWanted) lastWanted = entry.id;
        readTo = entry;
      }
      return page.rows;
    },
    waiting: (): readonly FreshEvent[] => window.filter(({ status }) => status === 'waiting'),
    /**
     * Removes settled events from the beginning. Returns the new progress of the endpoint; null if nothing was settled.
     */
    settled(): Partial<EndpointState> | null {
      const open = window.findIndex(({ status }) => status !== 'settled');
      const done = window.splice(0, open < 0 ? window.length : open);
      const last = done.at(-1);
      if (last === undefined) return null;
      const wanted = done.findLast(({ isWanted }) => isWanted);
      return {
        cursorId: last.entry.id,
        ...(wanted === undefined ? {} : { previousId: wanted.entry.id }),
      };
    },
    /** The number of events without an attempt, read or not, and the time of the first of those that were read. */
    async figures(
      endpoint: WebhookEndpointDocument,
    ): Promise<{ readonly pending: number; readonly oldestAt: string | null }> {
      const types = wantedTypes(endpoint);
      const where = {
        workspaceId: endpoint.workspaceId,
        ...(readTo === null ? {} : { position: { gt: readTo.position } }),
        ...(types === null ? {} : { type: { in: types } }),
      };
      const unread = hasMore && readTo !== null ? await readModels.count(eventFeed, { where }) : 0;
      const unsettled = window.filter(({ status }) => status !== 'settled');
      return { pending: unsettled.length + unread, oldestAt: unsettled.at(0)?.entry.occurredAt ?? null };
    },
  };
}
