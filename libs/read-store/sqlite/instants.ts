/** The length of an instant as `toISOString` writes it for the years 0 to 9999. */
const LENGTH = 24;
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The documents of a batch often have the same time. */
let lastText = '';
let lastMs = Number.NaN;

/**
 * An instant (RFC 3339, UTC, milliseconds) as milliseconds since 1970: a column and each index that contains it store six bytes
 * instead of 24. Any other text is the half before the first instant that is not less, so the order of texts remains.
 */
export function instantColumn(text: string): number {
  if (text === lastText) return lastMs;
  const ms = text.length === LENGTH ? Date.parse(text) : Number.NaN;
  lastMs = ms >= FIRST_MS && ms <= LAST_MS && textOfInstant(ms) === text ? ms : firstNotLess(text) - 0.5;
  lastText = text;
  return lastMs;
}

/** Whether the column value is an instant, so that `textOfInstant` restores its text. */
export const isInstant = (column: number): boolean => Number.isInteger(column);

export const textOfInstant = (ms: number): string => new Date(ms).toISOString();

/** The first instant whose text is not less than this one; the one after the last if there is none. */
function firstNotLess(text: string): number {
  let low = FIRST_MS;
  let high = LAST_MS + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (textOfInstant(middle) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
