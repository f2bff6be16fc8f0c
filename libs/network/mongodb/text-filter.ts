import type { Db, Filter } from 'mongodb';
import type { MatchMode } from '../keyword-matching.js';
import type { Whose } from '../network-source.port.js';
import { searchPhrases } from '../search-words.js';
import type { TextKind, TextPoint } from '../text-window.js';
import { observationsById, observationsIn } from './network-collections.js';
import { observationId, type StoredObservation } from './observation-document.js';

/** A scope with more authors is filtered from all posts, one with fewer is queried by author. */
const FEW_AUTHORS = 200;
/** With more phrases, looking up each costs more than reading the posts that it would exclude. */
const MAX_PHRASES = 1_000;
/**
 * The number of words that a text must contain if every keyword is required: more words would exclude no more texts.
 */
const MAX_WORDS_OF_ALL = 8;

/** Texts after a position, up to a moment. */
export function textsBehind(kind: TextKind, from: TextPoint, lastMs: number): Filter<StoredObservation> {
  return {
    'text.kind': kind,
    'text.at': { $gte: from.at, $lte: lastMs },
    $or: [{ 'text.at': { $gt: from.at } }, { 'text.at': from.at, 'text.ref': { $gt: from.ref } }],
  };
}

/** Texts before a position, from a moment on. */
export function textsBefore(kind: TextKind, point: TextPoint, firstMs: number): Filter<StoredObservation> {
  return {
    'text.kind': kind,
    'text.at': { $gte: firstMs, $lte: point.at },
    $or: [{ 'text.at': { $lt: point.at } }, { 'text.at': point.at, 'text.ref': { $lt: point.ref } }],
  };
}

/**
 * A condition that every match satisfies: it contains one word of one keyword, or one word of each keyword. Other
 * texts satisfy it too; the matcher decides. It is one condition on one field, because the time to plan a disjunction
 * grows with the square of the number of conditions. Null if words cannot help.
 */
export function wordFilter(keywords: readonly string[], mode: MatchMode): Filter<StoredObservation> | null {
  const phrases = searchPhrases(keywords, mode);
  if (phrases === null || phrases.length > MAX_PHRASES) return null;
  const words = [...new Set(phrases.map(rarestOf))];
  if (mode === 'any') return { 'text.words': { $in: words } };
  const rarest = words.sort((left, right) => right.length - left.length).slice(0, MAX_WORDS_OF_ALL);
  return { 'text.words': { $all: rarest } };
}

/** Long words are rarer than short ones. */
function rarestOf(words: readonly string[]): string {
  return words.reduce((rarest, word) => (word.length > rarest.length ? word : rarest), '');
}

export type AuthorScope = {
  /** All authors of the scope if they are few, otherwise null. */
  readonly few: readonly string[] | null;
  /** The authors among these that belong to the scope. */
  readonly among: (authorRefs: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** The scope of these authors. */
export function namedScope(refs: readonly string[]): AuthorScope {
  const named = new Set(refs);
  return {
    few: named.size > FEW_AUTHORS ? null : [...named],
    among: (authorRefs) => Promise.resolve(new Set(authorRefs.filter((ref) => named.has(ref)))),
  };
}

/** The authors of a scope, as of now. */
export async function authorScope(db: Db, scope: Whose): Promise<AuthorScope> {
  const companies = new Set(scope.companyRefs);
  const named = new Set([...scope.companyRefs, ...scope.personRefs]);
  return {
    few: await fewAuthors(db, scope, named),
    among: async (authorRefs) => {
      const asked = authorRefs.filter((ref) => !named.has(ref)).map((ref) => observationId('person', ref));
      const people = await observationsById(db, asked, { work: 1 });
      const workers = people.flatMap(({ work }) =>
        work !== undefined && companies.has(work.companyRef) ? [work.ref] : [],
      );
      return new Set([...named, ...workers]);
    },
  };
}

async function fewAuthors(
  db: Db,
  { companyRefs }: Whose,
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
