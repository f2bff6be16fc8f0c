import { setTimeout as delay } from 'node:timers/promises';
import { untilBeat } from '#kernel/commands/beat.js';
import type { ProcessHost } from './process.js';

/** Work that is repeated after every change of the network. */
export type NetworkFollower = {
  /** Repeats the work if the network has changed since the last time. */
  readonly catchUp: () => Promise<void>;
  /** The number of changes found so far, by `catchUp` and in the background. */
  readonly found: () => number;
  /** Follows the network in the background from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

export type NetworkCheck = {
  /** Checks everything for which the network may have new facts. Returns the number of changes found. */
  readonly look: (signal: AbortSignal) => Promise<number>;
  /** Names the period in which one check is enough while the network does not change; absent: for ever. */
  readonly period?: () => string;
  readonly onError: (error: unknown) => void;
};

const LOOK_EVERY_MS = 1_000;
/** While the network changes continuously, checks take at most a tenth of the time. */
const REST_FACTOR = 9;

/**
 * Only this worker's memory holds the state of the network at the last check, so each worker checks once at its start.
 * The work must be idempotent, because several workers may do it at the same time.
 */
export function networkFollower(
  { directory }: Pick<ProcessHost, 'directory'>,
  { look, period = () => '', onError }: NetworkCheck,
): NetworkFollower {
  let seen = Number.NEGATIVE_INFINITY;
  let seenIn = '';
  let found = 0;
  let looking: Promise<unknown> = Promise.resolve();
  let loop: Promise<void> | null = null;
  const stopping = new AbortController();

  async function lookIfDue(): Promise<void> {
    // Read before the check: a change during the check causes another check.
    const learned = await directory.learned();
    const now = period();
    if (learned <= seen && now === seenIn) return;
    const different = await look(stopping.signal);
    found += different;
    if (!stopping.signal.aborted) [seen, seenIn] = [learned, now];
  }

  /** Concurrent calls share one check at a time. */
  function catchUp(): Promise<void> {
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
    found: () => found,
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
