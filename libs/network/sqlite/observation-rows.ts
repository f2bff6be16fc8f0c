import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { fold } from '#kernel/values/text-folding.js';
import { identifiersOf, placesOf } from '../observation-names.js';
import {
  happenedAtMs,
  searchableText,
  subjectRef,
  type Observation,
  type ObservationKind,
} from '../observation.js';
import type { Kept } from '../sighting.js';
import { TEXTS_PER_SECOND, textSecond } from './text-ids.js';
import { commentThreads } from './threads.js';
import { wordIndex } from './word-index.js';

/** An observation as stored, with the facts that decide whether a sighting is new. */
export type KeptRow = {
  readonly id: number;
  readonly rev: number;
  readonly body: string;
  readonly text_id: number | null;
  readonly at: number | null;
  readonly is_automatic: number;
  readonly closed_at: number | null;
};

/** The values to write for one observation; all others are derived. */
export type NewRow = Kept & {
  readonly observation: Observation;
  /** For a person. */
  readonly previousBody: string | null;
  readonly source: { readonly sourceId: string; readonly readAtMs: number } | null;
};

/** Rows of observations with their look-up data: names, places, threads and words. Within a transaction. */
export function observationRows(db: DatabaseSyncInstance) {
  const find = db.prepare(
    `SELECT id, rev, body, text_id, at, is_automatic, closed_at FROM observation WHERE kind = ? AND ref = ?`,
  );
  const insert = db.prepare(
    `INSERT INTO observation (kind, ref, is_automatic, rev, body, at, own_at, closed_at, source_id, read_at, subject,
       text_id, target, parent, host, previous_body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
  const threads = commentThreads(db);
  const wordIndexes = [wordIndex(db, 'post'), wordIndex(db, 'job_posting')] as const;

  /** Null if it is not searched, undefined if the second has no free id. */
  const textIdOf = (
    observation: Observation,
    atMs: number | null,
    before: KeptRow | undefined,
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

  return {
    find: (kind: ObservationKind, ref: string) => find.get(kind, ref) as KeptRow | undefined,
    /** Discards the words of a transaction that was rolled back. */
    begin: (): void => wordIndexes.forEach((index) => index.begin()),
    /** Writes the words of the written observations to the index. */
    fileWords: (): void => wordIndexes.forEach((index) => index.apply()),
    /** Replaces the existing row. Returns why it cannot be written, or null. */
    write(before: KeptRow | undefined, row: NewRow): string | null {
      const { observation, rev, body, previousBody, isAutomatic, atMs, closedAtMs, source } = row;
      const { kind, ref } = observation;
      const textId = textIdOf(observation, atMs, before);
      if (textId === undefined)
        return `more than ${TEXTS_PER_SECOND} texts of kind ${kind} have the same second`;
      const link = threads.before(observation, before !== undefined);
      const ownMs = happenedAtMs(observation);
      const columns = [
        rev,
        body,
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
        previousBody,
      ] as const;
      if (before === undefined) {
        insert.run(kind, ref, Number(isAutomatic), ...columns);
      } else {
        update.run(...columns, before.id);
        const earlier = JSON.parse(before.body) as Observation;
        for (const [space, value] of identifiersOf(earlier)) unnameIt.run(space, value, kind, ref);
      }
      threads.after(observation, link);
      for (const [space, value] of identifiersOf(observation)) nameIt.run(space, value, kind, ref);
      for (const [city, countryCode] of placesOf(observation)) seePlace.run(fold(city), countryCode);
      for (const index of wordIndexes)
        if (index.kind === kind) index.change(before?.text_id ?? null, textId, searchableText(observation));
      return null;
    },
  };
}
