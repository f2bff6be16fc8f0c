import { MalformedObservation, readObservation, type ReadObservation } from '#network/read-observation.js';
import type { Reading, Sighting } from '#network/sighting.js';

/** A line of a source in the form of the store; null for a line that is no observation. */
export function sightingOf(line: object, sentAtMs: number, source: Reading | null): Sighting | null {
  try {
    const { notes: _notes, ...sighting } = observationIn(line, sentAtMs);
    return { ...sighting, source };
  } catch (error) {
    if (error instanceof MalformedObservation) return null;
    throw error;
  }
}

/** Parses a line of a source. Throws `MalformedObservation`. */
export function observationIn(line: object, sentAtMs?: number): ReadObservation {
  try {
    return readObservation(line, sentAtMs);
  } catch (error) {
    if (!(error instanceof MalformedObservation)) throw error;
    // Few lines are malformed: only these are cleaned.
    return readObservation(storable(line), sentAtMs);
  }
}

const UNSTORABLE = /[\u0000\p{Cs}]/gu;

/** Removes U+0000 and halves of surrogate pairs: a provider may have cut a text within an emoji. */
function storable(line: object): unknown {
  return JSON.parse(JSON.stringify(line), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(UNSTORABLE, '') : value,
  );
}
