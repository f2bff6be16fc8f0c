import { firstCharacters } from './first-characters.js';

/** Characters of a text that an event or document keeps of an observed fact, by kind of text. */
export const TEXT_LENGTH = 2_000;
export const EXCERPT_LENGTH = 280;
const FACT_LENGTH = 1_000;

/** The first `length` characters of an observed text. */
export const bounded = (text: string | null, length = FACT_LENGTH): string | null =>
  text === null ? null : firstCharacters(text, length);

/** A link that is not too long to be stored; a link is never cut, because half a link leads nowhere. */
export const boundedUrl = (url: string | null): string | null =>
  url === null || url.length > FACT_LENGTH ? null : url;
