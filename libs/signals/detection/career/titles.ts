import { keywordMatcher } from '#network/keyword-matching.js';

/** Whether a text contains a wanted title; an unknown text does not (D-11). */
export function oneIn(wanted: readonly string[]): (text: string | null) => boolean {
  const find = keywordMatcher(wanted, 'any');
  return (text) => text !== null && find(text).length > 0;
}

/** Like `oneIn`, but without wanted titles every text passes: an absent or empty answer does not narrow. */
export function oneInOrAny(wanted: readonly string[] | undefined): (text: string | null) => boolean {
  return wanted === undefined || wanted.length === 0 ? () => true : oneIn(wanted);
}
