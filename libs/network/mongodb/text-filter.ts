import type { Db, Filter } from 'mongodb';
import type { MatchMode } from '../keyword-matching.js';
import type { PostScope } from '../network-source.port.js';
import { searchPhrases } from '../search-words.js';
import type { Place, TextKind } from '../text-window.js';
import { observationsIn } from './network-collections.js';
import { observationId, type StoredObservation } from './observation-document.js';

/** A scope with more authors is looked for among all posts, one with fewer author by author. */
const FEW_AUTHORS = 200;
/** Above so many phrases looking up each costs more than reading the posts that it would leave out. */
const MAX_PHRASES = 1_000;

/** Texts behind a place, up to a moment. */
export function textsBehind(kind: TextKind, from: Place, lastMs: number): Filter<StoredObservation> {
  return {
    'text.kind': kind,
    'text.at': { $gte: from.at, $lte: lastMs },
    $or: [{ 'text.at': { $gt: from.at } }, { 'text.at': from.at, 'text.ref': { $gt: from.ref } }],
  };
}

/** Texts before a place, from a moment on. */
export function textsBefore(kind: TextKind, place: Place, firstMs: number): Filter<StoredObservation> {
  return {
    'text.kind': kind,
    'text.at': { $gte: firstMs, $lte: place.at },
    $or: [{ 'text.at': { $lt: place.at } }, { 'text.at': place.at, 'text.ref': { $lt: place.ref } }],
  };
}

/**
 * What every text that matches fulfils: it holds all words of one or of all keywords. More may fulfil it; the
 * matcher decides. Null when words cannot help.
 */
export function wordFilter(keywords: readonly string[], mode: MatchMode): Filter<StoredObservation> | null {
  const phrases = searchPhrases(keywords, mode);
  if (phrases === null || phrases.length > MAX_PHRASES) return null;
  const parts = phrases.map((words) => ({ 'text.words': { $all: [...new Set(words)] } }));
  return mode === 'any' ? { $or: parts } : { $and: parts };
}

export type ScopedAuthors = {
  /** Every author of the scope when they are few, else null. */
  readonly few: readonly string[] | null;
  /** Which of these authors belong to it. */
  readonly among: (authorRefs: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** What these alone publish. */
export function namedScope(refs: readonly string[]): ScopedAuthors {
  const named = new Set(refs);
  return {
    few: named.size > FEW_AUTHORS ? null : [...named],
    among: (authorRefs) => Promise.resolve(new Set(authorRefs.filter((ref) => named.has(ref)))),
  };
}

/** Whose posts a scope holds, as of now. */
export async function postScope(db: Db, scope: PostScope): Promise<ScopedAuthors> {
  const companies = new Set(scope.companyRefs);
  const named = new Set([...scope.companyRefs, ...scope.personRefs]);
  return {
    few: await fewAuthors(db, scope, named),
    among: async (authorRefs) => {
      const asked = authorRefs.filter((ref) => !named.has(ref)).map((ref) => observationId('person', ref));
      const people = await observationsIn(db)
        .find({ _id: { $in: asked } }, { projection: { work: 1 } })
        .toArray();
      const workers = people.flatMap(({ work }) =>
        work !== undefined && companies.has(work.companyRef) ? [work.ref] : [],
      );
      return new Set([...named, ...workers]);
    },
  };
}

async function fewAuthors(
  db: Db,
  { companyRefs }: PostScope,
  named: ReadonlySet<string>,
): Promise<readonly string[] | null> {
  if (named.size > FEW_AUTHORS) return null;
  const people = await observationsIn(db)
    .find({ 'work.companyRef': { $in: [...companyRefs] } }, { projection: { ref: 1 } })
    .limit(FEW_AUTHORS + 1)
    .toArray();
  const authors = [...new Set([...named, ...people.map(({ ref }) => ref)])];
  return authors.length > FEW_AUTHORS ? null : authors;
}
