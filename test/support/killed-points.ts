/** `KILL_STRIDE=1` kills at every point, as `npm run soak -- kills` does. */
const asked = process.env['KILL_STRIDE'];

/** Points of a work at which a campaign kills it: from the first on, with so many from one to the next. */
export function killedPoints(points: number, stride: number, first = 1): readonly number[] {
  const step = asked === undefined ? stride : Number(asked);
  const from = asked === undefined ? first : 1;
  return Array.from(
    { length: Math.max(0, Math.ceil((points - from + 1) / step)) },
    (_, index) => from + index * step,
  );
}
