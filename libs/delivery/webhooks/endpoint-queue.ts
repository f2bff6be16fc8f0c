import { LeaseLost } from '#kernel/ports/read-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { eventFeed, type FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { feedPage, type FeedPlace, type FeedSource } from '../event-feed.js';
import {
  attemptOf,
  FIRST_STATE,
  rowKey,
  type DeliveryRecords,
  type DeliveryRow,
  type EndpointState,
} from './delivery-records.js';
import { healthAfter, HEALTHY, isGivenUp, mostInFlight, pauseAfter } from './delivery-schedule.js';
import type { Sent } from './send-delivery.js';
import { previousWanted, wantedOf, wantedTypes } from './wanted-events.js';

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

/** How an endpoint stands. */
export type QueueFigures = { readonly pending: number; readonly oldestAt: string | null };

/** The deliveries of one endpoint. */
export type EndpointQueue = {
  /** Looks for what is to be done; call it when the feed may have grown. */
  readonly wake: () => void;
  /** The endpoint was changed. */
  readonly update: (endpoint: WebhookEndpointDocument) => void;
  readonly figures: () => Promise<QueueFigures>;
  /** Ends what is in flight and keeps how far it has come. */
  readonly stop: () => Promise<void>;
};

/** Entries that are read ahead of those in flight. */
const READ_AHEAD = 50;
/** Rows that are tried again at the same time. Where there are more, later events wait until one of them is settled. */
const MOST_OPEN = 500;
const KEPT_RECENT = 20;
/** How long progress stands in memory alone: deliveries of that time are repeated after a crash. */
const FLUSH_MS = 1_000;
const MARK_MS = 60_000;
const AGAIN_AFTER_ERROR_MS = 1_000;
/** Behind every entry of the event at a position. */
const LAST_PLACE = Number.MAX_SAFE_INTEGER;
/** Behind every position. */
const LAST_POSITION = '\uFFFF';

type Fresh = {
  readonly entry: FeedEntryDocument;
  readonly previousId: string | null;
  /** Whether the endpoint asks for it. */
  readonly isWanted: boolean;
  status: 'waiting' | 'sent' | 'settled';
};
type Open = { row: DeliveryRow; isSent: boolean };

