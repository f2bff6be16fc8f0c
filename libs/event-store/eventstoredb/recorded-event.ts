import type { EventMetadata, Position, StoredEvent } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { positionText } from './position-text.js';
import { JSON_TYPE, type DeliveredRecord, type LogRecord } from './server-messages.js';

/**
 * The event if this product wrote it; null for other records: the server's own streams, links, and events with metadata
 * of another program. If the payload is no longer a JSON object it is passed on unchanged, so that decoding refuses it
 * by name and it is not lost here.
 */
export function ownEvent({ event, link }: DeliveredRecord, position?: Position): StoredEvent | null {
  if (event === null || link !== null || isOfServer(event)) return null;
  const metadata = parsed(event.metadata);
  if (!isOurs(metadata)) return null;
  return {
    id: event.id,
    type: event.type,
    data: dataOf(event) as JsonObject,
    metadata,
    stream: event.stream,
    revision: event.revision,
    position: position ?? positionText(event.position),
  };
}

/** Whether the server wrote it for itself. */
export function isOfServer({ stream, type }: LogRecord): boolean {
  return stream.startsWith('$') || type.startsWith('$');
}

/** The position of a delivered record; null if the server does not report it (a link whose target is gone). */
export function positionOf({ event, link }: DeliveredRecord): Position | null {
  const record = link ?? event;
  return record === null ? null : positionText(record.position);
}

/** The JSON of a record; other data as text. */
export function dataOf({ contentType, data }: LogRecord): unknown {
  return contentType === JSON_TYPE ? parsed(data) : data.toString();
}

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isOurs(metadata: unknown): metadata is EventMetadata {
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    !Array.isArray(metadata) &&
    Object.values(metadata).every((value) => typeof value === 'string')
  );
}
