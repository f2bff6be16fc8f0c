/** Control characters (C0, DEL, C1), line separators, and characters that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Untrusted text on one line of a terminal: characters that a terminal interprets are escaped as in JSON. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT.get(character) ?? escaped(character));
}

/** The same for text of several lines, such as a stack trace. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
