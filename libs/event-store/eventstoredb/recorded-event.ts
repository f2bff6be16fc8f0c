import type { AllStreamResolvedEvent, RecordedEvent, ResolvedEvent } from '@eventstore/db-client';
import type { EventMetadata, Position, StoredEvent } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { positionText } from './position-text.js';

/**
 * The event if this product wrote it, null for what others put beside it: the server's own streams, links, and
 * events whose metadata is not ours. A payload that is no JSON object any more is handed on as it came, so
 * that it is refused by name where it is decoded and not lost here.
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

/** Where a delivered record stands; null when the server does not say (a link whose target is gone). */
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
