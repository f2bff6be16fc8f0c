import type { ProjectedView } from './projected-view.js';

/** The views of one term of a group's leader. */
export type SessionViews = {
  /** The generation that queries read, by projection name; none before it has caught up the first time. */
  readonly live: Map<string, ProjectedView>;
  /** First generations that have not caught up yet, by projection name. */
  readonly first: Map<string, ProjectedView>;
  readonly followed: FollowedViews;
};

/** The views that share one subscription. Whoever joins or leaves outdates it: the next one is for those there then. */
export type FollowedViews = {
  readonly join: (view: ProjectedView) => void;
  readonly leave: (view: ProjectedView) => void;
  readonly all: () => readonly ProjectedView[];
  /** Those that a new subscription is for. */
  readonly subscribe: () => readonly ProjectedView[];
  /** Whether anybody joined or left since. */
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
