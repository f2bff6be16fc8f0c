import { eventViews, type EventView } from './answers/event.view.js';
import { feedPage, type FeedPlace, type FeedQuery, type FeedSource } from './event-feed.js';
import type { FeedMoves } from './feed-moves.js';

/** What a stream of events needs beside what it is asked for. */
export type FeedStreamHost = {
  readonly source: FeedSource;
  readonly moves: FeedMoves;
  /** Whether the stream may go on: false once its key is revoked. Asked once a beat. */
  readonly mayGoOn: () => Promise<boolean>;
  /** How long a stream is silent at most, in ms. */
  readonly beatMs: number;
  /** Real time, in ms; only differences count. */
  readonly nowMs: () => number;
  /** Calls back after so long, once; the function it gives ends that. */
  readonly later: (ms: number, act: () => void) => () => void;
};

/** How long a client waits before it connects again, in ms. */
const RETRY_MS = 3_000;
/** What a reader that stands still keeps in memory: a thousand of them have to fit. */
const EVENTS_AT_ONCE = 20;

/**
 * The feed of a workspace as server-sent events: what was there before, then what comes, in order and each event once.
 * A piece is made when the reader has taken the one before. It ends when the process stops and when the key is revoked;
 * a client goes on from the last id that it has seen.
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
    let after: FeedPlace | null = query.after;
    let askedAtMs = nowMs();
    while (!moves.hasEnded()) {
      if (nowMs() - askedAtMs >= beatMs) {
        if (!(await mayGoOn())) return;
        askedAtMs = nowMs();
      }
      signal.reset();
      const { entries, hasMore } = await feedPage(source, { ...query, after, limit: EVENTS_AT_ONCE });
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

/** A wish to look again that is not lost while nobody waits for it. */
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
    /** True as soon as it is woken; false after so long. */
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
