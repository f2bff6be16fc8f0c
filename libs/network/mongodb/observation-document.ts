import { identifiersOf } from '../observation-names.js';
import {
  happenedAtMs,
  searchableText,
  subjectRef,
  targetRef,
  type Observation,
  type ObservationKind,
} from '../observation.js';
import type { RecordedMove } from '../moves.js';
import type { Sighting } from '../sighting.js';
import { searchWords } from '../search-words.js';

/**
 * An observation as it is stored: the body as JSON text, and the fields it is looked up by. `_id` is kind and ref, so
 * that a thing is one document for any number of revisions.
 */
export type StoredObservation = {
  readonly _id: string;
  readonly kind: ObservationKind;
  readonly ref: string;
  readonly rev: number;
  readonly body: string;
  /** Set if revisions are times of requests (SRC-01). */
  readonly isAutomatic?: true;
  /** When it was closed, in milliseconds (SRC-05). */
  readonly closedAt?: number;
  /** The reading that showed the revision. */
  readonly source?: { readonly sourceId: string; readonly readAtMs: number };
  /** The body of the previous revision, for a person. */
  readonly previousBody?: string;
  /** `handle/acme`, `domain/acme.com`. */
  readonly names?: readonly string[];
  /** For a person with a current employer. */
  readonly work?: { readonly companyRef: string; readonly ref: string };
  /** For a comment or reaction that names a post. */
  readonly echo?: Echo;
  /** For a comment or reaction with a known actor and time. */
  readonly touch?: Touch;
  /** For headcounts and company events with a known time. */
  readonly series?: Series;
  /** For a text that keywords are searched in and whose time is known. */
  readonly text?: SearchedText;
  /** The batch that has not yet completed its follow-up writes: see `settle`. */
  readonly unsettled?: string;
  /** Moves that are not yet written to the collection of moves. */
  readonly newMoves?: readonly RecordedMove[];
};

export type Echo = {
  readonly kind: ObservationKind;
  /** The post it belongs to; until that is known, the ref it names. */
  readonly target: string;
  /** The ref it names, if that is not the post it belongs to. */
  readonly parent?: string;
  /** The author of the post, '' if unknown; absent while the post is unknown. */
  readonly host?: string;
};

export type Touch = {
  readonly kind: ObservationKind;
  readonly actor: string;
  readonly at: number;
  readonly ref: string;
};

export type Series = {
  readonly kind: ObservationKind;
  readonly company: string | null;
  readonly at: number;
  readonly ref: string;
};

export type SearchedText = {
  readonly kind: ObservationKind;
  /** The date of the window, in milliseconds since 1970. */
  readonly at: number;
  /** The own date, if it differs. */
  readonly ownAt?: number;
  readonly ref: string;
  readonly subject: string | null;
  /** The distinct words of the text (OP-69). */
  readonly words: readonly string[];
};

/** A move as it is stored. `_id` is revision and person. */
export type StoredMove = {
  readonly _id: string;
  readonly person: string;
  readonly rev: number;
  readonly at: number;
  readonly to: string | null;
  readonly from: string | null;
  /** The new title; absent if the move was stored before titles were. */
  readonly toTitle?: string | null;
  readonly body: string;
};

/** Kinds contain no slash, so the first one ends the kind. */
export function observationId(kind: ObservationKind, ref: string): string {
  return `${kind}/${ref}`;
}

/** The `_id`s of one kind, after a ref. */
export function idsOfKind(
  kind: ObservationKind,
  afterRef: string,
): { readonly $gt: string; readonly $lt: string } {
  return { $gt: observationId(kind, afterRef), $lt: `${kind}0` };
}

export function moveId(person: string, rev: number): string {
  return `${rev}/${person}`;
}

export function nameOf(space: string, value: string): string {
  return `${space}/${value}`;
}

/** The stored facts beside the body of a sighting. */
export type StoredParts = {
  readonly body: string;
  readonly previousBody: string | null;
  /** The date of the window, in milliseconds. */
  readonly atMs: number | null;
};

export function observationDocument(
  { observation, isAutomatic, closedAtMs, source }: Sighting,
  { body, previousBody, atMs }: StoredParts,
): Omit<StoredObservation, '_id'> {
  const { kind, ref, rev } = observation;
  const names = identifiersOf(observation).map(([space, value]) => nameOf(space, value));
  const subject = subjectRef(observation);
  const target = targetRef(observation);
  return {
    kind,
    ref,
    rev,
    body,
    ...(isAutomatic && { isAutomatic }),
    ...(closedAtMs !== null && { closedAt: closedAtMs }),
    ...(source !== null && { source: { sourceId: source.sourceId, readAtMs: source.readAtMs } }),
    ...(previousBody === null ? {} : { previousBody }),
    ...(names.length === 0 ? {} : { names }),
    ...(kind === 'person' && subject !== null ? { work: { companyRef: subject, ref } } : {}),
    ...(target === null ? {} : { echo: { kind, target, parent: target } }),
    ...datedParts(observation, atMs),
  };
}

/** The fields for reads in the order of time; none for an observation without a date. */
function datedParts(
  observation: Observation,
  at: number | null,
): Pick<StoredObservation, 'touch' | 'series' | 'text'> {
  const { kind, ref } = observation;
  const subject = subjectRef(observation);
  const ownAt = happenedAtMs(observation);
  if (at === null) return {};
  switch (kind) {
    case 'comment':
    case 'reaction':
      return subject === null ? {} : { touch: { kind, actor: subject, at, ref } };
    case 'headcount':
    case 'company_event':
      return { series: { kind, company: subject, at, ref } };
    case 'post':
    case 'job_posting': {
      const text = searchableText(observation);
      // A job posting is searched even without a text.
      if (text === null && kind === 'post') return {};
      const words = [...new Set(searchWords(text ?? ''))];
      return { text: { kind, at, ...(ownAt !== null && ownAt !== at && { ownAt }), ref, subject, words } };
    }
    case 'person':
    case 'company':
    case 'missing':
    case 'alias':
      return {};
  }
}
