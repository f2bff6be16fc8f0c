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
export const isOfSchedule = ({ is_replay: isReplay, outcome }: DeliveryAttempt): boolean =>
  !isReplay || outcome === 'delivered';

/** Whether an attempt was made, now or by an earlier queue. */
const isBegun = ({ status, isWanted }: FreshEvent): boolean =>
  status === 'sent' || (status === 'settled' && isWanted);

/** Events that are read ahead of those in flight. */
const READ_AHEAD = 50;

export type FeedWindow = ReturnType<typeof feedWindow>;

/** The events after the cursor of an endpoint that have been read. */
export function feedWindow({ source, readModels, records }: QueueHost) {
  const window: FreshEvent[] = [];
  /** Where the window begins. Null before `begin`. */
  let start: Omit<WindowStart, 'repeatedTo'> | null = null;
  let repeatedTo = '';
  /** Counts the changes of what the endpoint wants. */
  let changes = 0;
  let hasMore = true;
  /** No notification reports that parked events were drained, so each repetition checks. */
  let isStopped = false;
  const mayReadMore = (): boolean => window.length < READ_AHEAD;
  const readTo = (): FeedPoint | null => window.at(-1)?.entry ?? start?.place ?? null;
  const lastWanted = (of: readonly FreshEvent[]): string | null =>
    of.findLast(({ isWanted }) => isWanted)?.entry.id ?? start?.lastWanted ?? null;
  /** Whether a point is before the window: everything up to there is settled or has a row. */
  const isBefore = (point: FeedPoint): boolean => start !== null && !isAfter(point, start.place);

  /**
   * The entries after the window, which of them the endpoint wants, and the rows that an earlier queue stored for
   * these. Unwanted entries are skipped for good: an event type added to the endpoint later does not bring back
   * earlier events.
   */
  async function readPage(endpoint: WebhookEndpointDocument) {
    const page = await feedPage(source, {
      workspaceId: endpoint.workspaceId,
      types: null,
      after: readTo(),
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
    begin({ repeatedTo: to, ...place }: WindowStart): void {
      start = place;
      repeatedTo = to;
    },
    /**
     * Call it when the endpoint wants other events than before: the entries after the last one that was begun are read
     * again. Earlier entries stay, because some of them have been sent.
     */
    readAgain(): void {
      window.splice(window.findLastIndex(isBegun) + 1);
      changes += 1;
      hasMore = true;
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
      const changesBefore = changes;
      const page = await readPage(endpoint).catch((error: unknown) => {
        hasMore = true;
        throw error;
      });
      // The page was read for what the endpoint wanted before.
      if (changes !== changesBefore) return new Map();
      hasMore ||= page.hasMore;
      ({ isStopped } = page);
      let previousId = lastWanted(window);
      for (const entry of page.entries) {
        const isWanted = page.wanted.has(entry.id);
        const status = isWanted && !page.rows.has(rowKey(endpoint.id, entry)) ? 'waiting' : 'settled';
        window.push({ entry, previousId, isWanted, status });
        if (isWanted) previousId = entry.id;
      }
      return page.rows;
    },
    /** Whether the first attempt of an event was made, or the event was skipped because the endpoint did not want it. */
    isPassed: (entry: FeedEntryDocument): boolean =>
      isBefore(entry) || window.some(({ entry: { id }, status }) => id === entry.id && status === 'settled'),
    isBefore,
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
      start = { place: last.entry, lastWanted: lastWanted(done) };
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
      const after = readTo();
      const where = {
        workspaceId: endpoint.workspaceId,
        ...(after === null ? {} : { position: { gt: after.position } }),
        ...(types === null ? {} : { type: { in: types } }),
      };
      const unread = hasMore && after !== null ? await readModels.count(eventFeed, { where }) : 0;
      const unsettled = window.filter(({ status }) => status !== 'settled');
      return { pending: unsettled.length + unread, oldestAt: unsettled.at(0)?.entry.occurredAt ?? null };
    },
  };
}

/** Whether the first point follows the other one in the order of the workspace. */
const isAfter = (one: FeedPoint, other: FeedPoint): boolean =>
  one.position === other.position ? one.place > other.place : one.position > other.position;
