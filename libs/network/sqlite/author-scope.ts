import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Whose } from '../network-source.port.js';

/** A scope with more authors is filtered from all posts, one with fewer is queried by author. */
const FEW_AUTHORS = 1_000;

export type ScopedAuthors = {
  /** All authors of the scope if they are few, otherwise null. */
  readonly few: readonly string[] | null;
  readonly holds: (authorRef: string | null) => boolean;
};

/** The scope of these authors. */
export function namedScope(refs: readonly string[]): ScopedAuthors {
  const named = new Set(refs);
  return {
    few: named.size > FEW_AUTHORS ? null : [...named],
    holds: (authorRef) => authorRef !== null && named.has(authorRef),
  };
}

/** The authors of a scope, as of now. */
export function authorScope(db: DatabaseSyncInstance, scope: Whose): ScopedAuthors {
  const companies = new Set(scope.companyRefs);
  const named = new Set([...scope.companyRefs, ...scope.personRefs]);
  const employer = db.prepare(`SELECT subject FROM observation WHERE kind = 'person' AND ref = ?`);
  const workers = db.prepare(
    `SELECT ref FROM observation
     WHERE kind = 'person' AND subject IN (SELECT value FROM json_each(?)) LIMIT ${FEW_AUTHORS + 1}`,
  );
  const seen = new Map<string, boolean>();

  const worksThere = (authorRef: string): boolean => {
    const row = employer.get(authorRef) as { readonly subject: string | null } | undefined;
    const companyRef = row?.subject ?? null;
    return companyRef !== null && companies.has(companyRef);
  };
  const few = (): readonly string[] | null => {
    if (named.size > FEW_AUTHORS) return null;
    const found = workers.all(JSON.stringify(scope.companyRefs)) as readonly { readonly ref: string }[];
    const authors = [...new Set([...named, ...found.map(({ ref }) => ref)])];
    return authors.length > FEW_AUTHORS ? null : authors;
  };
  return {
    few: few(),
    holds: (authorRef) => {
      if (authorRef === null) return false;
      if (named.has(authorRef)) return true;
      const known = seen.get(authorRef) ?? worksThere(authorRef);
      seen.set(authorRef, known);
      return known;
    },
  };
}
