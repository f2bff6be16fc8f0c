import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Timestamp, Type, type Static } from '#kernel/values/schema.js';

/** The maximum number of subjects in one stream, which is one event. */
export const MOST_SUBJECTS = 500;
/** The maximum length of a subject, so that a stream stays far below the size limit of an append. */
export const MOST_SUBJECT_CHARACTERS = 512;

const PaidSubjectSchema = Type.Object({
  /** The subject as findings name it; for a month, the company and the business unit. */
  subject: Type.String({ minLength: 1, maxLength: MOST_SUBJECT_CHARACTERS }),
  /** The agent or setup that it was paid for; absent for the whole workspace. */
  agentId: Type.Optional(Id),
  setupId: Type.Optional(Id),
  /** For a month: the end of the paid period. */
  until: Type.Optional(Timestamp),
});
/** A subject that was paid for in another system. */
export type PaidSubject = Static<typeof PaidSubjectSchema>;

export const paidSubjectEvents = {
  /** Takes effect with the entry that imports the opening of this file, and not before. */
  PaidSubjectsStaged: event(
    Type.Object({ subjects: Type.Array(PaidSubjectSchema, { minItems: 1, maxItems: MOST_SUBJECTS }) }),
  ),
};
export type PaidSubjectEvents = PayloadsOf<typeof paidSubjectEvents>;
