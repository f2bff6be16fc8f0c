import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { retryWhileBusy } from '#sqlite/busy.js';
import type { FilePlace } from '#sqlite/file-place.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import type { ObservationWriter } from '../ingest.js';
import { isLearning, type PersonObservation } from '../observation.js';
import { outcomeOf, windowAtMs, type Kept, type Sighting, type WriteOutcome } from '../sighting.js';
import { observationRows, type KeptRow } from './observation-rows.js';
import { arrivalRecorder } from './sqlite-arrivals.js';
import { moveRecorder } from './recorded-moves.js';

const keptIn = ({ rev, body, at, is_automatic, closed_at }: KeptRow): Kept => ({
  rev,
  body,
  isAutomatic: is_automatic === 1,
  closedAtMs: closed_at,
  atMs: at,
});

/** Writes observations into network.db, each batch in one short transaction. */
export function sqliteObservationWriter(
  db: DatabaseSyncInstance,
  path: string,
  place: FilePlace,
): ObservationWriter {
  const rows = observationRows(db);
  const recordMove = moveRecorder(db);
  const learn = db.prepare('UPDATE learning SET learned = learned + 1');
  const recordArrivals = arrivalRecorder(db);

  const write = (sighting: Sighting): WriteOutcome => {
    const { observation, isAutomatic, closedAtMs, source } = sighting;
    const { kind, ref, rev } = observation;
    const before = rows.find(kind, ref);
    const kept = before === undefined ? null : keptIn(before);
    const outcome = outcomeOf(kept, sighting);
    if (outcome !== 'accepted') return outcome;
    const previousBody = kind === 'person' && before !== undefined ? before.body : null;
    const body = JSON.stringify(observation);
    const atMs = windowAtMs(kept, sighting);
    const rejected = rows.write(before, {
      observation,
      rev,
      body,
      previousBody,
      isAutomatic,
      atMs,
      closedAtMs,
      source,
    });
    if (rejected !== null) return { rejected };
    if (observation.kind === 'person' && previousBody !== null)
      recordMove(JSON.parse(previousBody) as PersonObservation, observation, source);
    return 'accepted';
  };

  return {
    write: (sightings) =>
      retryWhileBusy(path, () => {
        place.require();
        return inWriteTransaction(db, () => {
          rows.begin();
          const outcomes = sightings.map(write);
          const accepted = sightings.filter((_, index) => outcomes[index] === 'accepted');
          recordArrivals(accepted.map(({ observation }) => observation));
          if (accepted.some(({ observation }) => isLearning(observation))) learn.run();
          rows.fileWords();
          return outcomes;
        });
      }),
  };
}
