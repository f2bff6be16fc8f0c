import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { leftCompanyRef, recordedMove, type RecordedMove } from '../moves.js';
import type { PersonObservation } from '../observation.js';
import type { Reading } from '../sighting.js';

/** Writes the change between a revision of a person and the previous one; returns whether it may be a move. */
export function moveRecorder(db: DatabaseSyncInstance) {
  const keep = moveKeeper(db);
  return (before: PersonObservation, after: PersonObservation, source: Reading | null = null): boolean => {
    const move = recordedMove(before, after, source);
    if (move !== null) keep(move, JSON.stringify(move));
    return move !== null;
  };
}

/** Writes a move with its look-up columns; an existing one stays. */
export function moveKeeper(db: DatabaseSyncInstance) {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO move (person, rev, at, to_company, from_company, to_title, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return (move: RecordedMove, body: string): void => {
    const { personRef, rev, observedAt, to } = move;
    const at = Date.parse(observedAt);
    insert.run(personRef, rev, at, to?.companyRef ?? null, leftCompanyRef(move), to?.title ?? null, body);
  };
}
