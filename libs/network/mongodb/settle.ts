import { guardedBulk } from '#mongodb/guarded-bulk.js';
import { leftCompanyRef, type RecordedMove } from '../moves.js';
import { movesIn, observationsIn } from './network-collections.js';
import { moveId, type StoredMove, type StoredObservation } from './observation-document.js';
import { joinThreads, type Write } from './threads.js';

type Unsettled = Pick<StoredObservation, '_id' | 'kind' | 'ref' | 'newMoves'>;

/** Documents of one turn. */
const AT_ONCE = 500;

/**
 * Does what follows from documents that a batch marked with its name: moves are put where moves are kept, comments
 * and reactions are joined to their posts. Doing it twice has no second effect, so what a crash left is done by
 * the next start or when the same observations are sent again. Of what is new in this batch nothing earlier has to
 * be undone.
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
    // What another batch wrote in between bears that one's name.
    const done = { _id: { $in: some.map(({ _id }) => _id) }, unsettled: batch };
    await write((db) => observationsIn(db).updateMany(done, { $unset: { unsettled: '', newMoves: '' } }));
  }
}

/** Does it for everything that is left, whoever began. */
export async function settleAll(write: Write): Promise<void> {
  for (;;) {
    const left = await write((db) =>
      observationsIn(db).findOne({ unsettled: { $exists: true } }, { projection: { unsettled: 1 } }),
    );
    if (left?.unsettled === undefined) return;
    await settle(write, left.unsettled, () => false);
  }
}

/** Puts moves where moves are kept; done again it has no second effect. */
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
