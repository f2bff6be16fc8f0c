import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#kernel/ports/clock.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { SHORT_LIVED_MS } from '#kernel/ports/short-lived.js';

const SWEEP_EVERY_MS = 600_000;
/** Between two steps other work gets the event loop and the disk. */
const STEP_PAUSE_MS = 10;

/** Removes short-lived events from the event store, in steps. Several workers may do so concurrently. */
export function sweepEvents(
  events: Pick<EventStore, 'sweep'>,
  clock: Clock,
  onError: (error: unknown) => void,
) {
  const stopping = new AbortController();
  let loop: Promise<void> | null = null;

  async function sweepAll(): Promise<void> {
    for (let isDone = false; !isDone && !stopping.signal.aborted;) {
      ({ isDone } = await events.sweep(new Date(clock.now().getTime() - SHORT_LIVED_MS)));
      await rest(STEP_PAUSE_MS);
    }
  }
  const rest = (ms: number): Promise<unknown> =>
    delay(ms, null, { signal: stopping.signal }).catch(() => null);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweepAll().catch(onError);
      await rest(SWEEP_EVERY_MS);
    }
  }
  return {
    /** Sweeps immediately and then periodically. */
    start(): void {
      loop ??= run();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await loop;
    },
  };
}
