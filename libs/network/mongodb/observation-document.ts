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
 * An observation as it is stored: the body as JSON text, and beside it what it is looked up by. `_id` is kind
 * and ref, so that a thing is one document whatever was seen of it.
 */
export type StoredObservation = {
  readonly _id: string;
  readonly kind: ObservationKind;
  readonly ref: string;
  readonly rev: number;
  readonly body: string;
  /** Where revisions are times of requests (SRC-01). */
  readonly isAutomatic?: true;
  /** When it was closed, in milliseconds (SRC-05). */
  readonly closedAt?: number;
  /** The reading that showed the revision. */
  readonly source?: { readonly sourceId: string; readonly readAtMs: number };
  /** The body of the revision before, of a person. */
  readonly previousBody?: string;
  /** `handle/acme`, `domain/acme.com`. */
  readonly names?: readonly string[];
  /** Of a person with a present employer. */
  readonly work?: { readonly companyRef: string; readonly ref: string };
  /** Of a comment or a reaction that names a post. */
  readonly echo?: Echo;
  /** Of a comment or a reaction by somebody at some time. */
  readonly touch?: Touch;
  /** Of what is counted or happens to a company at some time. */
  readonly series?: Series;
  /** Of what keywords are looked for in, when its time is known. */
  readonly text?: SearchedText;
  /** The batch that has not yet done what follows from this document: see `settle`. */
  readonly unsettled?: string;
  /** Moves that are not yet where moves are kept. */
  readonly newMoves?: readonly RecordedMove[];
};

export type Echo = {
  readonly kind: ObservationKind;
  /** The post it belongs to; while that is not known, what it names. */
  readonly target: string;
  /** What it names, where that is not the post it belongs to. */
  readonly parent?: string;
  /** Who wrote the post, '' when nobody knows; absent while the post is not known. */
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
  /** The date that windows go by, in milliseconds since 1970. */
  readonly at: number;
  /** The own date, where that is another one. */
  readonly ownAt?: number;
  readonly ref: string;
  readonly subject: string | null;
  /** Each word of the text once (OP-69). */
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
  /** The new title; absent where the move was kept before titles were. */
  readonly toTitle?: string | null;
  readonly body: string;
};

/** Kinds have no slash, so the first one ends it. */
export function observationId(kind: ObservationKind, ref: string): string {
  return `${kind}/${ref}`;
}

/** The `_id`s of everything of one kind, behind a ref. */
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

/** What is stored of a sighting beside what it says. */
export type StoredParts = {
  readonly body: string;
  readonly previousBody: string | null;
  /** The date that windows go by, in milliseconds. */
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

/** What is read by the order of time: of an observation without a date there is nothing. */
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
      // A job posting is one without a text, too.
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
