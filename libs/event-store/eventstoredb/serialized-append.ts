import { EncodedEvent } from '#kernel/events/encoded-event.js';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  type ExpectedRevision,
  type NewEvent,
} from '#kernel/ports/event-store.port.js';
import { isStoredName } from '#kernel/events/stored-name.js';

/** An append in the sent bytes, the same each time. */
export type SerializedServerAppend = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerializedEvent[];
  readonly bytes: number;
};

/** An append as it is sent; the server compares no revision with `any`. */
export type SentAppend = Omit<SerializedServerAppend, 'expected'> & {
  readonly expected: ExpectedRevision | 'any';
};

export type SerializedEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The greatest revision that the server's signed 64 bits hold. */
export const LAST_REVISION = 2n ** 63n - 1n;

/** Throws `AppendTooLarge`, and `TypeError` or `RangeError` for what no caller of ours should send. */
export function serializeAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): SerializedServerAppend {
  if (!isStoredName(stream) || stream.startsWith('$')) {
    throw new TypeError(`'${stream}' cannot be the name of a stream`);
  }
  if (events.length === 0) throw new TypeError(`an append to ${stream} needs at least one event`);
  if (expected !== 'no-stream' && (expected < 0n || expected >= LAST_REVISION)) {
    throw new RangeError(`an append to ${stream} expects revision ${expected}: revisions start at 0`);
  }
  let bytes = 0;
  const serialized = events.map((event): SerializedEvent => {
    const { id, type } = event;
    if (!UUID.test(id) || !isStoredName(type) || type.startsWith('$')) {
      throw new TypeError(`an event for ${stream} has '${id}' for its id and '${type}' for its type`);
    }
    // Before anything is sent: values that JSON cannot represent throw here, to the caller.
    const text = EncodedEvent.textOf(event);
    bytes += text.bytes;
    return { id, type, data: Buffer.from(text.data), metadata: Buffer.from(text.metadata) };
  });
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
  return { stream, expected, events: serialized, bytes };
}
