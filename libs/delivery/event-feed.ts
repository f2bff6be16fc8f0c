import type { LastReads } from '#identities/observed-at.js';
import type { Position } from '#kernel/ports/event-store.port.js';
import { ReadModelUnavailable, type ReadModels } from '#kernel/ports/read-store.port.js';
import { refusal } from '#kernel/values/refusal.js';
import { DAY_MS, MINUTE_MS } from '#kernel/values/durations.js';
import { readModelsOf } from '#projection-engine/parked-guard.js';
import {
  eventFeed,
  FEED_TYPES,
  type FeedEntryDocument,
  type FeedType,
} from '#projections/delivery/event-feed/event-feed.projection.js';

/** A feed without a cursor begins this long ago (DLV-03), in days. */
const FEED_DAYS = 30;

export const unknownCursor = refusal({
  code: 'cursor-gone',
  kind: 'gone',
  title: 'Cursor gone',
  slug: 'cursor-gone',
  detail: 'No event with this id is in the feed. Begin again with the oldest cursor or without one.',
});

/** The position up to which the feed is complete. `parkedAt`: the first parked event; null: none. */
export type FeedStanding = { readonly position: Position; readonly parkedAt: Position | null };

/** The sources of the feed. */
export type FeedSource = {
  readonly readModels: ReadModels;
  readonly directory: LastReads;
  /** The standing of the feed's read model; null while it has no live generation. */
  readonly standing: (workspaceId: number) => Promise<FeedStanding | null>;
  /**
   * The read models that events are rendered from: they reject with `ReadModelUnavailable` if the workspace is parked in
   * the view.
   */
  readonly renderedFrom: (workspaceId: number) => ReadModels;
  /** Calls back whenever the read model has folded an event. Returns a function that unsubscribes. */
  readonly watch: (moved: () => void) => () => void;
};

/** The feed from these read models, which the projection engine maintains. */
export const feedSource = (
  readModels: ReadModels,
  directory: LastReads,
  engine: {
    readonly standing: (view: string, workspaceId: number) => ReturnType<FeedSource['standing']>;
    readonly watch: (views: readonly string[], moved: () => void) => () => void;
    readonly isParked: (view: string, workspaceId: number) => Promise<boolean>;
  },
): FeedSource => ({
  readModels,
  directory,
  watch: (moved) => engine.watch([eventFeed.name], moved),
  standing: (workspaceId) => engine.standing(eventFeed.name, workspaceId),
  renderedFrom: (workspaceId) => readModelsOf(readModels, engine.isParked, workspaceId),
});

/** The point of an entry in the order of its workspace. */
export type FeedPoint = Pick<FeedEntryDocument, 'position' | 'place'>;

export type FeedQuery = {
  readonly workspaceId: number;
  /** The types of the entries; null: all. */
  readonly types: readonly FeedType[] | null;
  /** The entry after which the page begins; null: the first entry at or after `since`. */
  readonly after: FeedPoint | null;
  /** The beginning of a feed without a cursor. */
  readonly since: Date;
  readonly limit: number;
};

export type FeedEntriesPage = {
  /** Where the feed ends. A point behind it belongs to a log that was reset to an older one. */
  readonly end: Position;
  readonly entries: readonly FeedEntryDocument[];
  readonly hasMore: boolean;
  /** The workspace is parked: further entries may follow that the feed does not have yet. */
  readonly isStopped: boolean;
};

/**
 * Entries in the order of the workspace (DLV-01). The checkpoint is read first and nothing after it is returned,
 * because a store without transactions shows a slice in parts. For the same reason the feed of a parked workspace
 * ends before its first parked event, even while an operator drains it. Rejects with `ReadModelUnavailable` while the
 * read model is missing.
 */
export async function feedPage(source: FeedSource, query: FeedQuery): Promise<FeedEntriesPage> {
  const { workspaceId, types, limit } = query;
  const standing = await source.standing(workspaceId);
  if (standing === null) throw new ReadModelUnavailable('the feed of events is being built');
  const begin = query.after === null ? await beginning(source, query) : null;
  const [end, isStopped] = [standing.position, standing.parkedAt !== null];
  if (query.after === null && begin === null) return { end, entries: [], hasMore: false, isStopped };
  const found = await source.readModels.find(eventFeed, {
    where: {
      workspaceId,
      position: {
        lte: standing.position,
        ...(standing.parkedAt === null ? {} : { lt: standing.parkedAt }),
        ...(begin === null ? {} : { gte: begin }),
      },
      ...(types === null ? {} : { type: { in: types } }),
    },
    sort: IN_ORDER,
    ...(query.after === null ? {} : { after: [query.after.position, query.after.place] }),
    limit: limit + 1,
  });
  return { end, entries: found.slice(0, limit), hasMore: found.length > limit, isStopped };
}

