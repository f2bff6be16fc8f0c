import { setTimeout as delay } from 'node:timers/promises';
import { untilBeat } from '#kernel/commands/beat.js';
import type { ProcessHost } from './process.js';

/** What is done again whenever the network has learned something. */
export type NetworkFollower = {
  /** Looks again if there is reason to since the last time; how much of what was looked at is different now. */
  readonly catchUp: () => Promise<number>;
  /** Catches up by itself from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

export type Following = {
  /** Looks at everything for which something new may be known; how much of it is different now. */
  readonly look: (signal: AbortSignal) => Promise<number>;
  /** Names the time in which one look is enough while nothing is learned; absent: for ever. */
  readonly period?: () => string;
  readonly onError: (error: unknown) => void;
};

const LOOK_EVERY_MS = 1_000;
/** Of a network that learns without end no more than a tenth of the time is spent on looking. */
const REST_FACTOR = 9;

/**
 * How much was learned at the last look is remembered by this worker alone: one that starts looks once. What several
 * find at the same time must have one effect.
 */
export function networkFollower(
  { directory }: Pick<ProcessHost, 'directory'>,
  { look, period = () => '', onError }: Following,
): NetworkFollower {
  let seen = Number.NEGATIVE_INFINITY;
  let seenIn = '';
  let looking: Promise<unknown> = Promise.resolve();
  let loop: Promise<void> | null = null;
  const stopping = new AbortController();

  async function lookIfDue(): Promise<number> {
    // Before the look: what is learned meanwhile is reason for another.
    const learned = await directory.learned();
    const now = period();
    if (learned <= seen && now === seenIn) return 0;
    const different = await look(stopping.signal);
    if (!stopping.signal.aborted) [seen, seenIn] = [learned, now];
    return different;
  }

  /** One look at a time, whoever asks. */
  function catchUp(): Promise<number> {
    const mine = looking.then(lookIfDue, lookIfDue);
    looking = mine.catch(() => undefined);
    return mine;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAtMs = performance.now();
      await catchUp().catch(onError);
      const restMs = REST_FACTOR * (performance.now() - startedAtMs);
      if (restMs > LOOK_EVERY_MS) await delay(restMs, null, { signal: stopping.signal }).catch(() => null);
      else await untilBeat(LOOK_EVERY_MS, stopping.signal);
    }
  }

  return {
    catchUp,
    start() {
      loop ??= run();
    },
    async stop() {
      stopping.abort();
      await loop;
      await looking;
    },
  };
}
