import { contains, folded, seniorityOf, shownPerson, worth } from './naive-words.js';
import { byCodePoints, iso, type World } from './naive-world.js';
import type { NaiveFinding, NaiveLaunch, Observed } from './proof.js';

/** Career moves as the rules define them (D-24 to D-28), from the revisions in order of acceptance. */

export type NaiveMove = {
  readonly ref: string;
  readonly rev: number;
  readonly observed_at: string;
  readonly change: 'new_company' | 'promotion' | 'departure';
  readonly from: Observed | null;
  readonly previous: Observed | null;
  readonly current: Observed | null;
};

const isOpen = (position: Observed): boolean => (position.end_date ?? null) === null;

/** OP-70. */
export const presentOf = (experiences: readonly Observed[]): Observed | null =>
  experiences.filter(isOpen).sort((left, right) => (left.start_date < right.start_date ? 1 : -1))[0] ?? null;

export const nameAt = (world: World, position: Observed): string | null =>
  position.company_name ?? world.known('company', position.company_ref)?.name ?? null;

/** D-24; null: unknown. */
function isSameCompany(world: World, one: Observed, other: Observed): boolean | null {
  if (one.company_ref !== undefined && other.company_ref !== undefined)
    return one.company_ref === other.company_ref;
  const [name, otherName] = [nameAt(world, one), nameAt(world, other)];
  return name === null || otherName === null ? null : folded(name) === folded(otherName);
}

/** D-20; two unknown titles count as the same. */
const isSameTitle = (one: Observed, other: Observed): boolean => {
  const words = ({ title }: Observed): string => (folded(title ?? '').match(/\w+/g) ?? []).join(' ');
  return words(one) === words(other);
};

const RANKS = 'owner founder c_suite partner vp head director manager senior entry intern'.split(' ');
const rankOf = ({ seniority }: Observed): number => RANKS.indexOf(seniorityOf(seniority) ?? '');

/** D-25: the first line that applies. */
function changeOf(
  world: World,
  before: readonly Observed[],
  from: Observed,
  to: Observed,
): NaiveMove['change'] | null {
  if (to === null) return 'departure';
  const isThere = (open: Observed): boolean => isOpen(open) && isSameTitle(open, to);
  if (before.some((open) => isThere(open) && isSameCompany(world, open, to) === true)) return null;
  const isSame = from === null ? false : isSameCompany(world, from, to);
  if (isSame === false) return 'new_company';
  if (isSame === null || from.title === undefined || to.title === undefined) return null;
  if (isSameTitle(from, to)) return null;
  const hasFallen = rankOf(from) >= 0 && rankOf(to) >= 0 && rankOf(to) > rankOf(from);
  return hasFallen ? null : 'promotion';
}

/** D-26. */
function previousOf(world: World, from: Observed, after: readonly Observed[]): Observed | null {
  if (from === null) return latestEnded(after);
  const alike = after.filter(
    (position) => isSameTitle(position, from) && isSameCompany(world, position, from) === true,
  );
  const exact = alike.filter(({ start_date }) => start_date === from.start_date);
  const ends = (exact.length > 0 ? exact : alike).map(({ end_date }) => end_date ?? null);
  return { ...from, end_date: ends.includes(null) ? null : (ends.sort().at(-1) ?? null) };
}

export const latestEnded = (experiences: readonly Observed[]): Observed | null =>
  experiences
    .filter((position) => !isOpen(position))
    .sort((left, right) =>
      `${left.end_date} ${left.start_date}` < `${right.end_date} ${right.start_date}` ? 1 : -1,
    )[0] ?? null;

/** Every move, in order of person and revision. */
export function movesOf(world: World): readonly NaiveMove[] {
  return world.revisions
    .flatMap(({ before, after }): readonly NaiveMove[] => {
      // D-27.
      if (after.observed_at === undefined) return [];
      if (before.experiences === undefined || after.experiences === undefined) return [];
      const [from, to] = [presentOf(before.experiences), presentOf(after.experiences)];
      if (from === null && to === null) return [];
      const change = changeOf(world, before.experiences, from, to);
      if (change === null) return [];
      const { ref, rev, observed_at } = after;
      return [
        {
          ref,
          rev,
          observed_at,
          change,
          from,
          previous: previousOf(world, from, after.experiences),
          current: to,
        },
      ];
    })
    .sort((left, right) => byCodePoints(left.ref, right.ref) || left.rev - right.rev);
}

/** D-28, the first half. */
export function isHeld(world: World, { ref, current }: NaiveMove): boolean {
  const present = world.position(ref);
  if (present === null || current === null) return false;
  const areTitled = current.title !== undefined && present.title !== undefined;
  return isSameCompany(world, current, present) !== false && (!areTitled || isSameTitle(current, present));
}

/** D-28, the second half: a month stands for its days. */
export function isOldEntry({ current, observed_at }: NaiveMove): boolean {
  const date: string | undefined = current?.start_date;
  if (date === undefined) return false;
  const lastDay = [31, 30, 29, 28]
    .map((day) => (date.length === 7 ? `${date}-${day}` : date.length === 4 ? `${date}-12-${day}` : date))
    .find((day) => new Date(day).toJSON()?.startsWith(day));
  const days =
    (Date.parse(iso(observed_at).slice(0, 10)) - Date.parse(lastDay ?? '')) / (24 * 60 * 60 * 1000);
  return days > 365;
}

/** A position as payloads show it. */
export function shownPosition(world: World, position: Observed) {
  const company = world.known('company', position.company_ref);
  return {
    title: position.title ?? null,
    company_name: nameAt(world, position),
    company_network_url: company === null ? null : `https://n.example/company/${company.handle}`,
  };
}

/** The finding of a move: about the company of one of its positions. */
export function moveFinding(
  world: World,
  launch: NaiveLaunch,
  move: NaiveMove,
  signalType: NaiveFinding['signalType'],
  about: Observed | null,
): NaiveFinding {
  const { ref, rev, change, previous, current } = move;
  const company = about === null ? null : (world.known('company', about.company_ref)?.ref ?? null);
  return {
    subject: `move:${ref}:${rev}`,
    signalType,
    signalDate: iso(move.observed_at),
    company,
    lead: ref,
    ...worth(world, launch, { company, lead: ref, isDeparture: change === 'departure' }),
    sourceUrl: null,
    excerpt: null,
    contents: [],
    author: shownPerson(world, ref),
    data: {
      profile: shownPerson(world, ref),
      change,
      previous: previous && { ...shownPosition(world, previous), end_date: previous.end_date ?? null },
      current: current && { ...shownPosition(world, current), start_date: current.start_date ?? null },
    },
  };
}

/** Whether a text contains one of the wanted ones; an empty list matches everything. */
export const containsOne = (text: unknown, wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((one) => contains(text, one));
