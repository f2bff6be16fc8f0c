import type { Clock } from '#kernel/ports/clock.js';
import type { EventStore, Position } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { firstUnhandledAt } from './projection-status.js';
import { typesOf } from './registry.js';

/** A projection and how far the generation that queries read has come; `live` null before it has caught up first. */
export type Standing = {
  readonly projection: Projection;
  readonly live: number | null;
  readonly position: Position;
};

const JOINT_BATCH = 100;
const JOINT_EVENTS = 500;

/**
 * How old, in seconds, the first event is that each projection has not handled, by its name; who has handled all of
 * them is not named, nor who has not caught up the first time: that one is behind by nature.
 *
 * That first event is mostly among the few after the oldest checkpoint, and found for all projections at once; one
 * that is idle behind a long backlog of others looks for its own types.
 */
export async function projectionLags(
  { events, clock }: { readonly events: EventStore; readonly clock: Clock },
  standings: readonly Standing[],
): Promise<ReadonlyMap<string, number>> {
  const lags = new Map<string, number>();
  let waiting = standings.filter(({ live }) => live !== null);
  const head = await events.head();
  waiting = waiting.filter(({ position }) => position < head);
  if (waiting.length === 0) return lags;
  const now = clock.now().getTime();
  const found = (projection: Projection, recordedAtMs: number | null): void => {
    if (recordedAtMs !== null) lags.set(projection.name, Math.max(0, now - recordedAtMs) / 1_000);
  };
  const types = typesOf(waiting.map(({ projection }) => projection));
  const after = waiting
    .map(({ position }) => position)
    .reduce((left, right) => (left < right ? left : right));
  let looked = 0;
  let isWhole = true;
  for await (const batch of events.readAll({ after, types, batchSize: JOINT_BATCH })) {
    for (const event of batch.events) {
      const recordedAt = Date.parse(event.metadata['recordedAt'] ?? '');
      waiting = waiting.filter(({ projection, position }) => {
        if (position >= event.position || !(event.type in projection.on)) return true;
        found(projection, Number.isNaN(recordedAt) ? null : recordedAt);
        return false;
      });
    }
    looked += batch.events.length;
    isWhole = looked < JOINT_EVENTS;
    if (waiting.length === 0 || !isWhole) break;
  }
  if (!isWhole) {
    for (const { projection, position } of waiting)
      found(projection, await firstUnhandledAt(events, projection, position));
  }
  return lags;
}
