import type { EventStore, Position } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { scanned, type ProjectedView } from './projected-view.js';

export type RebuildProgress = {
  readonly phase: 'building' | 'swapping' | 'comparing';
  /** Events folded into the new generation, by this and earlier runs. */
  readonly events: number;
  readonly eventsPerSecond: number;
  /** Seconds until it has as many events as the live generation; null before there is a speed. */
  readonly etaSeconds: number | null;
  readonly position: Position;
  readonly head: Position;
};

/** Reports how far a generation is relative to the live one, at each call. */
export async function progressReporter(
  { events, reads }: { readonly events: EventStore; readonly reads: ReadStore },
  projectedView: ProjectedView,
  live: number,
  onProgress: ((progress: RebuildProgress) => void) | undefined,
): Promise<(phase: RebuildProgress['phase']) => void> {
  if (onProgress === undefined) return () => undefined;
  const liveCheckpoint = await reads.checkpoint({ view: projectedView.projection, generation: live });
  const expected = liveCheckpoint === null ? 0 : scanned(liveCheckpoint);
  const head = await events.head();
  const startedAt = performance.now();
  const before = scanned(projectedView.checkpoint);
  return (phase) => {
    const done = scanned(projectedView.checkpoint);
    const seconds = (performance.now() - startedAt) / 1_000;
    const eventsPerSecond = seconds > 0 ? (done - before) / seconds : 0;
    const etaSeconds = eventsPerSecond > 0 ? Math.max(0, expected - done) / eventsPerSecond : null;
    onProgress({ phase, events: done, eventsPerSecond, etaSeconds, position: projectedView.position, head });
  };
}
