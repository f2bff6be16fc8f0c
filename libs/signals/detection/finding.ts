import type { JsonObject } from '#kernel/values/json.js';
import type { ContentAuthor } from '#identities/domain/contents/content-facts.js';
import type { SignalType } from '#signals/domain/runs/signal-types.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { Author, ReadingOf } from '#network/network-source.port.js';

/** A text in which a signal was seen. */
export type SeenContent = {
  readonly ref: string;
  readonly type: 'post' | 'comment' | 'job_posting';
  readonly url: string | null;
  /** As observed: it is cut where it is kept. */
  readonly text: string | null;
  readonly publishedAt: string | null;
  readonly author: ContentAuthor | null;
  readonly reactionCount: number | null;
  readonly commentCount: number | null;
  /** Whether the workspace gets a record of it. */
  readonly captured: boolean;
  /** The part of the payload whose `content_id` is the id of that record; null: none has a place for it. */
  readonly idIn: 'data' | 'interaction' | 'post' | null;
};

/** What a detector found. All that a detection shows beside its payload is told from this in one place. */
export type Finding = {
  /** One detection per agent or setup and subject, for ever (D-06). */
  readonly subject: string;
  /** What is paid for within the launch; absent: the subject (D-07). */
  readonly chargeKey?: string;
  /** True where it costs nothing although others of the launch do (D-44). */
  readonly free?: boolean;
  readonly signalType: SignalType;
  /** RFC 3339. */
  readonly signalDate: string | null;
  /** The payload in the shape of its type (OP-42); a `content_id` in it is null until it is recorded. */
  readonly data: JsonObject;
  readonly company: CompanyFacts | null;
  readonly lead: PersonFacts | null;
  /** Who wrote, commented or reacted, where that is not what the payload says of its author. */
  readonly author?: PersonFacts | null;
  /** With whom the lead dealt: the tracked side of an interaction. */
  readonly counterpart?: Author | null;
  /** The most telling first: the comment before its post. */
  readonly contents: readonly SeenContent[];
  /** The readings that showed what was judged (SRC-07), the most telling first. */
  readonly readings: readonly ReadingOf[];
};
