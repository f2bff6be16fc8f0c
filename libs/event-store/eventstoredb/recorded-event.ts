import type { AllStreamResolvedEvent, RecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import type { EventMetadata, Position, StoredEvent } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { positionText } from './position-text.js';

/**
 * The event if this product wrote it; null for other records: the server's own streams, links, and events with metadata
 * of another program. If the payload is no longer a JSON object it is passed on unchanged, so that decoding refuses it
 * by name and it is not lost here.
 */
export function ownEvent({ event, link }: ResolvedEvent, position?: Position): StoredEvent | null {
  if (event === undefined || link !== undefined) return null;
  const { streamId, type, metadata } = event;
  if (streamId.startsWith('$') || type.startsWith('$') || !isOurs(metadata)) return null;
  return {
    id: event.id,
    type,
    data: (event.data instanceof Uint8Array ? Buffer.from(event.data).toString() : event.data) as JsonObject,
    metadata,
    stream: streamId,
    revision: event.revision,
    position: position ?? positionText(event.position),
  };
}

/** The position of a delivered record; null if the server does not report it (a link whose target is gone). */
export function positionOf(resolved: AllStreamResolvedEvent): Position | null {
  const record: RecordedEvent | undefined = resolved.link ?? resolved.event;
  return record?.position === undefined ? null : positionText(record.position);
}

function isOurs(metadata: unknown): metadata is EventMetadata {
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    !Array.isArray(metadata) &&
    !(metadata instanceof Uint8Array) &&
    Object.values(metadata).every((value) => typeof value === 'string')
  );
}
