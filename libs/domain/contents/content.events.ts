import { event, type PayloadsOf } from '#kernel/event.js';
import { Id, JsonMembers, Nullable, OneOf, Type } from '#kernel/schema.js';

export const contentEvents = {
  ContentCaptured: event(
    Type.Object({
      contentId: Id,
      ref: Type.String(),
      type: OneOf('post', 'comment', 'job_posting'),
      facts: JsonMembers,
      leadId: Nullable(Id),
      companyId: Nullable(Id),
    }),
  ),
};
export type ContentEvents = PayloadsOf<typeof contentEvents>;
