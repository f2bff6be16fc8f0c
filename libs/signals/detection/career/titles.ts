import { keywordMatcher } from '#network/keyword-matching.js';

/** Whether a text contains one of those that are wanted; one that nobody knows does not (D-11). */
export function oneIn(wanted: readonly string[]): (text: string | null) => boolean {
  const find = keywordMatcher(wanted, 'any');
  return (text) => text !== null && find(text).length > 0;
}

/** The same, but that nothing wanted is met by everything: an answer that is absent or empty asks for nothing. */
export function oneInOrAny(wanted: readonly string[] | undefined): (text: string | null) => boolean {
  return wanted === undefined || wanted.length === 0 ? () => true : oneIn(wanted);
}
