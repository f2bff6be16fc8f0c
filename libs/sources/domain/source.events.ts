import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Day, Id, OneOf, Timestamp, Type } from '#kernel/values/schema.js';

export const sourceEvents = {
  SourceAdded: event(
    Type.Object({
      sourceId: Id,
      /** `greenhouse`, `feed`, …: a later version may know more of them. */
      kind: Type.String(),
      /** The provider's id of the board; of a feed the address with which it was added. */
      boardId: Type.String(),
      name: Type.String(),
      url: Type.String(),
      company: Type.Object({ by: OneOf('domain', 'handle'), value: Type.String() }),
      redactsContacts: Type.Boolean(),
      terms: Type.Object({ url: Type.String(), verdict: Type.String(), readOn: Day }),
      addedAt: Timestamp,
    }),
  ),
  SourcePaused: event(Type.Object({ sourceId: Id, pausedAt: Timestamp })),
  SourceResumed: event(Type.Object({ sourceId: Id, resumedAt: Timestamp })),
  SourceRemoved: event(Type.Object({ sourceId: Id, removedAt: Timestamp })),
};
export type SourceEvents = PayloadsOf<typeof sourceEvents>;
