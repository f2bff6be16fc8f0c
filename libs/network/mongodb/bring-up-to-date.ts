import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, Db } from 'mongodb';
import { recordedMove } from '../moves.js';
import {
  happenedAtMs,
  type Observation,
  type ObservationKind,
  type PersonObservation,
} from '../observation.js';
import { createNetworkIndexes, observationsIn } from './network-collections.js';
import { idsOfKind, observationDocument, type StoredObservation } from './observation-document.js';
import { settleAll } from './settle.js';

/** Kinds with look-up fields that layout 1 did not have. */
const KINDS: readonly ObservationKind[] = [
  'comment',
  'reaction',
  'job_posting',
  'headcount',
  'company_event',
  'person',
];
const AT_ONCE = 500;
/** The number of documents per log line. */
const A_LINE = 20_000;

/**
 * Migrates the documents of layout 1 to layout 2 and reports what could not be restored: comments and reactions are
 * joined to their posts; the last move of each person is derived from the two stored revisions. Idempotent.
 */
export async function bringUpToDate(
  db: Db,
  place: string,
  onMigration: (message: string) => void,
): Promise<string> {
  const total = await observationsIn(db).countDocuments({ kind: { $in: [...KINDS] } });
  onMigration(
    `${place}: ${total} observations are migrated from layout 1 to 2; an interrupted migration continues`,
  );
  await createNetworkIndexes(db);
  let done = 0;
  const batch = randomUUID();
  let revised = 0;
  let moved = 0;
  for (const kind of KINDS) {
    for (let last = ''; ;) {
      const some = await observationsIn(db)
        .find({ _id: idsOfKind(kind, last) })
        .sort({ _id: 1 })
        .limit(AT_ONCE)
        .toArray();
      const updates = some.flatMap((stored) => {
        const parts = partsOf(stored, batch);
        if (stored.previousBody !== undefined) revised += 1;
        if (parts.newMoves !== undefined) moved += 1;
        return Object.keys(parts).length === 0 ? [] : [updateOf(stored, parts)];
      });
      if (updates.length > 0) await observationsIn(db).bulkWrite(updates, { ordered: false });
      last = some.at(-1)?.ref ?? last;
      const before = done;
      done += some.length;
      if (Math.floor(before / A_LINE) < Math.floor(done / A_LINE))
        onMigration(
          `${place}: ${done} of ${total} observations are migrated (${Math.floor((100 * done) / total)} %)`,
        );
      if (some.length === 0) break;
    }
  }
  await settleAll((work) => work(db));
  return (
    `${place} was migrated: of the ${revised} people seen more than once the last change of position ` +
    `is known (${moved} moves); earlier ones were never kept`
  );
}

type Parts = Partial<Omit<StoredObservation, '_id'>>;

/** The additional fields of layout 2. */
function partsOf({ body, previousBody }: StoredObservation, batch: string): Parts {
  const observation = JSON.parse(body) as Observation;
  if (observation.kind === 'person') {
    const move =
      previousBody === undefined
        ? null
        : recordedMove(JSON.parse(previousBody) as PersonObservation, observation);
    return move === null ? {} : { newMoves: [move], unsettled: batch };
  }
  const sighting = { observation, isAutomatic: false, closedAtMs: null, source: null };
  const parts = { body, previousBody: null, atMs: happenedAtMs(observation) };
  const { echo, touch, series, text } = observationDocument(sighting, parts);
  return {
    ...(echo === undefined ? {} : { echo, unsettled: batch }),
    ...(touch === undefined ? {} : { touch }),
    ...(series === undefined ? {} : { series }),
    ...(text === undefined ? {} : { text }),
  };
}

/** Guarded by the revision: a document that was written meanwhile already has the new layout. */
function updateOf({ _id, rev }: StoredObservation, parts: Parts): AnyBulkWriteOperation<StoredObservation> {
  return { updateOne: { filter: { _id, rev }, update: { $set: parts } } };
}
