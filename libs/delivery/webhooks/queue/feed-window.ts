import { eventFeed, type FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { feedPage, type FeedPlace } from '../../event-feed.js';
import { rowKey, type DeliveryRow, type EndpointState } from '../delivery-records.js';
import { wantedOf, wantedTypes } from '../wanted-events.js';
import type { QueueHost } from './queue-host.js';

/** An event that was read and has no attempt behind it yet. */
export type FreshEvent = {
  readonly entry: FeedEntryDocument;
  readonly previousId: string | null;
  /** Whether the endpoint asks for it. */
  readonly isWanted: boolean;
  status: 'waiting' | 'sent' | 'settled';
};

/** Where a window begins. */
export type WindowStart = {
  readonly place: FeedPlace;
  /** The last event before it that the endpoint asked for. */
  readonly lastWanted: string | null;
  /** Events up to this position may have been sent before, and may have rows that no record names. */
  readonly repeatedTo: string;
};

/** The events behind the cursor of an endpoint, as far as they were read. */
export type FeedWindow = {
  readonly begin: (start: WindowStart) => void;
  /** The feed may have grown. */
  readonly grown: () => void;
  /** Whether a page is to be read at once: there is room for it, and it is known to be there. */
  readonly hasPage: () => boolean;
  /** Reads more where there is room; the rows that an earlier queue kept of these events, by key. */
  readonly readAhead: (endpoint: WebhookEndpointDocument) => Promise<ReadonlyMap<string, DeliveryRow>>;
  readonly waiting: () => readonly FreshEvent[];
  /** Takes what is settled from the beginning; how far the endpoint has come by that, null where nothing was settled. */
  readonly settled: () => Partial<EndpointState> | null;
  /** Events that no attempt is behind, read or not, and when the first of those that were read occurred. */
  readonly figures: (
    endpoint: WebhookEndpointDocument,
  ) => Promise<{ readonly pending: number; readonly oldestAt: string | null }>;
};

/** Events that are read ahead of those in flight. */
const READ_AHEAD = 50;

export function feedWindow({ source, readModels, records }: QueueHost): FeedWindow {
  const window: FreshEvent[] = [];
  let readTo: FeedPlace | null = null;
  let lastWanted: string | null = null;
  let repeatedTo = '';
  let hasMore = true;
  /** Nobody tells when events that were set aside are folded: each turn looks for them. */
  let isStopped = false;
  const hasRoom = (): boolean => window.length < READ_AHEAD;

  /**
   * The entries behind the window, which of them the endpoint asks for, and what an earlier queue kept of these. The others
   * are passed as well: what an endpoint asks for from now on it does not get of the time before.
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
      if (row !== null) rows.set(key, row);
    }
    return { ...page, wanted: new Set(asked.map(({ id }) => id)), rows };
  }

  return {
    begin(start) {
      readTo = start.place;
      ({ lastWanted, repeatedTo } = start);
    },
    grown: () => void (hasMore = true),
    hasPage: () => hasMore && hasRoom(),
    async readAhead(endpoint) {
      if (!(hasMore || isStopped) || !hasRoom()) return new Map();
      // What comes while it reads is looked for again.
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
    waiting: () => window.filter(({ status }) => status === 'waiting'),
    settled() {
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
    async figures(endpoint) {
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
