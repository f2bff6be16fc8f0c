import type { AnyBulkWriteOperation } from 'mongodb';
import { inPieces } from '#kernel/values/pieces.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import type { PostObservation } from '../observation.js';
import { observationsById, observationsIn } from './network-collections.js';
import { observationId, type Echo, type StoredObservation } from './observation-document.js';

/** Writes to the database: each call has its own timeout, so long work is split into many calls. */
export type Write = MongoDatabase['write'];

/** Documents of one call. */
const AT_ONCE = 500;

/** A comment or reaction, and the ref it names. */
type Named = { readonly _id: string; readonly rev: number; readonly echo: Echo; readonly ref: string };

const NAMED = { rev: 1, echo: 1, ref: 1 } as const;

const namedBy = ({ echo: { parent, target } }: Named): string => parent ?? target;

/**
 * Joins comments and reactions to their posts. A reply to a comment belongs to the post of that comment; a cycle of
 * comments belongs to none. It works on stored documents after they were written, so that of two processes that write
 * a post and its comment at the same time at least one sees both.
 */
export async function joinThreads(
  write: Write,
  { posts, revisedPosts, named, moved }: Written,
): Promise<void> {
  await letGo(write, moved);
  const written = await find(write, { _id: { $in: [...named] }, echo: { $exists: true } });
  const waiting = await find(write, { 'echo.target': { $in: [...posts] }, 'echo.host': { $exists: false } });
  // Before the post was observed, its comments may have been treated as replies to a comment with the same ref.
  const mistaken = await find(write, { 'echo.parent': { $in: [...posts] }, 'echo.host': { $exists: true } });
  const visits = new Map<string, number>();
  const open = [...written, ...waiting, ...mistaken];
  while (open.length > 0) {
    const some = open.splice(0, AT_ONCE);
    for (const { _id } of some) visits.set(_id, (visits.get(_id) ?? 0) + 1);
    const joined = await join(write, some);
    const answers = joined.length === 0 ? [] : await find(write, { 'echo.parent': { $in: [...joined] } });
    // A reply that was written before its comment is processed a second time; usually only if another process wrote
    // it.
    open.push(
      ...answers.filter(({ _id, echo }) => (visits.get(_id) ?? 0) < (echo.host === undefined ? 2 : 1)),
    );
  }
  await nameHosts(write, revisedPosts);
}

/** The posts, comments and reactions written. */
export type Written = {
  /** By ref. */
  readonly posts: readonly string[];
  /** The posts that existed before, by ref. */
  readonly revisedPosts: readonly string[];
  /** Comments and reactions, by `_id`. */
  readonly named: readonly string[];
  /** Comments that existed before, by ref: their replies move with them. */
  readonly moved: readonly string[];
};

function find(
  write: Write,
  filter: Parameters<ReturnType<typeof observationsIn>['find']>[0],
): Promise<Named[]> {
  return write((db) => observationsIn(db).find(filter).project<Named>(NAMED).toArray());
}

async function update(
  write: Write,
  updates: readonly AnyBulkWriteOperation<StoredObservation>[],
): Promise<void> {
  for (const some of inPieces(updates, AT_ONCE))
    await write((db) => observationsIn(db).bulkWrite([...some], { ordered: false }));
}

/** Removes the post from all replies to these comments, because they inherited it. */
async function letGo(write: Write, commentRefs: readonly string[]): Promise<void> {
  const seen = new Set(commentRefs.map((ref) => observationId('comment', ref)));
  for (let open = [...commentRefs]; open.length > 0;) {
    const answers = (await find(write, { 'echo.parent': { $in: open } })).filter(({ _id }) => !seen.has(_id));
    const updates = answers.map((one): AnyBulkWriteOperation<StoredObservation> => ({
      updateOne: {
        filter: { _id: one._id, rev: one.rev },
        update: { $set: { 'echo.target': namedBy(one) }, $unset: { 'echo.host': '' } },
      },
    }));
    await update(write, updates);
    for (const { _id } of answers) seen.add(_id);
    // Nobody replies to a reaction; a comment may have the same ref.
    open = answers.filter(({ echo }) => echo.kind === 'comment').map(({ ref }) => ref);
  }
}

/** Sets the post of each, if it is known; returns the refs of comments that have one. */
async function join(write: Write, open: readonly Named[]): Promise<readonly string[]> {
  const names = open.map(namedBy);
  const authors = await authorsOf(write, names);
  const above = await find(write, {
    _id: { $in: names.map((name) => observationId('comment', name)) },
    'echo.host': { $exists: true },
  });
  const placeOf = new Map(above.map(({ ref, echo }) => [ref, echo]));
  const updates: AnyBulkWriteOperation<StoredObservation>[] = [];
  const joined: string[] = [];
  for (const one of open) {
    const { _id, rev, ref, echo } = one;
    const name = namedBy(one);
    const author = authors.get(name);
    const comment = echo.kind === 'comment' ? placeOf.get(name) : undefined;
    const filter = { _id, rev };
    if (author !== undefined) {
      const $set = { 'echo.target': name, 'echo.host': author };
      updates.push({ updateOne: { filter, update: { $set, $unset: { 'echo.parent': '' } } } });
    } else if (comment?.host !== undefined) {
      const $set = { 'echo.target': comment.target, 'echo.host': comment.host, 'echo.parent': name };
      updates.push({ updateOne: { filter, update: { $set } } });
    } else continue;
    if (echo.kind === 'comment') joined.push(ref);
  }
  await update(write, updates);
  return joined;
}

/** The authors of these posts, by ref: '' if unknown. Refs of other kinds are left out. */
async function authorsOf(write: Write, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(refs)].map((ref) => observationId('post', ref));
  const posts = await write((db) => observationsById(db, ids, { ref: 1, body: 1 }));
  return new Map(posts.map(({ ref, body }) => [ref, (JSON.parse(body) as PostObservation).authorRef ?? '']));
}

/** A revision may have changed the author. Repeated until no concurrent write changed it again. */
async function nameHosts(write: Write, postRefs: readonly string[]): Promise<void> {
  const authorOf = new Map<string, string>();
  for (let open = [...postRefs]; open.length > 0;) {
    const authors = [...(await authorsOf(write, open))].filter(
      ([ref, author]) => authorOf.get(ref) !== author,
    );
    for (const [ref, author] of authors) authorOf.set(ref, author);
    const others = authors.map(([ref, author]) => ({
      'echo.target': ref,
      'echo.host': { $exists: true, $ne: author },
    }));
    open = authors.map(([ref]) => ref);
    if (others.length === 0) continue;
    const updates = others.map((filter): AnyBulkWriteOperation<StoredObservation> => ({
      updateMany: { filter, update: { $set: { 'echo.host': authorOf.get(filter['echo.target']) ?? '' } } },
    }));
    await update(write, updates);
  }
}
