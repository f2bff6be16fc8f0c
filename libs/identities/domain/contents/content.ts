import { decider, type Decision } from '#kernel/commands/decider.js';
import { contentEvents, type ContentEvents } from './content.events.js';

/** The id of a piece of content in the workspace: the first append to the stream claims it. */
export type ContentIdentity = { readonly contentId: number | null };

export const contentIdentity = decider<ContentIdentity>()({
  category: 'contentIdentity',
  scope: 'workspace',
  vocabulary: contentEvents,
  strict: true,
  initial: () => ({ contentId: null }),
  on: { ContentCaptured: (_, { data }) => ({ contentId: data.contentId }) },
});

export const captureContent =
  (input: ContentEvents['ContentCaptured']): Decision<ContentIdentity, typeof contentEvents> =>
  (state) =>
    state.contentId === null ? [{ type: 'ContentCaptured', data: input }] : [];
