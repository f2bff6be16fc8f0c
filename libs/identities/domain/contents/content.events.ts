import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Type } from '#kernel/values/schema.js';
import { ContentFacts } from './content-facts.js';

export const contentEvents = {
  ContentCaptured: event(
    Type.Object({
      contentId: Id,
      ref: Type.String(),
      type: OneOf('post', 'comment', 'job_posting'),
      facts: ContentFacts,
      leadId: Nullable(Id),
      companyId: Nullable(Id),
    }),
  ),
};
export type ContentEvents = PayloadsOf<typeof contentEvents>;
