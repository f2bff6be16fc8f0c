import { MalformedObservation, readObservation } from '#network/read-observation.js';
import type { Reading, Sighting } from '#network/sighting.js';

/** A line that a source showed as the store takes it; null for a line that no observation is. */
export function sightingOf(line: object, sentAtMs: number, source: Reading | null): Sighting | null {
  try {
    const { notes: _notes, ...sighting } = readObservation(line, sentAtMs);
    return { ...sighting, source };
  } catch (error) {
    if (error instanceof MalformedObservation) return null;
    throw error;
  }
}
