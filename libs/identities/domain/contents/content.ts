import { decider, type Decision } from '#kernel/commands/decider.js';
import type { ContentFacts } from './content-facts.js';
import { contentEvents } from './content.events.js';

/** Whose id a piece of content is in this workspace: the first append to its stream claims it. */
export type ContentIdentity = { readonly contentId: number | null };

export const contentIdentity = decider<ContentIdentity>()({
  category: 'contentIdentity',
  scope: 'workspace',
  vocabulary: contentEvents,
  strict: true,
  initial: () => ({ contentId: null }),
  on: { ContentCaptured: (_, { data }) => ({ contentId: data.contentId }) },
});

export type CaptureContent = {
  readonly contentId: number;
  readonly ref: string;
  readonly type: 'post' | 'comment' | 'job_posting';
  readonly facts: ContentFacts;
  readonly leadId: number | null;
  readonly companyId: number | null;
};

export const captureContent =
  (input: CaptureContent): Decision<ContentIdentity, typeof contentEvents> =>
  (state) =>
    state.contentId === null ? [{ type: 'ContentCaptured', data: input }] : [];
