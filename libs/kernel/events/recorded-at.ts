import type { Recorded } from './event.js';

/** The recording time of an event (RFC 3339, UTC, milliseconds). Throws if the event has none. */
export function recordedAtOf(event: Pick<Recorded<unknown>, 'type' | 'metadata'>): string {
  const recordedAt = event.metadata['recordedAt'];
  if (recordedAt !== undefined) return recordedAt;
  throw new Error(`${event.type} does not say in its metadata when it was recorded`);
}
