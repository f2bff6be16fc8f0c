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
};

/** How long a client waits before it connects again, in ms. */
const RETRY_MS = 3_000;
const EVENTS_AT_ONCE = 100;

/**
 * The feed of a workspace as server-sent events: what was there before, then what comes, in order and each event once.
 * A piece is made when the reader has taken the one before. It ends when the process stops and when the key is revoked;
 * a client goes on from the last id that it has seen.
 */
export async function* feedStream(
  { source, moves, mayGoOn, beatMs }: FeedStreamHost,
  query: Omit<FeedQuery, 'limit'>,
): AsyncGenerator<string> {
  const { workspaceId } = query;
  const signal = wakeSignal();
  const unfollow = moves.follow(workspaceId, signal.wake);
  try {
    yield `retry: ${RETRY_MS}\n\n`;
    let after: FeedPlace | null = query.after;
    let askedAtMs = performance.now();
    while (!moves.hasEnded()) {
      if (performance.now() - askedAtMs >= beatMs) {
        if (!(await mayGoOn())) return;
        askedAtMs = performance.now();
      }
      signal.reset();
      const { entries, hasMore } = await feedPage(source, { ...query, after, limit: EVENTS_AT_ONCE });
      after = entries.at(-1) ?? after;
      const events = await eventViews(source, workspaceId, entries);
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
function wakeSignal() {
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
        const timer = setTimeout(() => done(false), ms);
        const done = (woken: boolean): void => {
          clearTimeout(timer);
          waiting = null;
          resolve(woken);
        };
        waiting = () => done(true);
      });
    },
  };
}
