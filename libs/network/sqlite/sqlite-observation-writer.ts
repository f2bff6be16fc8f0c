import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { fold } from '#kernel/values/text-folding.js';
import { retryWhileBusy } from '#sqlite/busy.js';
import type { FilePlace } from '#sqlite/file-place.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import type { ObservationWriter } from '../ingest.js';
import { identifiersOf, placesOf } from '../observation-names.js';
import {
  happenedAtMs,
  isLearning,
  searchableText,
  subjectRef,
  type Observation,
  type PersonObservation,
} from '../observation.js';
import { outcomeOf, windowAtMs, type Kept, type Sighting, type WriteOutcome } from '../sighting.js';
import { TEXTS_PER_SECOND, textSecond } from './text-ids.js';
import { moveRecorder } from './recorded-moves.js';
import { commentThreads } from './threads.js';
import { wordIndex } from './word-index.js';

type StoredRow = {
  readonly id: number;
  readonly rev: number;
  readonly body: string;
  readonly text_id: number | null;
  readonly at: number | null;
  readonly is_automatic: number;
  readonly closed_at: number | null;
};

const keptIn = ({ rev, body, at, is_automatic, closed_at }: StoredRow): Kept => ({
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
  const find = db.prepare(
    `SELECT id, rev, body, text_id, at, is_automatic, closed_at FROM observation WHERE kind = ? AND ref = ?`,
  );
  const insert = db.prepare(
    `INSERT INTO observation (kind, ref, is_automatic, rev, body, at, own_at, closed_at, source_id, read_at, subject,
       text_id, target, parent, host)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare(
    `UPDATE observation SET rev = ?, body = ?, at = ?, own_at = ?, closed_at = ?, source_id = ?, read_at = ?,
       subject = ?, text_id = ?, target = ?, parent = ?, host = ?, previous_body = ?
     WHERE id = ?`,
  );
  const lastTextId = db.prepare(
    'SELECT max(text_id) AS last FROM observation WHERE kind = ? AND text_id BETWEEN ? AND ?',
  );
  const nameIt = db.prepare('INSERT OR IGNORE INTO identifier (space, value, kind, ref) VALUES (?, ?, ?, ?)');
  const unnameIt = db.prepare(
    'DELETE FROM identifier WHERE space = ? AND value = ? AND kind = ? AND ref = ?',
  );
  const seePlace = db.prepare('INSERT OR IGNORE INTO place (city, country_code) VALUES (?, ?)');
  const learn = db.prepare('UPDATE learning SET learned = learned + 1');
  const recordMove = moveRecorder(db);
  const threads = commentThreads(db);
  const wordIndexes = [wordIndex(db, 'post'), wordIndex(db, 'job_posting')] as const;

  /** Null for what is not searched, undefined when the second has no room left. */
  const textIdOf = (
    observation: Observation,
    atMs: number | null,
    before: StoredRow | undefined,
  ): number | null | undefined => {
    if (atMs === null || searchableText(observation) === null) return null;
    const first = textSecond(atMs) * TEXTS_PER_SECOND;
    const end = first + TEXTS_PER_SECOND;
    const had = before?.text_id ?? null;
    if (had !== null && had >= first && had < end) return had;
    const last: unknown = lastTextId.get(observation.kind, first, end - 1).last;
    const free = typeof last === 'number' ? last + 1 : first;
    return free < end ? free : undefined;
  };

  const write = (sighting: Sighting): WriteOutcome => {
    const { observation, isAutomatic, closedAtMs, source } = sighting;
    const { kind, ref, rev } = observation;
    const before = find.get(kind, ref) as StoredRow | undefined;
    const kept = before === undefined ? null : keptIn(before);
    const outcome = outcomeOf(kept, sighting);
    if (outcome !== 'accepted') return outcome;
    const atMs = windowAtMs(kept, sighting);
    const textId = textIdOf(observation, atMs, before);
    if (textId === undefined) {
      return { rejected: `more than ${TEXTS_PER_SECOND} texts of kind ${kind} have the same second` };
    }
    const link = threads.before(observation, before !== undefined);
    const ownMs = happenedAtMs(observation);
    const columns = [
      rev,
      JSON.stringify(observation),
      atMs,
      ownMs === atMs ? null : ownMs,
      closedAtMs,
      source?.sourceId ?? null,
      source?.readAtMs ?? null,
      subjectRef(observation),
      textId,
      link.target,
      link.parent,
      link.host,
    ] as const;
    if (before === undefined) {
      insert.run(kind, ref, Number(isAutomatic), ...columns);
    } else {
      update.run(...columns, kind === 'person' ? before.body : null, before.id);
      const earlier = JSON.parse(before.body) as Observation;
      for (const [space, value] of identifiersOf(earlier)) unnameIt.run(space, value, kind, ref);
      if (observation.kind === 'person') recordMove(earlier as PersonObservation, observation, source);
    }
    threads.after(observation, link);
    for (const [space, value] of identifiersOf(observation)) nameIt.run(space, value, kind, ref);
    for (const [city, countryCode] of placesOf(observation)) seePlace.run(fold(city), countryCode);
    for (const index of wordIndexes) {
      if (index.kind === kind) index.change(before?.text_id ?? null, textId, searchableText(observation));
    }
    return 'accepted';
  };

  return {
    write: (sightings) =>
      retryWhileBusy(path, () => {
        place.require();
        return inWriteTransaction(db, () => {
          for (const index of wordIndexes) index.begin();
          const outcomes = sightings.map(write);
          const hasLearned = sightings.some(
            ({ observation }, index) => isLearning(observation) && outcomes[index] === 'accepted',
          );
          if (hasLearned) learn.run();
          for (const index of wordIndexes) index.apply();
          return outcomes;
        });
      }),
  };
}
