import { setTimeout as pause } from 'node:timers/promises';
import { untilBeat } from '#kernel/commands/beat.js';
import type { Checkpoint, ReadStore } from '#kernel/ports/read-store.port.js';
import type { LeaderSession } from './leader-session.js';
import type { ProjectionRegistry } from './registry.js';

type Watcher = {
  readonly views: readonly string[];
  readonly moved: (view: string) => void;
  /** The last mark seen of each view: its generation, and how many events that has folded. */
  readonly marks: Map<string, string>;
};

/** If this process projects all watched views, it only has to notice when it stops to do so. */
const LED_HERE_FACTOR = 4;

export type ViewWatch = ReturnType<typeof viewWatch>;

/**
 * Notifies watchers of views when the views may have changed. Immediate if this process projects a view. If another
 * process does, or none, the stored checkpoint is read every `pollMs`. Marks are the same in both cases, so no change is
 * missed or reported twice when the leader changes.
 */
export function viewWatch(
  registry: ProjectionRegistry,
  reads: ReadStore,
  sessionOf: (projectionName: string) => LeaderSession | null,
  pollMs: number,
) {
  const watchers = new Set<Watcher>();
  let watched: readonly string[] = [];
  /** The folded events of a session at its last notification: most writes move few views. */
  const told = new Map<string, Checkpoint>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let isPolling = false;

  const watchersChanged = (): void => {
    watched = [...new Set([...watchers].flatMap(({ views }) => views))];
    told.clear();
  };

  const tell = (view: string, mark: string): void => {
    for (const { views, marks, moved } of watchers) {
      if (!views.includes(view) || marks.get(view) === mark) continue;
      marks.set(view, mark);
      moved(view);
    }
  };

  const ledElsewhere = (): readonly string[] => watched.filter((view) => sessionOf(view) === null);

  const advanced = (): void => {
    for (const view of watched) {
      const projectedView = sessionOf(view)?.live.get(view);
      if (projectedView === undefined || told.get(view) === projectedView.checkpoint) continue;
      const { generation, checkpoint } = projectedView;
      told.set(view, checkpoint);
      tell(view, markOf(generation.generation, checkpoint.applied));
    }
  };

  const lookAtStored = async (view: string): Promise<void> => {
    const projection = registry.named(view);
    const { live } = await reads.generations(projection);
    if (live === null) return;
    const checkpoint = await reads.checkpoint({ view: projection, generation: live });
    // This process took the view over meanwhile and notifies its own watchers.
    if (checkpoint !== null && sessionOf(view) === null) tell(view, markOf(live, checkpoint.applied));
  };

  const nextPoll = (): Promise<void> =>
    ledElsewhere().length === 0
      ? untilBeat(pollMs * LED_HERE_FACTOR, signal)
      : pause(pollMs, undefined, { signal, ref: false }).catch(() => undefined);

  const poll = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    while (watchers.size > 0 && !signal.aborted) {
      await nextPoll();
      // An unavailable store is read again soon.
      await Promise.allSettled(ledElsewhere().map(lookAtStored));
    }
    isPolling = false;
  };

  return {
    /** Calls back whenever one of these views has folded an event; the returned function ends the calls. */
    watch(views: readonly string[], moved: (view: string) => void): () => void {
      const watcher: Watcher = { views, moved, marks: new Map() };
      watchers.add(watcher);
      watchersChanged();
      advanced();
      void poll();
      return () => {
        watchers.delete(watcher);
        watchersChanged();
      };
    },
    /** Called after each write of a session of this process. */
    advanced,
    stop(): void {
      watchers.clear();
      watchersChanged();
      stopping.abort();
    },
  };
}

const markOf = (generation: number, applied: number): string => `${generation}:${applied}`;
