import { rateOf } from '#delivery/domain/webhooks/webhook.events.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { mostInFlight, type Health } from '../delivery-schedule.js';
import type { QueueHost } from './queue-host.js';

type Parts = {
  readonly host: Pick<QueueHost, 'nowMs' | 'takeSlot'>;
  readonly health: () => Health;
  readonly endpoint: () => WebhookEndpointDocument;
  readonly wake: () => void;
  readonly onFailure: (error: unknown) => void;
};

/** The pause after a local failure, for example while a store is unavailable: an immediate retry would fail too. */
const AFTER_FAILURE_MS = 1_000;

/** The requests in flight of one endpoint, and when the next may start. */
export function requestsInFlight({ host, health, endpoint, wake, onFailure }: Parts) {
  const { nowMs } = host;
  const inFlight = new Set<Promise<void>>();
  let nextStartMs = 0;
  let restUntilMs = 0;
  const allowedAtMs = (): number => Math.max(health().slowUntilMs, nextStartMs, restUntilMs);

  /** A slot to send in; null: not now. */
  function permission(): (() => void) | null {
    if (inFlight.size >= mostInFlight(health()) || nowMs() < allowedAtMs()) return null;
    const give = host.takeSlot(health().failures > 0, wake);
    const rate = rateOf(endpoint());
    if (give !== null && rate !== null) nextStartMs = Math.max(nowMs(), nextStartMs) + 1_000 / rate;
    return give;
  }

  return {
    /**
     * Starts work that makes a request, if a slot is free now; false otherwise. If the work fails it is undone and the
     * failure is reported. The queue is woken at its end.
     */
    begin(work: () => Promise<void>, undo: () => void): boolean {
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
    /** When rate limit, health and local failures allow the next request, in ms. */
    allowedAtMs,
    /** Resolves when none is in flight. */
    async ended(): Promise<void> {
      await Promise.all(inFlight);
    },
  };
}
