import { eventViews, type EventView } from './answers/event.view.js';
import { feedPage, type FeedPoint, type FeedQuery, type FeedSource } from './event-feed.js';
import type { FeedMoves } from './feed-moves.js';

/** What a stream of events needs besides its query. */
export type FeedStreamHost = {
  readonly source: FeedSource;
  readonly moves: FeedMoves;
  /** Whether the stream may continue: false once its key is revoked. Asked once per beat. */
  readonly mayGoOn: () => Promise<boolean>;
  /** The maximum time without output, in ms. */
  readonly beatMs: number;
  /** Real time in ms; only differences matter. */
  readonly nowMs: () => number;
  /** Calls back once after this time. Returns a function that cancels it. */
  readonly later: (ms: number, act: () => void) => () => void;
};

/** The reconnection time of clients, in ms. */
const RETRY_MS = 3_000;
/** The number of entries in memory for a slow reader: a thousand readers must fit. */
const EVENTS_AT_ONCE = 20;

/**
 * The feed of a workspace as server-sent events: existing entries first, then new ones, in order and each once. A
 * piece is rendered when the reader has consumed the previous one. The stream ends when the process stops or the key
 * is revoked or the log was reset to an older one; a client continues from the last id it has received.
 */
export async function* feedStream(
  host: FeedStreamHost,
  query: Omit<FeedQuery, 'limit'>,
): AsyncGenerator<string> {
  const { source, moves, mayGoOn, beatMs, nowMs } = host;
  const { workspaceId } = query;
  const signal = wakeSignal(host.later);
  const unfollow = moves.follow(workspaceId, signal.wake);
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    let after: FeedPoint | null = query.after;
    let askedAtMs = nowMs();
    while (!moves.hasEnded()) {
      if (nowMs() - askedAtMs >= beatMs) {
        if (!(await mayGoOn())) return;
        askedAtMs = nowMs();
      }
      signal.reset();
      const page = await feedPage(source, { ...query, after, limit: EVENTS_AT_ONCE });
      // The log was reset: other events come at the places before the last event, and its id says where the client is.
      if (after !== null && after.position > page.end) return;
      const { entries, hasMore } = page;
      const events = await eventViews(source, workspaceId, entries);
      after = entries.at(-1) ?? after;
      if (events.length > 0) yield events.map(messageOf).join('');
      if (hasMore) continue;
      if (!(await signal.within(beatMs))) yield ': beat\n\n';
    }
  } finally {
    unfollow();
  }
}

const messageOf = (event: EventView): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** A signal that is remembered while nothing waits for it. */
function wakeSignal(later: FeedStreamHost['later']) {
  let isAwake = false;
  let waiting: (() => void) | null = null;
  return {
    wake(): void {
      isAwake = true;
      waiting?.();
    },
    reset(): void {
      isAwake = false;
    },
    /** True as soon as it is woken; false after this time. */
    within(ms: number): Promise<boolean> {
      if (isAwake) return Promise.resolve(true);
      return new Promise((resolve) => {
        const endTimer = later(ms, () => done(false));
        const done = (woken: boolean): void => {
          endTimer();
          waiting = null;
          resolve(woken);
        };
        waiting = () => done(true);
      });
    },
  };
}
