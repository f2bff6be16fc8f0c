import { normalized } from './normalized-text.js';

/**
 * The basis of keyword matching (OP-69): text folded so that spelling variants of the same words are equal, and the
 * classes of characters that define word edges.
 */

const ASCII_ONLY = /^[\x00-\x7f]*$/;
const ASCII_NEEDS_SPACING = /[\t-\r]| {2}|^ | $/;
const SPACES = /\p{White_Space}+/gu;
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
/** Single quotation marks used as apostrophes, the modifier letter and the Armenian apostrophe. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u055a]/g;
const DASHES = /\p{Dash}/gu;

/**
 * The form in which texts and keywords are compared: NFKC, without soft hyphens and zero-width characters,
 * lower case independent of locale (`ß` is `ss`, `ς` is `σ`), one kind of apostrophe and of dash, runs of
 * white space as one space, trimmed. Blank text folds to the empty string.
 */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return spaced(text.toLowerCase(), ASCII_NEEDS_SPACING);
  const folded = normalized(text, 'NFKC')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(APOSTROPHES, "'")
    .replace(DASHES, '-');
  return spaced(folded, SPACES);
}

function spaced(text: string, needed: RegExp): string {
  if (needed === ASCII_NEEDS_SPACING && !needed.test(text)) return text;
  return text.replace(SPACES, ' ').replace(/^ | $/g, '');
}

const WORD = /^[\p{L}\p{M}\p{N}_]$/u;
/** Script extensions, so that marks shared by such scripts count too, as the long vowel mark of kana. */
const SPACELESS =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;

/** Neither letter, mark, digit nor underscore: always a word edge. */
export const NO_WORD = 1;
/** A word character of a script that puts spaces between words. */
export const WORD_OF_SPACED_SCRIPT = 2;
/** A word character of Han, Hiragana, Katakana, Thai, Lao, Khmer or Myanmar: no word edge is required beside it. */
export const WORD_OF_SPACELESS_SCRIPT = 3;
export type CharacterKind = typeof NO_WORD | typeof WORD_OF_SPACED_SCRIPT | typeof WORD_OF_SPACELESS_SCRIPT;

const kinds = new Uint8Array(0x11_0000);

/** The class of a character for word edges, by its code point (OP-69). */
export function characterKind(codePoint: number): CharacterKind {
  const known = kinds[codePoint];
  if (known === NO_WORD || known === WORD_OF_SPACED_SCRIPT || known === WORD_OF_SPACELESS_SCRIPT)
    return known;
  const kind = classify(String.fromCodePoint(codePoint));
  kinds[codePoint] = kind;
  return kind;
}

function classify(character: string): CharacterKind {
  if (!WORD.test(character)) return NO_WORD;
  return SPACELESS.test(character) ? WORD_OF_SPACELESS_SCRIPT : WORD_OF_SPACED_SCRIPT;
}
