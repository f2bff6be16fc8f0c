import type { InteractionKind, Whose, Window } from '#network/network-source.port.js';
import type { Json } from './observed.js';

export type NaiveSearch = Partial<Window> & {
  readonly by?: Whose;
  readonly on?: Whose;
  readonly kinds?: readonly InteractionKind[];
};

export type NaiveInteraction = {
  readonly kind: unknown;
  readonly ref: unknown;
  readonly postRef: unknown;
  readonly authorRef: unknown;
};

/** Comments and reactions by the rules, from all observations in the order of their arrival, without any index. */
export function naiveInteractions(
  observations: readonly Json[],
  { by, on, kinds = [] }: NaiveSearch,
): readonly NaiveInteraction[] {
  const newest = new Map<string, Json>();
  for (const observation of observations) {
    const key = `${observation['kind']} ${observation['ref']}`;
    const before = newest.get(key);
    if (before === undefined || Number(before['rev']) < Number(observation['rev']))
      newest.set(key, observation);
  }
  const postOf = (kind: string, name: unknown, seen: readonly unknown[]): Json | undefined => {
    const post = newest.get(`post ${name}`);
    if (post !== undefined || kind !== 'comment' || seen.includes(name)) return post;
    const above = newest.get(`comment ${name}`);
    return above === undefined ? undefined : postOf(kind, above['post_ref'], [...seen, name]);
  };
  const holds = (whose: Whose | undefined, ref: unknown): boolean => {
    if (whose === undefined) return true;
    if (typeof ref !== 'string') return false;
    const [work] = (newest.get(`person ${ref}`)?.['experiences'] ?? []) as readonly Json[];
    const employer = String(work?.['company_ref']);
    return [...whose.companyRefs, ...whose.personRefs].includes(ref) || whose.companyRefs.includes(employer);
  };
  return [...newest.values()]
    .flatMap((one) => {
      const kind = String(one['kind']);
      if (!kinds.some((wanted) => wanted === kind) || typeof one['author_ref'] !== 'string') return [];
      const post = postOf(kind, one['post_ref'], []);
      if (post === undefined || !holds(by, one['author_ref']) || !holds(on, post['author_ref'])) return [];
      const order = `${one['published_at'] ?? one['reacted_at']} ${one['ref']} ${kind}`;
      return [{ order, kind, ref: one['ref'], postRef: post['ref'], authorRef: post['author_ref'] }];
    })
    .sort((left, right) => (left.order < right.order ? -1 : 1))
    .map(({ kind, ref, postRef, authorRef }) => ({ kind, ref, postRef, authorRef }));
}
