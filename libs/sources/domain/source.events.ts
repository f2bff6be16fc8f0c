import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Day, Id, JsonMembers, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';

/** The terms under which a source is read, as they were known at the time of the event. */
const RecordedTerms = Type.Object({
  url: Type.String(),
  verdict: Type.String(),
  /** When somebody read them; null: they could not be read for this version. */
  readOn: Nullable(Day),
});

export const sourceEvents = {
  SourceAdded: event(
    Type.Object({
      sourceId: Id,
      /** `greenhouse`, `feed`, …: a later version may know more of them. */
      kind: Type.String(),
      /** The provider's id of the board; of a feed or a page the address with which it was added. */
      boardId: Type.String(),
      name: Type.String(),
      /** The address of a person's browser or of a feed; of a file its path. */
      url: Type.String(),
      /** Who what it shows belongs to; null where the source says so itself. */
      subject: Nullable(
        Type.Object({
          entity: OneOf('company', 'person'),
          by: OneOf('domain', 'handle'),
          value: Type.String(),
        }),
      ),
      redactsContacts: Type.Boolean(),
      /** Of a file of a customer: its data may be seen by all workspaces. */
      isShared: Type.Boolean(),
      /** Where the provider's API is read instead of at the provider: a mirror. */
      baseUrl: Nullable(Type.String()),
      /** Of the addresses in a sitemap only those that contain it are read. */
      match: Nullable(Type.String()),
      /** Which columns of a file mean what. */
      mapping: Nullable(JsonMembers),
      terms: RecordedTerms,
      addedAt: Timestamp,
    }),
  ),
  /** Its address has moved for good (301, 308): where it is read changes, its refs never do (SRC-03). */
  SourceMoved: event(Type.Object({ sourceId: Id, url: Type.String(), movedAt: Timestamp })),
  /** The terms of its kind were read again. */
  SourceTermsRecorded: event(Type.Object({ sourceId: Id, terms: RecordedTerms, recordedAt: Timestamp })),
  /** What a file of a customer holds may be seen by all workspaces (SRC-10). */
  SourceShared: event(Type.Object({ sourceId: Id, sharedAt: Timestamp })),
  SourcePaused: event(Type.Object({ sourceId: Id, pausedAt: Timestamp })),
  SourceResumed: event(Type.Object({ sourceId: Id, resumedAt: Timestamp })),
  SourceRemoved: event(Type.Object({ sourceId: Id, removedAt: Timestamp })),
};
export type SourceEvents = PayloadsOf<typeof sourceEvents>;
