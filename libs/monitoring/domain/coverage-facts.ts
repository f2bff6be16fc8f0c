import type { RefusalReason } from './account-monitoring.events.js';

/** A period in which an account was covered, excluding its end. */
export type Covered = { readonly from: string; readonly until: string };

/** The periods with this one added, in order, adjacent ones merged. Timestamps compare as text. */
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

/** The state of an account for one business unit, as in its read model and in the recount of verify. */
export type UnitStanding = {
  /** `monitored` includes a due unit that was not tried yet; `stopped`: no list or pick requests it. */
  readonly status: 'monitored' | 'not_covered' | 'stopped';
  /** If it is requested: when its month ends, or since when it needs one. */
  readonly lapsesAt: string | null;
  /** Why its month was refused; null if it is covered, or was not tried. */
  readonly refusal: RefusalReason | null;
};

/** Since when it needs a month: requested within a paid month, nothing is due before the end of that month. */
export const lapseOf = (coveredUntil: string | null, wantedSince: string): string =>
  coveredUntil !== null && coveredUntil >= wantedSince ? coveredUntil : wantedSince;

/**
 * Since when and why a business unit has no cover for a requested account; null if it is covered or not requested.
 */
export const notCovered = ({
  status,
  lapsesAt,
  refusal,
}: UnitStanding): { readonly since: string | null; readonly reason: RefusalReason | null } | null =>
  status === 'not_covered' ? { since: lapsesAt, reason: refusal } : null;

type Times = Omit<UnitStanding, 'refusal'> & { readonly covered: readonly Covered[] };

/** A due unit that was not tried yet counts as covered until it is (OP-27). */
export const whileDue = ({ status, lapsesAt, covered }: Times, until: string): readonly Covered[] =>
  status === 'monitored' && lapsesAt !== null ? withCovered(covered, { from: lapsesAt, until }) : covered;

/** Whether it was covered at a moment, by current knowledge: a due unit that was not tried counts as covered. */
export function isCoveredAt({ covered, status, lapsesAt }: Times, at: string): boolean {
  const isDue = status === 'monitored' && lapsesAt !== null && lapsesAt <= at;
  return isDue || isCovered(covered, at);
}

/**
 * Whether signals about it are found at a moment (D-16). A free month ends with the monitoring; a paid month is used
 * to its end.
 */
export function isWatchedAt(
  unit: Times & { readonly wantedSince: string | null; readonly stoppedAt: string | null },
  at: string,
  isExempt: boolean,
): boolean {
  const { wantedSince, stoppedAt } = unit;
  const isThere = !isExempt || wantedSince !== null || (stoppedAt !== null && stoppedAt > at);
  return isThere && isCoveredAt(unit, at);
}
