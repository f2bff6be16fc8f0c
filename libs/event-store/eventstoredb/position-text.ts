import { START, StoreUnusable, type Position } from '#kernel/ports/event-store.port.js';

/** The position of a record in the server's log: two byte offsets, equal except for old transactions. */
export type LogPosition = { readonly commit: bigint; readonly prepare: bigint };

/** The server's value for an unknown position: minus one as an unsigned number. */
const UNKNOWN = 2n ** 64n - 1n;
/** Hexadecimal digits of 64 bits. */
const DIGITS = 16;

/** Both offsets in fixed width, so that text order is log order. Throws `StoreUnusable` without offsets. */
export function positionText(position: LogPosition | undefined): Position {
  if (position === undefined || !isKnown(position)) {
    throw new StoreUnusable(
      'the event store answers without positions: EventStoreDB 22.10 or later is required',
    );
  }
  const commit = digits(position.commit);
  return commit + (position.commit === position.prepare ? commit : digits(position.prepare));
}

export function isKnown({ commit, prepare }: LogPosition): boolean {
  return commit !== UNKNOWN && prepare !== UNKNOWN;
}

/**
 * The part of a server checkpoint that is certain. The checkpoint may name a record that was not delivered yet (22.10
 * sends one at the switch to live), so only positions before that record count as read.
 */
export function markedText({ commit, prepare }: LogPosition): Position {
  return positionText({ commit, prepare: commit === prepare && prepare > 0n ? prepare - 1n : prepare });
}

/** Whether a position can be one of an EventStoreDB, whichever it is. */
export function isPosition(position: Position): boolean {
  return position === START || PLACE.test(position);
}

const PLACE = /^[0-9a-f]{32}$/;

/** The start of a read. Throws `RangeError` for the position of another kind of store. */
export function logPosition(position: Position): LogPosition | 'start' {
  if (position === START) return 'start';
  if (!PLACE.test(position)) {
    throw new RangeError(`'${position}' is not a position of an EventStoreDB`);
  }
  return {
    commit: BigInt(`0x${position.slice(0, DIGITS)}`),
    prepare: BigInt(`0x${position.slice(DIGITS)}`),
  };
}

function digits(offset: bigint): string {
  return offset.toString(16).padStart(DIGITS, '0');
}
