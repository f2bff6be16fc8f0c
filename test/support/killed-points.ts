import type { Lived } from './mortal.js';

/** `KILL_STRIDE=1` kills at every point, as `npm run soak -- kills` does. */
const asked = process.env['KILL_STRIDE'];

/** The distance between killed points: this one, unless another is requested. */
export const killStride = (usual: number): number => (asked === undefined ? usual : Number(asked));

/** The points at which a campaign kills its work: from the first on, with this stride. */
export function killedPoints(points: number, stride: number, first = 1): readonly number[] {
  return everyPoint(points, killStride(stride), asked === undefined ? first : 1);
}

/** As `killedPoints`, but independent of `KILL_STRIDE`: for work that is too long to be killed at every point. */
export const everyPoint = (points: number, stride: number, first = 1): readonly number[] =>
  Array.from(
    { length: Math.max(0, Math.ceil((points - first + 1) / stride)) },
    (_, index) => first + index * stride,
  );

/** Work that starts from the beginning for each kill. */
export type Campaign<Work> = {
  readonly begin: () => Promise<Work>;
  /** Does it until the process dies at the point, or to its end. */
  readonly workUntil: (work: Work, fatalPoint: number) => Promise<Lived>;
  /** The checks of the final state, for a death at any point. */
  readonly check: (work: Work) => Promise<void>;
};

/** Does the work once undisturbed, and then kills it at the points that `pointsOf` names: a second process ends it. */
export async function killedAt<Work>(
  { begin, workUntil, check }: Campaign<Work>,
  pointsOf: (points: number) => readonly number[],
): Promise<void> {
  const undisturbed = await begin();
  const { died, points } = await workUntil(undisturbed, Infinity);
  const fatalPoints = pointsOf(points);
  expect([died, fatalPoints.length > 0]).toEqual([false, true]);
  await check(undisturbed);
  for (const fatalPoint of fatalPoints) {
    try {
      const work = await begin();
      await workUntil(work, fatalPoint);
      expect((await workUntil(work, Infinity)).died).toBe(false);
      await check(work);
    } catch (error) {
      throw new Error(`killed at point ${fatalPoint} of ${points}`, { cause: error });
    }
  }
}
