import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import type { FromDueWork } from './due-work-messages.js';

/** The progress of the read models on another thread, which the event loop of the process projects or follows. */
export type LoopProgress = Pick<ProjectionEngine, 'reached' | 'watch'> & {
  /** Called for each message about it. */
  readonly moved: (views: readonly string[]) => void;
  readonly answered: (id: number, reached: boolean) => void;
};

type Watcher = { readonly views: readonly string[]; readonly moved: (view: string) => void };

/** Asks the event loop by messages: the checkpoints in the file would have to be read again and again. */
export function loopProgress(send: (message: FromDueWork) => void): LoopProgress {
  const watchers = new Set<Watcher>();
  const waiting = new Map<number, (reached: boolean) => void>();
  let lastId = 0;

  const tell = (): void => {
    const views = [...new Set([...watchers].flatMap((watcher) => watcher.views))];
    send({ kind: 'watch', views });
  };
  const reached: ReadModelProgress['reached'] = (written, timeoutMs) =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      send({ kind: 'reach', id: lastId, written, timeoutMs });
    });

  return {
    reached,
    watch(views, moved) {
      const watcher: Watcher = { views, moved };
      watchers.add(watcher);
      tell();
      return () => {
        watchers.delete(watcher);
        tell();
      };
    },
    moved(views) {
      for (const watcher of watchers)
        for (const view of views) if (watcher.views.includes(view)) watcher.moved(view);
    },
    answered(id, wasReached) {
      waiting.get(id)?.(wasReached);
      waiting.delete(id);
    },
  };
}
