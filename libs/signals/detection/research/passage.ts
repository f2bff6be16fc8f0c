import type { ReadingOf } from '#network/network-source.port.js';

/** A text published about a company, by it or by its people (D-81). */
export type Passage = {
  readonly ref: string;
  /** RFC 3339; null: it has no date. */
  readonly date: string | null;
  readonly url: string | null;
  /** For a job posting. */
  readonly title: string | null;
  readonly text: string | null;
  readonly reading: ReadingOf;
};

const LINE_BREAKS_AND_ENDS = /[\n\r\v\f\u0085\u2028\u2029]+|(?<=[.!?])\p{White_Space}+/u;

/** The whole text of a passage. */
export const textOf = ({ title, text }: Passage): string =>
  [title, text].filter((part) => part !== null).join('\n');

/** Split at line breaks, and after `.`, `!` and `?` before white space; a title is one sentence. */
export function sentencesOf({ title, text }: Passage): readonly string[] {
  return [title ?? '', ...(text ?? '').split(LINE_BREAKS_AND_ENDS)]
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
