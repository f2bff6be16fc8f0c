import { guardOf } from '#kernel/values/schema-guard.js';
import type { JsonValue } from '#kernel/values/json.js';
import { Nullable, Type, type Static } from '#kernel/values/schema.js';
import { compareCodePoints, pointAt } from '#network/position.js';
import type { ObservedMove } from '#network/network-source.port.js';
import type { DetectorRun, DetectorRead, Search } from '#signals/detection/detector.js';
import type { ListedPerson } from '#signals/detection/watched.js';
import { changeOfMove, type ChampionChange } from './champion-changes.js';
import { byPerson, championMoves, counts } from './champions.js';
import { givenCompanyChanges } from './given-company-changes.js';

/** The position of a search: after a move, and after a change inferred from a given company. */
const Resume = Type.Object({
  moves: Nullable(Type.String()),
  given: Nullable(Type.Object({ at: Type.Number(), ref: Type.String(), subject: Type.String() })),
});
type Resume = Static<typeof Resume>;
const isResume = guardOf(Resume);

type Item = { readonly position: Resume; readonly change: ChampionChange };

/**
 * The career changes of champions since they were added, by date and person (D-50, D-51): each move, and the changes
 * inferred from the company given with the champion. `select` selects those that are reported.
 */
export function championSearch(
  run: DetectorRun<unknown>,
  champions: readonly ListedPerson[],
  select: (changes: readonly ChampionChange[]) => Promise<readonly ChampionChange[]>,
): Search<Item> {
  const members = byPerson(champions);
  const search = championMoves(run, champions);
  const isOne = (move: ObservedMove): boolean =>
    (members.get(move.personRef) ?? []).some((champion) => counts(move, champion));
  let looked: Promise<readonly ChampionChange[]> | null = null;

  return {
    async read(resume, limit): Promise<DetectorRead<Item>> {
      const start = resumeOf(resume);
      if (champions.length === 0) return { items: [], next: null };
      const given = await (looked ??= givenCompanyChanges(run, champions).then(inOrder));
      const page = await run.source.moves({ ...search, position: start.moves, limit });
      const end = page.next === null ? null : pointAt(page.next);
      const inferred = given.filter(
        (change) =>
          (start.given === null || compareChanges(change, start.given) > 0) &&
          (end === null ||
            change.at < end.at ||
            (change.at === end.at && compareCodePoints(change.ref, end.ref) <= 0)),
      );
      const items = merged(start, page.items.filter(isOne), inferred);
      const taken = items.slice(0, limit);
      const last = taken.at(-1)?.position ?? start;
      if (taken.length < items.length) return { items: taken, next: last };
      return { items, next: page.next === null ? null : { ...last, moves: page.next } };
    },
    async judge(items) {
      const reported = new Set(await select(items.map(({ change }) => change)));
      return items.map(({ change }) => (reported.has(change) ? [change.finding] : []));
    },
  };
}

function resumeOf(resume: JsonValue): Resume {
  if (resume === null) return { moves: null, given: null };
  if (!isResume(resume)) throw new TypeError('not a place in the careers of champions');
  return resume;
}

/** Merges both in one order; each item has the position after it in both. */
function merged(
  start: Resume,
  moves: readonly ObservedMove[],
  given: readonly ChampionChange[],
): readonly Item[] {
  const items: Item[] = [];
  let position = start;
  const waiting = [...given];
  const takeGiven = (before: ChampionChange | null): void => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      // An inferred change comes before an observed one.
      if (before !== null && comparePoints(next, before) > 0) return;
      waiting.shift();
      const { at, ref, finding } = next;
      position = { ...position, given: { at, ref, subject: finding.subject } };
      items.push({ position, change: next });
    }
  };
  for (const move of moves) {
    const change = changeOfMove(move);
    takeGiven(change);
    position = { ...position, moves: move.position };
    items.push({ position, change });
  }
  takeGiven(null);
  return items;
}

type Placed = { readonly at: number; readonly ref: string };

const comparePoints = (one: Placed, other: Placed): number =>
  one.at - other.at || compareCodePoints(one.ref, other.ref);

const compareChanges = (one: ChampionChange, other: NonNullable<Resume['given']>): number =>
  comparePoints(one, other) || compareCodePoints(one.finding.subject, other.subject);

const inOrder = (changes: readonly ChampionChange[]): readonly ChampionChange[] =>
  changes.toSorted((one, other) =>
    compareChanges(one, { at: other.at, ref: other.ref, subject: other.finding.subject }),
  );
