import type { ProjectedView } from './projected-view.js';

/** The views of one term of a group's leader. */
export type SessionViews = {
  /** The live generation by projection name; none before the first catch-up. */
  readonly live: Map<string, ProjectedView>;
  /** First generations that have not caught up yet, by projection name. */
  readonly first: Map<string, ProjectedView>;
  readonly followed: FollowedViews;
};

/** The views that share one subscription. When a view joins or leaves, a new subscription replaces it. */
export type FollowedViews = {
  readonly join: (view: ProjectedView) => void;
  readonly leave: (view: ProjectedView) => void;
  readonly all: () => readonly ProjectedView[];
  /** The views of the next subscription. */
  readonly subscribe: () => readonly ProjectedView[];
  /** Whether a view joined or left since. */
  readonly isOutdated: () => boolean;
};

export function followedViews(): FollowedViews {
  const views = new Set<ProjectedView>();
  let isOutdated = false;
  return {
    join(view) {
      views.add(view);
      isOutdated = true;
    },
    leave(view) {
      if (views.delete(view)) isOutdated = true;
    },
    all: () => [...views],
    subscribe() {
      isOutdated = false;
      return [...views];
    },
    isOutdated: () => isOutdated,
  };
}
