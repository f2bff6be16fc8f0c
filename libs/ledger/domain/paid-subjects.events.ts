import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** Most subjects of one stream, which is one event. */
export const MOST_SUBJECTS = 500;
/** Longest subject, so that all of a stream are far smaller than an append may be. */
export const MOST_SUBJECT_CHARACTERS = 512;

const PaidSubjectSchema = Type.Object({
  /** What was paid, as findings name it; of a month the company and the business unit. */
  subject: Type.String({ minLength: 1, maxLength: MOST_SUBJECT_CHARACTERS }),
  /** The agent or setup that it is paid for; absent: for all of the workspace. */
  agentId: Type.Optional(Id),
  setupId: Type.Optional(Id),
  /** Of a month: until when it is paid. */
  until: Type.Optional(Timestamp),
});
/** What was paid in another system. */
export type PaidSubject = Static<typeof PaidSubjectSchema>;

export const paidSubjectEvents = {
  /** Counts from the entry on that imports the opening of this file, and not before. */
  PaidSubjectsStaged: event(
    Type.Object({ subjects: Type.Array(PaidSubjectSchema, { minItems: 1, maxItems: MOST_SUBJECTS }) }),
  ),
};
export type PaidSubjectEvents = PayloadsOf<typeof paidSubjectEvents>;
