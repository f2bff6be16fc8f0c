import type { Recorded } from './event.js';

/** When an event was recorded (RFC 3339, UTC, milliseconds). Throws for an event that does not say. */
export function recordedAtOf(event: Pick<Recorded<unknown>, 'type' | 'metadata'>): string {
  const recordedAt = event.metadata['recordedAt'];
  if (recordedAt !== undefined) return recordedAt;
  throw new Error(`${event.type} does not say in its metadata when it was recorded`);
}
