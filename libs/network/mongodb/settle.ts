import { guardedBulk } from '#mongodb/guarded-bulk.js';
import { leftCompanyRef, type RecordedMove } from '../moves.js';
import { movesIn, observationsIn } from './network-collections.js';
import { moveId, type StoredMove, type StoredObservation } from './observation-document.js';
import { joinThreads, type Write } from './threads.js';

type Unsettled = Pick<StoredObservation, '_id' | 'kind' | 'ref' | 'newMoves'>;

/** Documents of one turn. */
const AT_ONCE = 500;

/**
 * Completes the follow-up writes of documents marked with a batch: moves are written to their collection, comments
 * and reactions are joined to their posts. Idempotent, so after a crash the next start, or the same observations sent
 * again, completes them. New documents of this batch need no earlier state to be removed.
 */
export async function settle(write: Write, batch: string, isNew: (id: string) => boolean): Promise<void> {
  for (;;) {
    const some = await write((db) =>
      observationsIn(db)
        .find({ unsettled: batch })
        .project<Unsettled>({ kind: 1, ref: 1, newMoves: 1 })
        .limit(AT_ONCE)
        .toArray(),
    );
    if (some.length === 0) return;
    await keepMoves(
      write,
      some.flatMap(({ newMoves = [] }) => newMoves),
    );
    const ofKind = (...kinds: string[]) => some.filter(({ kind }) => kinds.includes(kind));
    const revised = (all: readonly Unsettled[]) => all.filter(({ _id }) => !isNew(_id)).map(({ ref }) => ref);
    await joinThreads(write, {
      posts: ofKind('post').map(({ ref }) => ref),
      revisedPosts: revised(ofKind('post')),
      named: ofKind('comment', 'reaction').map(({ _id }) => _id),
      moved: revised(ofKind('comment')),
    });
    // A document that another batch wrote meanwhile is marked with that batch.
    const done = { _id: { $in: some.map(({ _id }) => _id) }, unsettled: batch };
    await write((db) => observationsIn(db).updateMany(done, { $unset: { unsettled: '', newMoves: '' } }));
  }
}

/** Completes the follow-up writes of all batches. */
export async function settleAll(write: Write): Promise<void> {
  for (;;) {
    const left = await write((db) =>
      observationsIn(db).findOne({ unsettled: { $exists: true } }, { projection: { unsettled: 1 } }),
    );
    if (left?.unsettled === undefined) return;
    await settle(write, left.unsettled, () => false);
  }
}

/** Writes moves to their collection. Idempotent. */
export async function keepMoves(write: Write, moves: readonly RecordedMove[]): Promise<void> {
  const replacements = moves.map((move) => ({
    _id: moveId(move.personRef, move.rev),
    guard: {},
    replacement: storedMove(move),
  }));
  await write((db) => guardedBulk(movesIn(db), replacements, { add: true }));
}

function storedMove(move: RecordedMove): Omit<StoredMove, '_id'> {
  return {
    person: move.personRef,
    rev: move.rev,
    at: Date.parse(move.observedAt),
    to: move.to?.companyRef ?? null,
    from: leftCompanyRef(move),
    toTitle: move.to?.title ?? null,
    body: JSON.stringify(move),
  };
}
