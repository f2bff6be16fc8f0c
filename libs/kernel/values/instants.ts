import { DAY_MS } from './durations.js';

/** An instant from a caller; `dateOnly` if it was a plain date (its time is then 00:00:00.000Z). */
export type Instant = { readonly at: Date; readonly dateOnly: boolean };

const DATE = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const TIME = String.raw`((?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60))(?:\.(\d{1,9}))?`;
const OFFSET = String.raw`(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?`;
const INSTANT = new RegExp(`^${DATE}(?:[Tt]${TIME}${OFFSET})?$`, 'i');

/**
 * Reads `YYYY-MM-DD` or an RFC 3339 timestamp; without offset it is UTC (OP-08). Digits beyond the millisecond
 * are cut. Null for anything else, such as 30 February.
 */
export function parseInstant(text: string): Instant | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, year, month, day, time, fraction, offset] = match;
  const date = `${year}-${month}-${day}`;
  const midnight = new Date(`${date}T00:00:00.000Z`);
  // JavaScript converts 30 February to a day in March
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return null;
  if (time === undefined) return { at: midnight, dateOnly: true };
  const at = momentOf(date, time, fraction, offset);
  const fullYear = at?.getUTCFullYear() ?? -1;
  return at !== null && fullYear >= 0 && fullYear <= 9999 ? { at, dateOnly: false } : null;
}

/**
 * The moment of a day and a time of RFC 3339; digits beyond the millisecond are cut. A leap second, 23:59:60 in UTC, is
 * the first second of the next day, because a clock of computers has none. Null for any other second 60, and for a
 * time that does not exist.
 */
export function momentOf(day: string, time: string, fraction = '', offset = 'Z'): Date | null {
  const isLeap = time.endsWith(':60');
  const second = isLeap ? time.replace(/60$/, '59') : time;
  const at = new Date(`${day}T${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset.toUpperCase()}`);
  if (Number.isNaN(at.getTime())) return null;
  if (!isLeap) return at;
  return at.toISOString().slice(11, 19) === '23:59:59' ? new Date(at.getTime() + 1_000) : null;
}

/** First moment meant: a plain date starts at midnight. */
export function startOf(instant: Instant): Date {
  return instant.at;
}

/** Last moment meant, for inclusive ends: a plain date ends at 23:59:59.999Z. */
export function endOf(instant: Instant): Date {
  return instant.dateOnly ? new Date(instant.at.getTime() + DAY_MS - 1) : instant.at;
}
