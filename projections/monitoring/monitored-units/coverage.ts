/** A time in which an account was covered, its end not in it. */
export type Covered = { readonly from: string; readonly until: string };

/** The times with this one among them, in order, those that meet as one. Instants compare as text. */
export function withCovered(times: readonly Covered[], { from, until }: Covered): readonly Covered[] {
  if (until <= from) return times;
  const before = times.filter((time) => time.until < from);
  const after = times.filter((time) => time.from > until);
  const meeting = times.filter((time) => time.until >= from && time.from <= until);
  const joined = meeting.reduce(
    (all, time) => ({
      from: time.from < all.from ? time.from : all.from,
      until: time.until > all.until ? time.until : all.until,
    }),
    { from, until },
  );
  return [...before, joined, ...after];
}

export const isCovered = (times: readonly Covered[], at: string): boolean =>
  times.some(({ from, until }) => from <= at && at < until);
