import type { Clock } from '#kernel/ports/clock.js';
import { START, type EventStore, type Position, type StoredEvent } from '#kernel/ports/event-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { oldestPosition } from './projected-view.js';
import { typesOf } from './registry.js';

/** A projection and the checkpoint of its live generation; `live` null before the first catch-up. */
export type Standing = {
  readonly projection: Projection;
  readonly live: number | null;
  readonly position: Position;
};

const BATCH = 100;
/** After so many events the query is repeated for the types of the remaining projections. */
const PIECE = 500;

/**
 * The age in seconds of the first event that each projection has not handled, by its name. A projection that has
 * handled all events, or has not caught up the first time, is not named. That first event is usually among the few
 * after the oldest checkpoint. Behind a long backlog the idle projections are checked together, for their own types:
 * each by itself would read all of the backlog again.
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
  for (let after: Position = START; waiting.length > 0;) {
    after = later(after, oldestPosition(waiting));
    const end = await pieceAfter(events, waiting, after, (event) => {
      const recordedAt = Date.parse(event.metadata['recordedAt'] ?? '');
      waiting = waiting.filter(({ projection, position }) => {
        if (position >= event.position || !(event.type in projection.on)) return true;
        found(projection, Number.isNaN(recordedAt) ? null : recordedAt);
        return false;
      });
      return waiting.length > 0;
    });
    if (end === null) break;
    after = end;
  }
  return lags;
}

/** The start of the next part; null after the last one. */
async function pieceAfter(
  events: EventStore,
  waiting: readonly Standing[],
  after: Position,
  isMoreWanted: (event: StoredEvent) => boolean,
): Promise<Position | null> {
  const types = typesOf(waiting.map(({ projection }) => projection));
  let looked = 0;
  for await (const batch of events.readAll({ after, types, batchSize: BATCH })) {
    for (const event of batch.events) if (!isMoreWanted(event)) return null;
    looked += batch.events.length;
    if (looked >= PIECE) return batch.position;
  }
  return null;
}

const later = (left: Position, right: Position): Position => (left > right ? left : right);
