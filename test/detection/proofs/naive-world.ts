import type { Observed } from './proof.js';

/**
 * The final knowledge of the network after these observations, by the rules of detectors, without regard to speed.
 */
export type World = {
  /** The newest revision of each thing of a kind, by ref. */
  readonly all: (kind: string) => readonly Observed[];
  readonly known: (kind: string, ref: unknown) => Observed | null;
  /** Pairs of successive accepted revisions of a person (D-25), in order of acceptance. */
  readonly revisions: readonly { readonly before: Observed; readonly after: Observed }[];
  /** OP-70: the open experience with the latest start; null for unobserved people. */
  readonly position: (personRef: unknown) => Observed | null;
  /** The ref of the present employer. */
  readonly employer: (personRef: unknown) => string | null;
};

export const byCodePoints = (left: string, right: string): number => {
  const [one, other] = [[...left], [...right]];
  for (let index = 0; ; index += 1) {
    const [here, there] = [one[index]?.codePointAt(0), other[index]?.codePointAt(0)];
    if (here === undefined || there === undefined) return here === there ? 0 : here === undefined ? -1 : 1;
    if (here !== there) return here - there;
  }
};

export function worldOf(observations: readonly Observed[]): World {
  const newest = new Map<string, Observed>();
  const revisions: { before: Observed; after: Observed }[] = [];
  for (const observed of observations) {
    const key = `${observed.kind} ${observed.ref}`;
    const before = newest.get(key);
    // A late revision, under an older number or the same, changes nothing.
    if (before !== undefined && before.rev >= observed.rev) continue;
    newest.set(key, observed);
    if (before !== undefined && observed.kind === 'person') revisions.push({ before, after: observed });
  }
  const all = (kind: string): readonly Observed[] =>
    [...newest.values()]
      .filter((observed) => observed.kind === kind)
      .sort((left, right) => byCodePoints(left.ref, right.ref));
  const known = (kind: string, ref: unknown): Observed | null => newest.get(`${kind} ${String(ref)}`) ?? null;
  const position = (personRef: unknown): Observed | null =>
    (known('person', personRef)?.experiences ?? [])
      .filter(({ end_date }: Observed) => (end_date ?? null) === null)
      .sort((left: Observed, right: Observed) => (left.start_date < right.start_date ? 1 : -1))[0] ?? null;
  return {
    all,
    known,
    revisions,
    position,
    employer: (personRef) => position(personRef)?.company_ref ?? null,
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** D-02, D-03: those that lie in the window, oldest first and then by ref (D-05). */
export function inWindow(
  seen: readonly Observed[],
  field: string,
  { now, lookbackDays }: { readonly now: string; readonly lookbackDays: number },
  startDate?: unknown,
): readonly Observed[] {
  const until = Date.parse(now);
  const at = (one: Observed): number => Date.parse(one[field] ?? '');
  return seen
    .filter((one) => at(one) <= until && at(one) > until - lookbackDays * DAY_MS)
    .filter((one) => startDate === undefined || at(one) >= Date.parse(`${String(startDate)}T00:00:00Z`))
    .sort((left, right) => at(left) - at(right) || byCodePoints(left.ref, right.ref));
}

export const iso = (date: string): string => new Date(date).toISOString();
