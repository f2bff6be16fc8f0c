import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Day, Id, JsonMembers, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';

/** The terms under which a source is read, as known at the time of the event. */
const RecordedTerms = Type.Object({
  url: Type.String(),
  verdict: Type.String(),
  /** The day on which a person read them; null: they could not be read for this version. */
  readOn: Nullable(Day),
});

export const sourceEvents = {
  SourceAdded: event(
    Type.Object({
      sourceId: Id,
      /** `greenhouse`, `feed`, …: later versions may add kinds. */
      kind: Type.String(),
      /** The provider's id of the board; for a feed or a page the address with which it was added. */
      boardId: Type.String(),
      name: Type.String(),
      /** The browser address of a board, the address of a feed, or the path of a file. */
      url: Type.String(),
      /** The company or person that its items belong to; null if the items name it themselves. */
      subject: Nullable(
        Type.Object({
          entity: OneOf('company', 'person'),
          by: OneOf('domain', 'handle'),
          value: Type.String(),
        }),
      ),
      redactsContacts: Type.Boolean(),
      /** For a customer's file: all workspaces may see its data. */
      isShared: Type.Boolean(),
      /** The mirror whose API is read instead of the provider's. */
      baseUrl: Nullable(Type.String()),
      /** Only addresses of a sitemap that contain this text are read. */
      match: Nullable(Type.String()),
      /** The meanings of the columns of a file. */
      mapping: Nullable(JsonMembers),
      terms: RecordedTerms,
      addedAt: Timestamp,
    }),
  ),
  /** Its address has moved permanently (301, 308): the address changes, the refs never do (SRC-03). */
  SourceMoved: event(Type.Object({ sourceId: Id, url: Type.String(), movedAt: Timestamp })),
  /** The terms of its kind were read again. */
  SourceTermsRecorded: event(Type.Object({ sourceId: Id, terms: RecordedTerms, recordedAt: Timestamp })),
  /** All workspaces may see the content of a customer's file (SRC-10). */
  SourceShared: event(Type.Object({ sourceId: Id, sharedAt: Timestamp })),
  SourcePaused: event(Type.Object({ sourceId: Id, pausedAt: Timestamp })),
  SourceResumed: event(Type.Object({ sourceId: Id, resumedAt: Timestamp })),
  SourceRemoved: event(Type.Object({ sourceId: Id, removedAt: Timestamp })),
};
export type SourceEvents = PayloadsOf<typeof sourceEvents>;
