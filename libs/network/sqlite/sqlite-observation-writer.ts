import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { fold } from '#kernel/values/text-folding.js';
import { retryWhileBusy } from '#sqlite/busy.js';
import { inWriteTransaction } from '#sqlite/transaction.js';
import type { ObservationWriter, WriteOutcome } from '../ingest.js';
import { identifiersOf, placesOf } from '../observation-names.js';
import {
  happenedAtMs,
  isLearning,
  searchableText,
  subjectRef,
  type Observation,
  type PersonObservation,
} from '../observation.js';
import { TEXTS_PER_SECOND, textSecond } from './network-schema.js';
import { moveRecorder } from './recorded-moves.js';
import { commentThreads } from './threads.js';
import { wordIndex } from './word-index.js';

type StoredRow = {
  readonly id: number;
  readonly rev: number;
  readonly body: string;
  readonly text_id: number | null;
};

/** Writes observations into network.db, each batch in one short transaction. */
export function sqliteObservationWriter(db: DatabaseSyncInstance, path: string): ObservationWriter {
  const find = db.prepare('SELECT id, rev, body, text_id FROM observation WHERE kind = ? AND ref = ?');
  const insert = db.prepare(
    `INSERT INTO observation (kind, ref, rev, body, at, subject, text_id, target, parent, host)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare(
    `UPDATE observation SET rev = ?, body = ?, at = ?, subject = ?, text_id = ?, target = ?, parent = ?, host = ?,
       previous_body = ?
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
  const wordIndexes = [
    wordIndex(db, 'post', 'post_words'),
    wordIndex(db, 'job_posting', 'job_posting_words'),
  ] as const;

  /** Null for what is not searched, undefined when the second has no room left. */
  const textIdOf = (observation: Observation, before: StoredRow | undefined): number | null | undefined => {
    const atMs = happenedAtMs(observation);
    if (atMs === null || searchableText(observation) === null) return null;
    const first = textSecond(atMs) * TEXTS_PER_SECOND;
    const end = first + TEXTS_PER_SECOND;
    const had = before?.text_id ?? null;
    if (had !== null && had >= first && had < end) return had;
    const last: unknown = lastTextId.get(observation.kind, first, end - 1).last;
    const free = typeof last === 'number' ? last + 1 : first;
    return free < end ? free : undefined;
  };

  const write = (observation: Observation): WriteOutcome => {
    const { kind, ref, rev } = observation;
    const body = JSON.stringify(observation);
    const before = find.get(kind, ref) as StoredRow | undefined;
    if (before !== undefined && rev < before.rev) return 'unchanged';
    if (before !== undefined && rev === before.rev) {
      if (before.body === body) return 'unchanged';
      return { rejected: `rev ${rev} of ${kind} ${ref} was already observed with other content` };
    }
    const textId = textIdOf(observation, before);
    if (textId === undefined) {
      return { rejected: `more than ${TEXTS_PER_SECOND} texts of kind ${kind} have the same second` };
    }
    const link = threads.before(observation, before !== undefined);
    const columns = [
      happenedAtMs(observation),
      subjectRef(observation),
      textId,
      link.target,
      link.parent,
      link.host,
    ] as const;
    if (before === undefined) {
      insert.run(kind, ref, rev, body, ...columns);
    } else {
      update.run(rev, body, ...columns, kind === 'person' ? before.body : null, before.id);
      const earlier = JSON.parse(before.body) as Observation;
      for (const [space, value] of identifiersOf(earlier)) unnameIt.run(space, value, kind, ref);
      if (observation.kind === 'person') recordMove(earlier as PersonObservation, observation);
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
    write: (observations) =>
      retryWhileBusy(path, () =>
        inWriteTransaction(db, () => {
          for (const index of wordIndexes) index.begin();
          const outcomes = observations.map(write);
          if (observations.some((one, index) => isLearning(one) && outcomes[index] === 'accepted'))
            learn.run();
          for (const index of wordIndexes) index.apply();
          return outcomes;
        }),
      ),
  };
}
