import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { mostInFlight, type Health } from '../delivery-schedule.js';
import type { QueueHost } from './queue-host.js';

/** The requests that one endpoint has in flight, and when it may have another. */
export type RequestsInFlight = {
  /**
   * Begins work that makes a request, where there is room for it now; false: there is not. Where the work fails it is
   * undone and the queue is told. The queue is woken at its end.
   */
  readonly begin: (work: () => Promise<void>, undo: () => void) => boolean;
  /** When the rate, the health of the endpoint and what failed here allow the next request, in ms. */
  readonly allowedAtMs: () => number;
  /** Resolves when none is in flight. */
  readonly ended: () => Promise<void>;
};

type Parts = {
  readonly host: Pick<QueueHost, 'nowMs' | 'takeSlot'>;
  readonly health: () => Health;
  readonly endpoint: () => WebhookEndpointDocument;
  readonly wake: () => void;
  readonly onFailure: (error: unknown) => void;
};

/** What fails here, as while a store is away, fails again at once. */
const AFTER_FAILURE_MS = 1_000;

export function requestsInFlight({ host, health, endpoint, wake, onFailure }: Parts): RequestsInFlight {
  const { nowMs } = host;
  const inFlight = new Set<Promise<void>>();
  let nextStartMs = 0;
  let restUntilMs = 0;
  const allowedAtMs = (): number => Math.max(health().slowUntilMs, nextStartMs, restUntilMs);

  /** A place to send in; null: not now. */
  function permission(): (() => void) | null {
    if (inFlight.size >= mostInFlight(health()) || nowMs() < allowedAtMs()) return null;
    const give = host.takeSlot(health().failures > 0, wake);
    const { ratePerSecond } = endpoint();
    if (give !== null && ratePerSecond !== null)
      nextStartMs = Math.max(nowMs(), nextStartMs) + 1_000 / ratePerSecond;
    return give;
  }

  return {
    begin(work, undo) {
      const give = permission();
      if (give === null) return false;
      const done = work()
        .catch((error: unknown) => {
          undo();
          restUntilMs = nowMs() + AFTER_FAILURE_MS;
          onFailure(error);
        })
        .then(() => {
          give();
          inFlight.delete(done);
          wake();
        });
      inFlight.add(done);
      return true;
    },
    allowedAtMs,
    async ended() {
      await Promise.all(inFlight);
    },
  };
}
