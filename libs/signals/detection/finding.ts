import type { JsonObject } from '#kernel/values/json.js';
import type { ContentAuthor } from '#identities/domain/contents/content-facts.js';
import type { PayloadOf } from '#signals/domain/runs/payload-facts.js';
import type { SignalType } from '#signals/domain/runs/signal-types.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { Author, ReadingOf } from '#network/network-source.port.js';

/** A text in which a signal was observed. */
export type SeenContent = {
  readonly ref: string;
  readonly type: 'post' | 'comment' | 'job_posting';
  readonly url: string | null;
  /** As observed; it is cut when it is stored. */
  readonly text: string | null;
  readonly publishedAt: string | null;
  readonly author: ContentAuthor | null;
  readonly reactionCount: number | null;
  readonly commentCount: number | null;
  /** Whether the workspace captures it. */
  readonly captured: boolean;
  /** The part of the payload whose `content_id` is the id of its record; null: no part has such a member. */
  readonly idIn: 'data' | 'interaction' | 'post' | null;
};

/** A finding of a detector. Everything in a detection besides its payload is derived from it in one place. */
export type Finding = {
  /** One detection per agent or setup and subject, for ever (D-06). */
  readonly subject: string;
  /** Subjects under which the same may have been reported before: it is known if one of them is. */
  readonly formerSubjects?: readonly string[];
  /** The charge key within the launch; absent: the subject (D-07). */
  readonly chargeKey?: string;
  /** True if it is free even if other findings of the launch are not (D-44). */
  readonly free?: boolean;
  readonly signalType: SignalType;
  /** RFC 3339. */
  readonly signalDate: string | null;
  /** The payload in the form of its type (OP-42); a `content_id` in it is null until it is recorded. */
  readonly data: JsonObject;
  readonly company: CompanyFacts | null;
  readonly lead: PersonFacts | null;
  /** Who wrote, commented or reacted, if that differs from the author in the payload. */
  readonly author?: PersonFacts | null;
  /** The person or page that the lead interacted with: the tracked side. */
  readonly counterpart?: Author | null;
  /** The most relevant first: the comment before its post. */
  readonly contents: readonly SeenContent[];
  /** The readings that showed the observation (SRC-07), most relevant first. */
  readonly readings: readonly ReadingOf[];
};

/** A finding of a signal type, with the payload of this type. */
export type FindingOf<Of extends SignalType> = Finding & {
  readonly signalType: Of;
  readonly data: PayloadOf<Of>;
};
