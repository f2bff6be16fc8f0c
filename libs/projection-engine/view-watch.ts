import { setTimeout as pause } from 'node:timers/promises';
import { untilBeat } from '#kernel/commands/beat.js';
import type { Checkpoint, ReadStore } from '#kernel/ports/read-store.port.js';
import type { LeaderSession } from './leader-session.js';
import type { ProjectionRegistry } from './registry.js';

/** Tells whoever looks at views when they may show something else. */
export type ViewWatch = {
  /** Calls back whenever one of these views has folded an event; the function it gives ends that. */
  readonly watch: (views: readonly string[], moved: (view: string) => void) => () => void;
  /** Called after each write of a session of this process. */
  readonly advanced: () => void;
  readonly stop: () => void;
};

type Watcher = {
  readonly views: readonly string[];
  readonly moved: (view: string) => void;
  /** The last mark seen of each view: its generation, and how many events that has folded. */
  readonly marks: Map<string, string>;
};

/** Where this process projects all that is watched, it only has to notice the end of that. */
const LED_HERE_FACTOR = 4;

/**
 * Told at once where this process projects a view. Where another one does, or nobody, there is no other way than to
 * look at the stored checkpoint every `pollMs`. Marks are the same in both ways, so none is missed or told twice when
 * the lead changes.
 */
export function viewWatch(
  registry: ProjectionRegistry,
  reads: ReadStore,
  sessionOf: (projectionName: string) => LeaderSession | null,
  pollMs: number,
): ViewWatch {
  const watchers = new Set<Watcher>();
  let watched: readonly string[] = [];
  /** What a session here had folded when its watchers were told last: most writes move few views. */
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
    const { projection } = registry.named(view);
    const { live } = await reads.generations(projection);
    if (live === null) return;
    const checkpoint = await reads.checkpoint({ view: projection, generation: live });
    // It was taken over meanwhile: what this process writes is told by itself.
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
      // A store that is away is looked at again soon.
      await Promise.allSettled(ledElsewhere().map(lookAtStored));
    }
    isPolling = false;
  };

  return {
    watch(views, moved) {
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
    advanced,
    stop() {
      watchers.clear();
      watchersChanged();
      stopping.abort();
    },
  };
}

const markOf = (generation: number, applied: number): string => `${generation}:${applied}`;
