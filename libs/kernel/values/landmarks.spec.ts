import fc from 'fast-check';
import { addRows, removeRows, wayDown, wayUp, type Landmarks } from './landmarks.js';

type Key = readonly [day: string, id: number];
type Kept = { landmarks: Landmarks<Key> | null; rows: Key[] };

const key = (number: number): Key => [`day ${String(Math.floor(number / 7)).padStart(9, '0')}`, number % 7];
const inOrder = ([leftDay, left]: Key, [rightDay, right]: Key): number =>
  leftDay < rightDay ? -1 : leftDay > rightDay ? 1 : left - right;

function added(kept: Kept, numbers: readonly number[]): Kept {
  const [first, ...rest] = numbers.map(key);
  if (first === undefined) return kept;
  return {
    landmarks: addRows(kept.landmarks, [first, ...rest]),
    rows: [...kept.rows, first, ...rest].sort(inOrder),
  };
}

function removed({ landmarks, rows }: Kept, gone: readonly Key[]): Kept {
  if (landmarks === null || gone.length === 0) return { landmarks, rows };
  return { landmarks: removeRows(landmarks, gone), rows: rows.filter((row) => !gone.includes(row)) };
}

const upFrom = ({ landmarks, rows }: Kept, before: number): Key | undefined => {
  const way = wayUp(landmarks, before);
  return way === null
    ? undefined
    : rows.filter((row) => !way.bound || inOrder(row, way.bound) >= 0)[way.skip];
};
const downFrom = ({ landmarks, rows }: Kept, before: number): Key | undefined => {
  const way = wayDown(landmarks, before);
  if (way === null) return undefined;
  return rows.filter((row) => way.bound === null || inOrder(row, way.bound) < 0).toReversed()[way.skip];
};
const longestWay = ({ landmarks }: Kept): number =>
  Math.max(...(landmarks?.marks ?? []).map(([, rows]) => rows));

const none: Kept = { landmarks: null, rows: [] };
const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

describe('the landmarks of a sorted collection', () => {
  it('lead to every row in both directions, after additions and removals in any order', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 900 });
    const places = fc.infiniteStream(fc.nat());
    fc.assert(
      fc.property(numbers, numbers, places, fc.integer({ min: 1, max: 9 }), (first, second, which, share) => {
        const before = added(none, first);
        const gone = before.rows.filter(() => (which.next().value ?? 0) % 10 < share);
        const between = removed(before, gone);
        const known = new Set(between.rows.map(String));
        const kept = added(
          between,
          second.filter((number) => !known.has(String(key(number)))),
        );
        for (const [place, row] of kept.rows.entries()) {
          expect(upFrom(kept, place)).toEqual(row);
          expect(downFrom(kept, kept.rows.length - 1 - place)).toEqual(row);
        }
        expect(wayUp(kept.landmarks, kept.rows.length)).toBeNull();
        expect(wayDown(kept.landmarks, kept.rows.length)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it('limit their number and the rows to skip for any number of rows', () => {
    for (const rows of [100, 10_000, 200_000]) {
      const kept = added(none, upTo(rows));
      const [marks, longest] = [kept.landmarks?.marks.length ?? Number.NaN, longestWay(kept)];
      const root = Math.sqrt(rows);
      expect([rows, marks <= Math.max(64, root), longest <= Math.max(64, 5 * root)]).toEqual([
        rows,
        true,
        true,
      ]);
    }
  });

  it('stay few while most of the added rows are removed again', () => {
    let kept = none;
    for (let first = 0; first < 40_000; first += 1_000) {
      kept = added(
        kept,
        upTo(1_000).map((number) => first + number),
      );
      kept = removed(kept, kept.rows.filter((_, place) => place % 10 !== 0).slice(0, 900));
    }
    expect(kept.landmarks?.marks.length).toBeLessThanOrEqual(64);
    expect(upFrom(kept, kept.rows.length - 1)).toEqual(kept.rows.at(-1));
  });

  it('are none without rows', () => {
    const one = added(none, [5]);
    expect(removed(one, one.rows).landmarks).toBeNull();
    expect(wayUp(null, 0)).toBeNull();
    expect(wayDown(null, 0)).toBeNull();
  });
});
