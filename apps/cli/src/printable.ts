/** Control characters (C0, DEL, C1), separators of lines, and what turns the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Text of anybody on one line of a terminal: what a terminal would obey is shown as JSON escapes it. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT.get(character) ?? escaped(character));
}

/** The same for text of several lines, such as a stack. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
