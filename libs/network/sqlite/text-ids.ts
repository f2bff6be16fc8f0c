/**
 * `text_id` of a post or job posting: the second of its date, and behind it a number of its own, so that the index of
 * words gives its hits in the order of time.
 */

/** Room for so many texts in one second. Seconds and room together stay below 2^53. */
export const TEXTS_PER_SECOND = 2 ** 21;
const LAST_SECOND = 2 ** 32 - 1;

/** The second that a text is filed under: those before 1970 in the first one, those after 2106 in the last. */
export function textSecond(atMs: number): number {
  return Math.min(Math.max(Math.floor(atMs / 1_000), 0), LAST_SECOND);
}

/** The last moment that is filed under a second, in milliseconds. */
export function endOfSecondMs(second: number): number {
  return second === LAST_SECOND ? Number.MAX_SAFE_INTEGER : (second + 1) * 1_000 - 1;
}

/** The second that a text id begins with. */
export function secondOf(textId: number): number {
  return Math.floor(textId / TEXTS_PER_SECOND);
}
