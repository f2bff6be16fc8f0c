import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { CommentObservation, Observation, ReactionObservation } from '../observation.js';

/** The post of a comment or reaction, as columns of its row. */
export type Link = {
  readonly target: string | null;
  readonly parent: string | null;
  readonly host: string | null;
};

type LinkRow = { readonly target: string; readonly host: string };

const UNLINKED: Link = { target: null, parent: null, host: null };

/**
 * Keeps comments and reactions joined to their posts, in any order of arrival. A reply to a comment belongs to the
 * post of that comment; a cycle of comments belongs to none.
 */
export function commentThreads(db: DatabaseSyncInstance) {
  const postAuthor = db.prepare(
    `SELECT coalesce(subject, '') AS host FROM observation WHERE kind = 'post' AND ref = ?`,
  );
  const linkedComment = db.prepare(
    `SELECT target, host FROM observation WHERE kind = 'comment' AND ref = ? AND host IS NOT NULL`,
  );
  const waiting = db.prepare(
    `SELECT ref FROM observation INDEXED BY observation_by_target
     WHERE target = ? AND kind = 'comment' AND host IS NULL`,
  );
  const join = db.prepare(
    `UPDATE observation SET host = ?1, parent = nullif(parent, ?2)
     WHERE target = ?2 AND kind IN ('comment', 'reaction') AND (host IS NOT ?1 OR parent = ?2)`,
  );
  const answers = db.prepare(
    `SELECT ref FROM observation INDEXED BY observation_by_parent WHERE parent = ? AND kind = 'comment'`,
  );
  const relink = db.prepare(
    `UPDATE observation SET target = ?, parent = ?, host = ? WHERE kind = 'comment' AND ref = ?`,
  );

  const linkOf = ({ kind, ref, postRef }: CommentObservation | ReactionObservation): Link => {
    if (postRef === null) return UNLINKED;
    const post = postAuthor.get(postRef) as Pick<LinkRow, 'host'> | undefined;
    if (post !== undefined) return { target: postRef, parent: null, host: post.host };
    // A comment that replies to itself has no post, and its earlier revision does not matter.
    const isAnswer = kind === 'comment' && postRef !== ref;
    const above = isAnswer ? (linkedComment.get(postRef) as LinkRow | undefined) : undefined;
    return above === undefined
      ? { target: postRef, parent: postRef, host: null }
      : { ...above, parent: postRef };
  };

  const answersTo = (ref: string): readonly string[] =>
    (answers.all(ref) as readonly { readonly ref: string }[]).map((row) => row.ref);

  /** Moves all replies of a comment to its new post; null: none. */
  const takeAlong = (commentRef: string, belongs: LinkRow | null): void => {
    const seen = new Set([commentRef]);
    const open = [commentRef];
    for (let above = open.pop(); above !== undefined; above = open.pop()) {
      for (const answer of answersTo(above)) {
        if (seen.has(answer)) continue;
        relink.run(belongs?.target ?? above, above, belongs?.host ?? null, answer);
        seen.add(answer);
        open.push(answer);
      }
    }
  };

  const postSeen = (ref: string, authorRef: string | null): void => {
    const host = authorRef ?? '';
    const joining = (waiting.all(ref) as readonly { readonly ref: string }[]).map((row) => row.ref);
    // Before this, comments of the post may have been treated as replies to a comment with the same ref.
    const mistaken = answersTo(ref).filter((answer) => !joining.includes(answer));
    join.run(host, ref);
    for (const answer of mistaken) relink.run(ref, null, host, answer);
    for (const comment of [...joining, ...mistaken]) takeAlong(comment, { target: ref, host });
  };

  return {
    /** The link of a comment or reaction that is about to be written. */
    before: (observation: Observation, isRevision: boolean): Link => {
      if (observation.kind !== 'comment' && observation.kind !== 'reaction') return UNLINKED;
      // The post of this comment must not come from its replies, which inherited it.
      if (observation.kind === 'comment' && isRevision) takeAlong(observation.ref, null);
      return linkOf(observation);
    },
    /** After a write, interactions that waited for this post or comment are joined too. */
    after: (observation: Observation, { target, host }: Link): void => {
      if (observation.kind === 'post') postSeen(observation.ref, observation.authorRef);
      if (observation.kind === 'comment' && target !== null && host !== null)
        takeAlong(observation.ref, { target, host });
    },
  };
}
