import type { ContentEvents } from '#identities/domain/contents/content.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** How many contents of a workspace have an id from `firstId` on, up to the next range. */
export type ContentRangeDocument = {
  readonly workspaceId: number;
  readonly firstId: number;
  readonly contents: number;
};

const RANGE = 10_000;

const firstIdOf = (contentId: number): number => contentId - (contentId % RANGE);

/** The offset index of contents: neither the total nor a late page reads all rows before it. */
export const contentRanges = projection<ContentRangeDocument, ContentEvents>()({
  name: 'content-ranges',
  version: 1,
  indexes: { byWorkspace: ['workspaceId', 'firstId', 'contents'] },
  key: (event) => `${workspaceIdOf(event)}_${firstIdOf(event.data.contentId)}`,
  on: {
    ContentCaptured: (before, event) => ({
      workspaceId: workspaceIdOf(event),
      firstId: firstIdOf(event.data.contentId),
      contents: (before?.contents ?? 0) + 1,
    }),
  },
});
