import { identifiersOf } from '../observation-names.js';
import {
  happenedAtMs,
  searchableText,
  subjectRef,
  targetRef,
  type Observation,
  type ObservationKind,
} from '../observation.js';
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
  /** The body of the revision before, of a person. */
  readonly previousBody?: string;
  /** `handle/acme`, `domain/acme.com`. */
  readonly names?: readonly string[];
  /** Of a person with a present employer. */
  readonly work?: { readonly companyRef: string; readonly ref: string };
  /** Of a comment or a reaction. */
  readonly echo?: { readonly target: string; readonly kind: ObservationKind };
  /** Of what keywords are looked for in, when its time is known. */
  readonly text?: SearchedText;
};

export type SearchedText = {
  readonly kind: ObservationKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ref: string;
  readonly subject: string | null;
  /** Each word of the text once (OP-69). */
  readonly words: readonly string[];
};

/** Kinds have no slash, so the first one ends it. */
export function observationId(kind: ObservationKind, ref: string): string {
  return `${kind}/${ref}`;
}

export function nameOf(space: string, value: string): string {
  return `${space}/${value}`;
}

export function observationDocument(
  observation: Observation,
  body: string,
  previousBody: string | null,
): Omit<StoredObservation, '_id'> {
  const { kind, ref, rev } = observation;
  const names = identifiersOf(observation).map(([space, value]) => nameOf(space, value));
  const subject = subjectRef(observation);
  const target = targetRef(observation);
  const text = searchableText(observation);
  const at = happenedAtMs(observation);
  return {
    kind,
    ref,
    rev,
    body,
    ...(previousBody === null ? {} : { previousBody }),
    ...(names.length === 0 ? {} : { names }),
    ...(kind === 'person' && subject !== null ? { work: { companyRef: subject, ref } } : {}),
    ...(target === null ? {} : { echo: { target, kind } }),
    ...(text === null || at === null
      ? {}
      : { text: { kind, at, ref, subject, words: [...new Set(searchWords(text))] } }),
  };
}
