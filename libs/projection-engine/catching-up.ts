import { inPieces } from '#kernel/values/pieces.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { fill } from './fill.js';
import { goLive } from './go-live.js';
import type { Inbox } from './inbox.js';
import { deleteMisfitNote } from './misfit-note.js';
import { deleteHalt } from './parked.js';
import type { Pace, ProjectorContext } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';
import { putBackToBuilding } from './rebuild-note.js';
import type { SessionViews } from './session-views.js';

export type CatchingUpParts = {
  readonly context: ProjectorContext;
  readonly groupName: string;
  readonly pace: Pace;
  readonly box: Inbox;
  readonly ending: AbortSignal;
  readonly onProgress: () => void;
};

/** The number of views created at once in an empty store: each costs a server about twenty requests. */
export const VIEWS_AT_ONCE = 8;

/** How long views may join before the followed views continue. */
const JOINING_MS = 5;

export type CatchingUp = ReturnType<typeof catchingUp>;

/** Views that catch up next to the followed views, each until it has joined them or stopped. */
export function catchingUp(parts: CatchingUpParts, { live, first, followed }: SessionViews) {
  const { context, groupName, pace, box, ending, onProgress } = parts;
  const { reads } = context;
  const ends = new Map<ProjectedView, Promise<void>>();

  async function catchUp(views: readonly ProjectedView[]): Promise<void> {
    for (const view of views) view.halt = null;
    await fill(context, views, pace, ending, onProgress);
    const pieces = [...inPieces(views, reads.writersAtOnce === 1 ? 1 : VIEWS_AT_ONCE)];
    while (pieces.length > 0 && !ending.aborted) await box.post(() => joinSome(pieces));
  }

  /** Nothing is folded meanwhile, so writers that wait for their events do not wait until all views have joined. */
  async function joinSome(pieces: (readonly ProjectedView[])[]): Promise<void> {
    const startedAt = performance.now();
    do {
      const some = pieces.shift() ?? [];
      await sideBySide(some, VIEWS_AT_ONCE, join);
    } while (pieces.length > 0 && performance.now() - startedAt < JOINING_MS && !ending.aborted);
  }

  async function join(view: ProjectedView): Promise<void> {
    const { projection, generation } = view;
    const current = live.get(projection.name) ?? null;
    const isFit = view.halt === null && (current === view || (await goLive(context, current, view, pace)));
    if (!isFit) {
      await putBackToBuilding(reads, generation);
      return;
    }
    await deleteHalt(reads, generation);
    if (current !== null) followed.leave(current);
    first.delete(projection.name);
    live.set(projection.name, view);
    followed.join(view);
    if (first.size === 0) await deleteMisfitNote(reads, groupName);
    onProgress();
  }

  return {
    /** All together: history is read once for them. */
    start(views: readonly ProjectedView[]): void {
      for (const view of views) followed.leave(view);
      const end = catchUp(views)
        .catch((error: unknown) => box.fail(error))
        .finally(() => {
          for (const view of views) ends.delete(view);
        });
      for (const view of views) ends.set(view, end);
    },
    views: (): readonly ProjectedView[] => [...ends.keys()],
    has: (view: ProjectedView): boolean => ends.has(view),
    /** Resolves when the view no longer catches up. */
    endOf: async (view: ProjectedView): Promise<void> => ends.get(view),
    allEnded: async (): Promise<void> => void (await Promise.allSettled(ends.values())),
  };
}
