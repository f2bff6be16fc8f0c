import { LeaseLost } from '#kernel/ports/read-store.port.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { repeatedWork } from '../repeated-work.js';
import { attempts } from './attempts.js';
import { feedWindow } from './feed-window.js';
import { keptProgress } from './kept-progress.js';
import { openRetries } from './open-retries.js';
import type { QueueHost } from './queue-host.js';
import { requestsInFlight } from './requests-in-flight.js';
import { nextOfReplay, openReplay } from './replays.js';

/** The state of an endpoint's queue. */
export type QueueFigures = { readonly pending: number; readonly oldestAt: string | null };

const AGAIN_AFTER_ERROR_MS = 1_000;
/** The minimum and maximum time between two timed looks. */
const MIN_REST_MS = 5;
const LONGEST_REST_MS = 60_000;

/** What an endpoint wants, as one text. */
const filtersOf = ({ types, signalSetupIds, signalTemplateKeys, listIds }: WebhookEndpointDocument): string =>
  JSON.stringify([types, signalSetupIds, signalTemplateKeys, listIds]);

export type EndpointQueue = ReturnType<typeof endpointQueue>;

/** The deliveries of one endpoint. */
export function endpointQueue(host: QueueHost, first: WebhookEndpointDocument) {
  const { nowMs, onError } = host;
  const stopping = new AbortController();
  const window = feedWindow(host);
  const open = openRetries();
  const progress = keptProgress(host, first.id, { window, open });
  const attempt = attempts({ host, window, open, progress, stopping });
  let endpoint = first;
  let isReplaying = false;
  const { wake, wakeIn, ended } = repeatedWork({
    work: deliverAndRead,
    onFailure: failed,
    later: host.later,
    signal: stopping.signal,
  });
  const requests = requestsInFlight({
    host,
    health: () => progress.state().health,
    endpoint: () => endpoint,
    wake,
    onFailure: failed,
  });

  function failed(error: unknown): void {
    if (stopping.signal.aborted) return;
    onError(first.id, error);
    if (error instanceof LeaseLost) stopping.abort();
    else wakeIn(AGAIN_AFTER_ERROR_MS);
  }

  function startDue(): void {
    for (const retry of open.all()) {
      if (retry.isSent || (retry.row.nextAttemptMs ?? 0) > nowMs()) continue;
      // The queue looks again when the replay of the event ends.
      if (attempt.isUnderWay(retry.row.eventId)) continue;
      const send = (): Promise<void> => {
        retry.isSent = true;
        return attempt.again(endpoint, retry.row);
      };
      if (!requests.begin(send, () => (retry.isSent = false))) break;
    }
    for (const fresh of window.waiting()) {
      if (open.isFull()) return;
      if (attempt.isUnderWay(fresh.entry.id)) continue;
      const send = (): Promise<void> => {
        fresh.status = 'sent';
        return attempt.first(endpoint, fresh);
      };
      if (!requests.begin(send, () => (fresh.status = 'waiting'))) return;
    }
  }

  /** Replays one event at a time, when there is a free slot. */
  function startReplay(): void {
    const state = progress.state();
    const asked = openReplay(endpoint, state);
    if (asked === null || isReplaying) return;
    const replay = async (): Promise<void> => {
      isReplaying = true;
      const next = await nextOfReplay(host, endpoint, asked, state);
      const isSent = next !== null && (await attempt.replay(endpoint, next));
      const { position, eventId } = asked;
      const isEnd = next === null || (isSent && eventId !== null);
      if (isEnd) progress.change({ replayedTo: position, replaying: null });
      else if (isSent) progress.change({ replaying: { position, afterId: next.id } });
      isReplaying = false;
    };
    requests.begin(replay, () => (isReplaying = false));
  }

  async function deliverAndRead(): Promise<void> {
    await progress.load(endpoint);
    if (!open.isFull()) await readAhead();
    startDue();
    startReplay();
    await progress.flush();
    await progress.mark(endpoint, open.oldest());
    wakeIn(untilNextMs());
  }

  async function readAhead(): Promise<void> {
    const rows = await window.readAhead(endpoint);
    open.add(rows);
    const settled = window.settled();
    if (rows.size > 0 || settled !== null) progress.change({ ...settled, open: open.keys() });
  }

  /** Milliseconds until the next timed work. */
  function untilNextMs(): number {
    const now = nowMs();
    const retries = open.all().flatMap(({ row, isSent }) => (isSent ? [] : [row.nextAttemptMs ?? now]));
    const waits =
      window.waiting().length > 0 ||
      retries.some((atMs) => atMs <= now) ||
      openReplay(endpoint, progress.state()) !== null;
    const times = [
      ...retries.filter((atMs) => atMs > now),
      ...(waits && requests.allowedAtMs() > now ? [requests.allowedAtMs()] : []),
      ...progress.due(),
      // A page without wanted events starts no request that would wake the queue.
      ...(window.hasPage() && !open.isFull() ? [now] : []),
    ];
    return Math.min(LONGEST_REST_MS, ...times.map((atMs) => Math.max(MIN_REST_MS, atMs - now)));
  }

  return {
    /** Starts work that is due; call it when the feed may have grown. */
    wake(): void {
      window.grown();
      wake();
    },
    /** The endpoint was changed. */
    update(changed: WebhookEndpointDocument): void {
      if (filtersOf(changed) !== filtersOf(endpoint)) window.readAgain();
      endpoint = changed;
      wake();
    },
    async figures(): Promise<QueueFigures> {
      const { pending, oldestAt } = await window.figures(endpoint);
      const retries = open.all().map(({ row }) => row.occurredAt);
      const times = [...retries, ...(oldestAt === null ? [] : [oldestAt])];
      return { pending: pending + retries.length, oldestAt: times.sort().at(0) ?? null };
    },
    /** Completes requests in flight and stores the progress. */
    async stop(): Promise<void> {
      stopping.abort();
      await ended();
      await requests.ended();
      await progress.flush(true).catch((error: unknown) => onError(first.id, error));
    },
  };
}
