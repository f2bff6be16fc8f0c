import { sideBySide } from '#kernel/values/side-by-side.js';
import { catchUp, type Pace, type Workbench } from './project-batch.js';
import type { Track } from './track.js';

/**
 * So many events are folded before the indexes are built at the latest: a store that locks while it builds one
 * must not do so for longer than its writers can wait.
 */
const INDEX_AFTER_EVENTS = 2_000_000;

/** So many views have their indexes built at the same time; a store that can do one at a time has the others wait. */
const INDEXED_AT_ONCE = 8;

/**
 * Brings new generations to the end of what is in the event store and builds their indexes, so that they can
 * go live. Documents come first: a table without indexes is filled several times as fast. Stops as `catchUp`
 * does; what is done stays done.
 */
export async function fill(
  bench: Workbench,
  tracks: readonly Track[],
  pace: Pace,
  signal: AbortSignal,
  onBatch?: () => void,
): Promise<void> {
  const indexed = new Set<Track>();
  const index = async (those: readonly Track[]): Promise<void> => {
    await sideBySide(those, INDEXED_AT_ONCE, async (track) => {
      if (indexed.has(track) || track.halt !== null || signal.aborted) return;
      await unlessAborted(bench.reads.indexGeneration(track.generation), signal);
      indexed.add(track);
    });
  };
  await catchUp(bench, tracks, pace, signal, async () => {
    onBatch?.();
    await index(tracks.filter(({ checkpoint }) => checkpoint.applied >= INDEX_AFTER_EVENTS));
  });
  await index(tracks);
  // What happened while the indexes were built.
  if (!signal.aborted) await catchUp(bench, tracks, pace, signal, onBatch);
}

/** Stops waiting when the signal aborts; the store finishes or gives up the work by itself. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stopWaiting = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (stopWaiting = resolve));
  signal.addEventListener('abort', stopWaiting, { once: true });
  try {
    if (!signal.aborted) await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stopWaiting);
    // Nobody waits for it any more, and nobody needs to know how it ended.
    work.catch(() => undefined);
  }
}
