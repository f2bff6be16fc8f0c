import { EncodedEvent } from '#kernel/events/encoded-event.js';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  type ExpectedRevision,
  type NewEvent,
} from '#kernel/ports/event-store.port.js';
import { isStoredName } from '#kernel/events/stored-name.js';

export type EventRow = {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
};

/** An append as it waits for its transaction: checked, in the bytes that will be stored. */
export type SerializedAppend = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventRow[];
  readonly bytes: number;
};

/** Throws `AppendTooLarge`, and `TypeError` or `RangeError` for what no caller of ours should send. */
export function serializeAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): SerializedAppend {
  if (!isStoredName(stream)) throw new TypeError(`'${stream}' cannot be the name of a stream`);
  if (events.length === 0) throw new TypeError(`an append to ${stream} needs at least one event`);
  if (expected !== 'no-stream' && expected < 0n) {
    throw new RangeError(`an append to ${stream} expects revision ${expected}: revisions start at 0`);
  }
  let bytes = 0;
  const rows = events.map((event) => {
    const { id, type } = event;
    if (!isStoredName(id) || !isStoredName(type)) {
      throw new TypeError(`an event for ${stream} has '${id}' for its id and '${type}' for its type`);
    }
    const text = EncodedEvent.textOf(event);
    bytes += text.bytes;
    return { id, type, data: text.data, metadata: text.metadata };
  });
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, bytes);
  return { stream, expected, events: rows, bytes };
}
