/**
 * `text_id` of a post or job posting: the second of its date followed by a number, so that the word index returns its
 * hits in the order of time.
 */

/** The maximum number of texts in one second. Seconds and this number together stay below 2^53. */
export const TEXTS_PER_SECOND = 2 ** 21;
const LAST_SECOND = 2 ** 32 - 1;

/** The second of a text's id: times before 1970 use the first second, times after 2106 the last. */
export function textSecond(atMs: number): number {
  return Math.min(Math.max(Math.floor(atMs / 1_000), 0), LAST_SECOND);
}

/** The last moment within a second, in milliseconds. */
export function endOfSecondMs(second: number): number {
  return second === LAST_SECOND ? Number.MAX_SAFE_INTEGER : (second + 1) * 1_000 - 1;
}

/** The second at the beginning of a text id. */
export function secondOf(textId: number): number {
  return Math.floor(textId / TEXTS_PER_SECOND);
}
