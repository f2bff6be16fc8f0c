import { MalformedObservation, readObservation, type ReadObservation } from '#network/read-observation.js';
import type { Reading, Sighting } from '#network/sighting.js';

/** A line that a source showed as the store takes it; null for a line that no observation is. */
export function sightingOf(line: object, sentAtMs: number, source: Reading | null): Sighting | null {
  try {
    const { notes: _notes, ...sighting } = observationIn(line, sentAtMs);
    return { ...sighting, source };
  } catch (error) {
    if (error instanceof MalformedObservation) return null;
    throw error;
  }
}

/** Reads a line that a source showed. Throws `MalformedObservation`. */
export function observationIn(line: object, sentAtMs?: number): ReadObservation {
  try {
    return readObservation(line, sentAtMs);
  } catch (error) {
    if (!(error instanceof MalformedObservation)) throw error;
    // Few lines are wrong at all: only these are looked through.
    return readObservation(storable(line), sentAtMs);
  }
}

const UNSTORABLE = /[\u0000\p{Cs}]/gu;

/** Without U+0000 and halves of surrogate pairs: a text that its provider has cut within an emoji is a text all the same. */
function storable(line: object): unknown {
  return JSON.parse(JSON.stringify(line), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(UNSTORABLE, '') : value,
  );
}