/** The order of the entries of a workspace, and of all entries. */
export const IN_ORDER = [
  ['position', 'asc'],
  ['place', 'asc'],
] as const;

/** Entries of these types may follow an expiry that the ledger records later, with the time at which it was due. */
const MAY_BE_LATE: ReadonlySet<FeedType> = new Set(['credits.low', 'credits.run_out']);
const TIMELY = FEED_TYPES.filter((type) => !MAY_BE_LATE.has(type));
/** Any other entry has its place at most this long after its time: its append was delayed or repeated. */
const LONGEST_APPEND_MS = 5 * MINUTE_MS;

/**
 * The position of the first entry, in the order of the workspace, whose time is at or after `since`; null if there is
 * none. Times do not always grow with positions, so the entry with the earliest time may be behind it. The search begins
 * after a timely entry that is so much older than `since` that only older ones precede it. It then reads the entries of
 * some minutes, however long the history is.
 */
async function beginning({ readModels }: FeedSource, { workspaceId, since }: FeedQuery) {
  const safe = new Date(since.getTime() - LONGEST_APPEND_MS);
  const [older] = await readModels.find(eventFeed, {
    where: { workspaceId, occurredAt: { lt: safe.toISOString() }, type: { in: TIMELY } },
    sort: [
      ['occurredAt', 'desc'],
      ['position', 'desc'],
      ['place', 'desc'],
    ],
    limit: 1,
  });
  const [first] = await readModels.find(eventFeed, {
    where: {
      workspaceId,
      occurredAt: { gte: since.toISOString() },
      ...(older === undefined ? {} : { position: { gt: older.position } }),
    },
    sort: IN_ORDER,
    limit: 1,
  });
  return first?.position ?? null;
}

/**
 * The point that a cursor names. Throws `unknownCursor` (410), which names the oldest valid cursor, if the feed does
 * not have this id.
 */
export async function feedPoint(source: FeedSource, workspaceId: number, cursor: string): Promise<FeedPoint> {
  const known = await feedEntry(source, workspaceId, cursor);
  if (known !== null) return known;
  const { readModels } = source;
  const [oldest] = await readModels.find(eventFeed, { where: { workspaceId }, sort: IN_ORDER, limit: 1 });
  throw unknownCursor({ members: { oldest_cursor: oldest?.id ?? null } });
}

/**
 * The entry with this id; null: the workspace has none. Rejects with `ReadModelUnavailable` while the feed is missing, or
 * if the entry may be parked.
 */
export async function feedEntry(
  { readModels, standing }: Pick<FeedSource, 'readModels' | 'standing'>,
  workspaceId: number,
  eventId: string,
): Promise<FeedEntryDocument | null> {
  const known = await shownEntry(readModels, workspaceId, eventId);
  if (known !== null) return known;
  if ((await standing(workspaceId))?.parkedAt !== null) throw stoppedFeed(workspaceId);
  // An operator may have drained the workspace between the two reads.
  return shownEntry(readModels, workspaceId, eventId);
}

/** The entry of this event as far as the read model shows it. */
export async function shownEntry(
  readModels: Pick<ReadModels, 'find'>,
  workspaceId: number,
  eventId: string,
): Promise<FeedEntryDocument | null> {
  const [known] = await readModels.find(eventFeed, { where: { workspaceId, id: eventId }, limit: 1 });
  return known ?? null;
}

/** Events of the workspace are parked, so the feed may be incomplete. */
export const stoppedFeed = (workspaceId: number): ReadModelUnavailable =>
  new ReadModelUnavailable(`the feed of workspace ${workspaceId} is stopped until an operator retries it`);

/** The beginning of a feed without a cursor at `now`. */
export const feedBeginsAt = (now: Date): Date => new Date(now.getTime() - FEED_DAYS * DAY_MS);
