import { START, type Position } from '#kernel/ports/event-store.port.js';

/** Digits of 2^53, the largest position that a number holds exactly. */
const DIGITS = 16;

/** Row positions start at 1; zero padding makes text order the order of numbers. */
export function positionText(position: number): Position {
  return position === 0 ? START : String(position).padStart(DIGITS, '0');
}

/** Whether a position can be one of an SQLite event store, whichever it is. */
export function isPosition(position: Position): boolean {
  return position === START || PLACE.test(position);
}

const PLACE = /^\d{16}$/;

/** The place of a position in this log. Throws `RangeError` for a position of another kind of store. */
export function positionNumber(position: Position): number {
  if (position === START) return 0;
  if (!PLACE.test(position)) {
    throw new RangeError(`'${position}' is not a position of an SQLite event store`);
  }
  return Number(position);
}
