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

/** How the killed work ended, and the point at which it was to die. */
export type Killed = Lived & { readonly fatalPoint: number };

/** Work that starts from the beginning for each kill. */
export type Campaign<Work, Finished = void> = {
  readonly begin: () => Promise<Work>;
  /** Does it until the process dies at the point, or to its end. */
  readonly workUntil: (work: Work, fatalPoint: number) => Promise<Lived>;
  /** The points at which it is killed, of so many that the undisturbed work passes. Absent: all of them. */
  readonly pointsOf?: (points: number) => readonly number[];
  /** The undisturbed work passes more points than this. */
  readonly morePointsThan?: number;
  /** No kill comes after the end of the work. Absent: most of them do not. */
  readonly alwaysDies?: boolean;
  /** What follows the kill, before the checks. Absent: a second process does the work to its end. */
  readonly finish?: (work: Work, killed: Killed) => Promise<Finished>;
  /** The checks of the final state, without a result of `finish` for the undisturbed work. */
  readonly check: (work: Work, finished?: Finished) => Promise<void>;
};

/** Throws an error that says where another one occurred. It contains its text, because no reporter shows a cause. */
export const failedIn =
  (where: string) =>
  (cause: unknown): never => {
    throw new Error(`${where}: ${cause instanceof Error ? cause.stack : String(cause)}`, { cause });
  };

/** Does the work once undisturbed, and then kills it at each of the points; returns the results of `finish`. */
export async function killedAt<Work, Finished>(
  campaign: Campaign<Work, Finished>,
): Promise<readonly Finished[]> {
  const { begin, workUntil, finish, check, morePointsThan = 0, alwaysDies = false } = campaign;
  const undisturbed = await begin();
  const { died, points } = await workUntil(undisturbed, Infinity);
  expect(died).toBe(false);
  expect(points).toBeGreaterThan(morePointsThan);
  await check(undisturbed);
  const fatalPoints = campaign.pointsOf?.(points) ?? everyPoint(points, 1);
  const results: Finished[] = [];
  let deaths = 0;
  for (const fatalPoint of fatalPoints) {
    try {
      const work = await begin();
      const lived = await workUntil(work, fatalPoint);
      if (lived.died) deaths += 1;
      if (alwaysDies) expect(lived.died).toBe(true);
      const finished = await finish?.(work, { ...lived, fatalPoint });
      if (finish === undefined) expect((await workUntil(work, Infinity)).died).toBe(false);
      if (finished !== undefined) results.push(finished);
      await check(work, finished);
    } catch (error) {
      failedIn(`killed at point ${fatalPoint} of ${points}`)(error);
    }
  }
  expect(deaths).toBeGreaterThan(fatalPoints.length / 2);
  return results;
}
