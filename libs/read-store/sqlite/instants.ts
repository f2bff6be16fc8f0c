/** The length of an instant as `toISOString` writes it for the years 0 to 9999. */
const LENGTH = 24;
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
/** Documents of a batch often have the same times, and each is converted for its column and for its text. */
const MOST_KNOWN = 64;

const known = new Map<string, number>();

/**
 * An instant (RFC 3339, UTC, milliseconds) as milliseconds since 1970: a column and each index that contains it store six bytes
 * instead of 24. Any other text becomes half a millisecond less than the first instant that is not less than it. So it compares with
 * instants as text does; two such texts with no instant between them are equal.
 */
export function instantColumn(text: string): number {
  let ms = known.get(text);
  if (ms === undefined) {
    ms = converted(text);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, ms);
  }
  return ms;
}

/** Whether the column value is an instant, so that `textOfInstant` restores its text. */
export const isInstant = (column: number): boolean => Number.isInteger(column);

export const textOfInstant = (ms: number): string => new Date(ms).toISOString();

function converted(text: string): number {
  const ms = text.length === LENGTH ? Date.parse(text) : Number.NaN;
  return ms >= FIRST_MS && ms <= LAST_MS && textOfInstant(ms) === text ? ms : firstNotLess(text) - 0.5;
}

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
