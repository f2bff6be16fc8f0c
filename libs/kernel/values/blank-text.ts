/**
 * A character that can be seen, as the pattern of a JSON Schema: neither white space, nor a control character, nor an
 * invisible one (zero-width characters, marks of direction, selectors of variants, fillers).
 */
export const SOMETHING_VISIBLE =
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f' +
  '\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]';

const visible = new RegExp(SOMETHING_VISIBLE, 'u');

/** Whether the text has no visible character. Most texts begin with one of ASCII. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > SPACE && first < DELETE) && !visible.test(text);
}

const SPACE = 0x20;
const DELETE = 0x7f;

/** The text; null if it has no visible character: a blank says as little as nothing. */
export const visibleText = (text: string | null): string | null =>
  text === null || isBlank(text) ? null : text;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The visible text: without zero-width characters and marks of direction. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');