// One machine: its steps share what the endpoint has in hand.
// eslint-disable-next-line max-lines-per-function
export function endpointQueue(host: QueueHost, first: WebhookEndpointDocument): EndpointQueue {
  const { records, nowMs, onError } = host;
  const { id } = first;
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const open = new Map<string, Open>();
  let endpoint = first;
  let state: EndpointState | null = null;
  const window: Fresh[] = [];
  /** Where the window ends. */
  let readTo: FeedPlace = { position: first.addedPosition, place: LAST_PLACE };
  let lastWanted: string | null = null;
  /** Events up to here may have been sent before this queue began, and may have rows that no record names. */
  let repeatedTo = '';
  let hasMore = true;
  let replay: Promise<void> | null = null;
  let nextStartMs = 0;
  let isDirty = false;
  let flushedAtMs = 0;
  let isTurning = false;
  let isDue = false;
  let endTimer = (): void => undefined;
  let turning: Promise<void> = Promise.resolve();

  const change = (changes: Partial<EndpointState>): void => {
    state = { ...(state ?? FIRST_STATE), ...changes };
    isDirty = true;
  };
  const healthOf = ({ health, enabledTimes }: EndpointState) =>
    enabledTimes === endpoint.enabledTimes ? health : HEALTHY;

  async function placeOf(eventId: string | null): Promise<FeedEntryDocument | null> {
    if (eventId === null) return null;
    const where = { workspaceId: endpoint.workspaceId, id: eventId };
    return (await host.readModels.find(eventFeed, { where, limit: 1 })).at(0) ?? null;
  }

  /** Where it goes on: from its record, else from what the log says is settled, else from its creation. */
  async function load(): Promise<EndpointState> {
    const kept = await records.state(id);
    const known = await placeOf(kept?.cursorId ?? null);
    const settledId = known === null ? await host.progressOf(id) : null;
    const settled = await placeOf(settledId);
    const loaded: EndpointState =
      kept !== null && (known !== null || kept.cursorId === null)
        ? kept
        : {
            ...FIRST_STATE,
            cursorId: settled?.id ?? null,
            previousId: settled?.id ?? null,
            markedId: settledId,
          };
    for (const key of loaded.open) {
      const row = await records.row(key);
      if (row?.status === 'retrying') open.set(key, { row, isSent: false });
    }
    // A row that was settled before its queue ended, and is still named.
    isDirty ||= open.size < loaded.open.length;
    readTo = known ?? settled ?? { position: endpoint.addedPosition, place: LAST_PLACE };
    repeatedTo = (await host.source.standing(endpoint.workspaceId))?.position ?? LAST_POSITION;
    lastWanted = loaded.previousId;
    flushedAtMs = nowMs();
    const isNew = kept === null && settledId === null;
    return {
      ...loaded,
      open: [...open.keys()],
      health: healthOf(loaded),
      enabledTimes: endpoint.enabledTimes,
      // What was asked for before a read store was lost was made, as far as anybody knows.
      replayedTo: isNew || kept !== null ? loaded.replayedTo : (endpoint.replays.at(-1)?.position ?? ''),
      markedAtMs: loaded.markedAtMs === 0 ? nowMs() : loaded.markedAtMs,
    };
  }

  async function readAhead(): Promise<void> {
    if (!hasMore || window.length >= READ_AHEAD || open.size >= MOST_OPEN) return;
    // What comes while it reads is looked for again.
    hasMore = false;
    const page = await readPage().catch((error: unknown) => {
      hasMore = true;
      throw error;
    });
    hasMore ||= page.hasMore;
    for (const entry of page.entries) {
      const isWanted = page.wanted.has(entry.id);
      const row = page.rows.get(entry.id);
      const status = isWanted && row === undefined ? 'waiting' : 'settled';
      window.push({ entry, previousId: lastWanted, isWanted, status });
      if (row?.status === 'retrying') open.set(rowKey(id, entry), { row, isSent: false });
      if (isWanted) lastWanted = entry.id;
      readTo = entry;
    }
    if (page.rows.size > 0) change({ open: [...open.keys()] });
    advance();
  }

  /** The entries behind the window, which of them the endpoint asks for, and what an earlier queue kept of these. */
  async function readPage() {
    const { entries, hasMore: isMore } = await feedPage(host.source, {
      workspaceId: endpoint.workspaceId,
      types: wantedTypes(endpoint),
      after: readTo,
      since: new Date(0),
      limit: READ_AHEAD,
    });
    const asked = await wantedOf(host.readModels, endpoint, entries);
    const rows = new Map<string, DeliveryRow>();
    for (const entry of asked) {
      if (entry.position > repeatedTo) break;
      const row = await records.row(rowKey(id, entry));
      if (row !== null) rows.set(entry.id, row);
    }
    return { entries, hasMore: isMore, wanted: new Set(asked.map((entry) => entry.id)), rows };
  }

  /** Moves the cursor over what is settled at the beginning of the window. */
  function advance(): void {
    const settled = window.findIndex(({ status }) => status !== 'settled');
    const done = window.splice(0, settled < 0 ? window.length : settled);
    const last = done.at(-1);
    if (last === undefined) return;
    const wanted = done.findLast(({ isWanted }) => isWanted);
    change({ cursorId: last.entry.id, ...(wanted === undefined ? {} : { previousId: wanted.entry.id }) });
  }

  /** A place to send in; null: not now. */
  function permission({ health }: EndpointState): (() => void) | null {
    const now = nowMs();
    if (inFlight.size >= mostInFlight(health) || now < health.slowUntilMs || now < nextStartMs) return null;
    const give = host.takeSlot(health.failures > 0, wake);
    const { ratePerSecond } = endpoint;
    if (give !== null && ratePerSecond !== null)
      nextStartMs = Math.max(now, nextStartMs) + 1_000 / ratePerSecond;
    return give;
  }

  /** Runs work that holds a place; what fails there is begun again a moment later. */
  function begin(give: () => void, work: () => Promise<void>, undo: () => void): void {
    const done = work()
      .catch((error: unknown) => {
        undo();
        if (stopping.signal.aborted) return;
        onError(id, error);
        if (error instanceof LeaseLost) stopping.abort();
        else wakeIn(AGAIN_AFTER_ERROR_MS);
      })
      .then(() => {
        give();
        inFlight.delete(done);
        wake();
      });
    inFlight.add(done);
  }

  /** What an attempt says of the endpoint. */
  async function judge(sent: Sent, eventId: string): Promise<void> {
    const health = healthAfter((state ?? FIRST_STATE).health, sent, nowMs());
    change({ health });
    if (sent.statusCode === 410) await disable('gone', eventId);
    else if (isGivenUp(health, nowMs())) await disable('failing', String(health.failingSinceMs));
  }

  /** Nothing more is begun; whoever enables the endpoint again gets another queue. */
  async function disable(reason: 'gone' | 'failing' | 'secret_lost', cause: string): Promise<void> {
    await host.disable(endpoint, reason, cause);
    stopping.abort();
  }

  async function sendFresh(fresh: Fresh): Promise<void> {
    const { entry, previousId } = fresh;
    const startedMs = nowMs();
    const sent = await host.attempt(endpoint, entry, previousId, stopping.signal);
    if (sent === null) {
      fresh.status = 'waiting';
      return disable('secret_lost', endpoint.secretId);
    }
    const attempts = [attemptOf(sent, startedMs, false)];
    const row: DeliveryRow = {
      ...told(entry),
      previousId,
      status: 'delivered',
      attempts,
      nextAttemptMs: null,
    };
    if (sent.outcome === 'delivered') {
      change({ recent: [row, ...(state ?? FIRST_STATE).recent].slice(0, KEPT_RECENT) });
    } else {
      await keepOpen(rowKey(id, entry), { ...row, ...tryAgain(1) });
    }
    await judge(sent, entry.id);
    fresh.status = 'settled';
    advance();
  }

  const tryAgain = (attempts: number): Pick<DeliveryRow, 'status' | 'nextAttemptMs'> => {
    const pauseMs = pauseAfter(attempts, host.random());
    return pauseMs === null
      ? { status: 'failed', nextAttemptMs: null }
      : { status: 'retrying', nextAttemptMs: nowMs() + pauseMs };
  };

  /** The row first, then the record that names it: a crash in between repeats the delivery. */
  async function keepOpen(key: string, row: DeliveryRow): Promise<void> {
    host.requireLead();
    await records.putRow(key, row);
    if (row.status === 'retrying') open.set(key, { row, isSent: false });
    else open.delete(key);
    change({ open: [...open.keys()] });
  }

  async function sendAgain(key: string, { row }: Open, isReplay = false): Promise<void> {
    const entry = await placeOf(row.eventId);
    if (entry === null) {
      await keepOpen(key, { ...row, status: 'failed', nextAttemptMs: null });
      return;
    }
    const startedMs = nowMs();
    const sent = await host.attempt(endpoint, entry, row.previousId, stopping.signal);
    if (sent === null) return disable('secret_lost', endpoint.secretId);
    const attempts = [...row.attempts, attemptOf(sent, startedMs, isReplay)];
    const ofSchedule = attempts.filter(({ is_replay: again }) => !again).length;
    const outcome = isReplay ? {} : tryAgain(ofSchedule);
    const isDelivered = sent.outcome === 'delivered';
    const next = { ...row, attempts, ...(isDelivered ? DELIVERED : outcome) };
    await keepOpen(key, next);
    if (!isReplay) await judge(sent, entry.id);
  }

  function startDue(current: EndpointState): void {
    for (const [key, retry] of open) {
      if (retry.isSent || (retry.row.nextAttemptMs ?? 0) > nowMs()) continue;
      const give = permission(current);
      if (give === null) break;
      retry.isSent = true;
      begin(
        give,
        () => sendAgain(key, retry),
        () => (retry.isSent = false),
      );
    }
    for (const fresh of window) {
      if (fresh.status !== 'waiting' || open.size >= MOST_OPEN) continue;
      const give = permission(state ?? current);
      if (give === null) return;
      fresh.status = 'sent';
      begin(
        give,
        () => sendFresh(fresh),
        () => (fresh.status = 'waiting'),
      );
    }
  }

  /** One event of a replay at a time, each where there is room for it. */
  function startReplay(current: EndpointState): void {
    const asked = endpoint.replays.find(({ position }) => position > current.replayedTo);
    if (asked === undefined || replay !== null) return;
    const give = permission(current);
    if (give === null) return;
    replay = Promise.resolve();
    begin(
      give,
      async () => {
        const next = await nextOfReplay(asked, current);
        if (next === null) change({ replayedTo: asked.position, replaying: null });
        else {
          await replayOne(next);
          const isLast = asked.eventId !== null;
          change(
            isLast
              ? { replayedTo: asked.position, replaying: null }
              : { replaying: { position: asked.position, afterId: next.id } },
          );
        }
        replay = null;
      },
      () => (replay = null),
    );
  }

  async function nextOfReplay(
    { position, eventId, since }: WebhookEndpointDocument['replays'][number],
    { replaying }: EndpointState,
  ): Promise<FeedEntryDocument | null> {
    if (eventId !== null) return placeOf(eventId);
    const begun = replaying?.position === position ? await placeOf(replaying.afterId) : null;
    for (let after: FeedPlace | null = begun; ;) {
      const { entries, hasMore: isMore } = await feedPage(host.source, {
        workspaceId: endpoint.workspaceId,
        types: wantedTypes(endpoint),
        after,
        since: new Date(since ?? 0),
        limit: READ_AHEAD,
      });
      const earlier = entries.filter((entry) => entry.position <= position);
      const found = (await wantedOf(host.readModels, endpoint, earlier)).at(0);
      if (found !== undefined) return found;
      if (!isMore || earlier.length < entries.length) return null;
      after = entries.at(-1) ?? null;
    }
  }

  async function replayOne(entry: FeedEntryDocument): Promise<void> {
    const key = rowKey(id, entry);
    const row = (await records.row(key)) ?? {
      ...told(entry),
      ...DELIVERED,
      previousId: await previousWanted(host.readModels, endpoint, entry),
      attempts: [],
    };
    await sendAgain(key, { row, isSent: true }, true);
  }

  async function flush(isLast = false): Promise<void> {
    if (state === null || !isDirty || (!isLast && nowMs() - flushedAtMs < FLUSH_MS)) return;
    host.requireLead();
    isDirty = false;
    try {
      await records.putState(id, state);
      flushedAtMs = nowMs();
    } catch (error) {
      isDirty = true;
      throw error;
    }
  }

  async function mark(): Promise<void> {
    if (state === null || nowMs() - state.markedAtMs < MARK_MS) return;
    state = { ...state, markedAtMs: nowMs() };
    const oldest = [...open.values()]
      .map(({ row }) => row)
      .sort(byPlace)
      .at(0);
    const throughId = oldest === undefined ? state.previousId : oldest.previousId;
    if (throughId === null || throughId === state.markedId) return;
    host.requireLead();
    await host.settle(endpoint, throughId);
    change({ markedId: throughId });
  }

  async function turn(): Promise<void> {
    state ??= await load();
    await readAhead();
    startDue(state);
    startReplay(state);
    await flush();
    await mark();
    wakeIn(untilNextMs(state));
  }

  /** Milliseconds until something is to be done that nobody calls for. */
  function untilNextMs({ health, markedAtMs }: EndpointState): number {
    const now = nowMs();
    const retries = [...open.values()].flatMap(({ row, isSent }) =>
      isSent ? [] : [row.nextAttemptMs ?? now],
    );
    const waits = window.some(({ status }) => status === 'waiting') || retries.some((atMs) => atMs <= now);
    const times = [
      ...retries.filter((atMs) => atMs > now),
      ...(waits ? [health.slowUntilMs, nextStartMs].filter((atMs) => atMs > now) : []),
      ...(isDirty ? [flushedAtMs + FLUSH_MS] : []),
      ...(state?.previousId === state?.markedId ? [] : [markedAtMs + MARK_MS]),
    ];
    return Math.min(LONGEST_REST_MS, ...times.map((atMs) => Math.max(MIN_REST_MS, atMs - now)));
  }

  function wake(): void {
    isDue = true;
    if (isTurning || stopping.signal.aborted) return;
    isTurning = true;
    turning = turns();
  }

  async function turns(): Promise<void> {
    while (isDue && !stopping.signal.aborted) {
      isDue = false;
      try {
        await turn();
      } catch (error) {
        if (!stopping.signal.aborted) onError(id, error);
        if (error instanceof LeaseLost) stopping.abort();
        else wakeIn(AGAIN_AFTER_ERROR_MS);
      }
    }
    isTurning = false;
  }

  function wakeIn(ms: number): void {
    endTimer();
    if (!stopping.signal.aborted) endTimer = host.later(ms, wake);
  }

  return {
    wake() {
      hasMore = true;
      wake();
    },
    update(changed) {
      endpoint = changed;
      wake();
    },
    async figures() {
      const { workspaceId } = endpoint;
      const types = wantedTypes(endpoint);
      const where = {
        workspaceId,
        position: { gt: readTo.position },
        ...(types === null ? {} : { type: { in: types } }),
      };
      const unread = hasMore && state !== null ? await host.readModels.count(eventFeed, { where }) : 0;
      const waiting = window.filter(({ status }) => status !== 'settled');
      const times = [
        ...waiting.slice(0, 1).map(({ entry }) => entry.occurredAt),
        ...[...open.values()].map(({ row }) => row.occurredAt),
      ];
      return { pending: open.size + waiting.length + unread, oldestAt: times.sort().at(0) ?? null };
    },
    async stop() {
      stopping.abort();
      endTimer();
      await turning;
      await Promise.all(inFlight);
      await flush(true).catch((error: unknown) => onError(id, error));
    },
  };
}

/** Nobody looks more often by the clock alone, nor less often. */
const MIN_REST_MS = 5;
const LONGEST_REST_MS = 60_000;

const DELIVERED = { status: 'delivered', nextAttemptMs: null } as const;

const told = ({ id: eventId, type, occurredAt, position, place }: FeedEntryDocument) => ({
  eventId,
  type,
  occurredAt,
  position,
  place,
});

const byPlace = (one: DeliveryRow, other: DeliveryRow): number =>
  one.position === other.position ? one.place - other.place : one.position < other.position ? -1 : 1;
