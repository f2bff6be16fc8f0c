import type { MoveKind, ReadingOf } from './network-source.port.js';
import { currentExperience, type Experience, type PersonObservation } from './observation.js';
import type { Reading } from './sighting.js';
import { isSameCompany, isSameTitle, seniorityRank, type CompanyNames } from './work-positions.js';

/**
 * What one accepted revision of a person changed against the one accepted before it (D-25), as it is kept for
 * ever. Whether two companies are the same may turn on a name that nobody observed yet, so the kind of a move is
 * told when it is read.
 */
export type RecordedMove = {
  readonly personRef: string;
  readonly rev: number;
  readonly observedAt: string;
  /** The present position before. */
  readonly from: Experience | null;
  /** The present position after. */
  readonly to: Experience | null;
  /** Positions of the earlier revision that were open and have the title of `to`. */
  readonly alreadyOpen: readonly Experience[];
  /** The ended position of the new revision with the latest end, then start. */
  readonly lastEnded: Experience | null;
  /** Positions of the new revision with the title of `from`. */
  readonly likeFrom: readonly Experience[];
  /** The reading that showed the new revision; absent for what was piped in. */
  readonly source?: NonNullable<ReadingOf>;
};

/** A move as it is told: D-25 and D-26. */
export type Move = Pick<RecordedMove, 'personRef' | 'rev' | 'observedAt' | 'from'> & {
  readonly change: MoveKind;
  readonly previous: Experience | null;
  readonly current: Experience | null;
};

/**
 * What is to be kept of a new revision; null where it is no move and never can be one. A revision without its
 * date is in no window (D-27); one that a source showed is dated by its reading.
 */
export function recordedMove(
  before: PersonObservation,
  after: PersonObservation,
  source: Reading | null = null,
): RecordedMove | null {
  const { ref: personRef, rev } = after;
  const observedAt = after.observedAt ?? (source === null ? null : new Date(source.readAtMs).toISOString());
  if (observedAt === null || before.experiences === null || after.experiences === null) return null;
  const from = currentExperience(before.experiences);
  const to = currentExperience(after.experiences);
  if (from === null && to === null) return null;
  const move: RecordedMove = {
    personRef,
    rev,
    observedAt,
    from,
    to,
    alreadyOpen:
      to === null
        ? []
        : before.experiences.filter(({ endDate, title }) => endDate === null && isSameTitle(title, to.title)),
    lastEnded: from === null ? lastEnded(after.experiences) : null,
    likeFrom: from === null ? [] : after.experiences.filter(({ title }) => isSameTitle(title, from.title)),
    ...(source !== null && { source: { sourceId: source.sourceId, readAtMs: source.readAtMs } }),
  };
  return canBecomeMove(move) ? move : null;
}

/** A company without a name may get one; all else that decides is in the two revisions. */
function canBecomeMove(move: RecordedMove): boolean {
  if (kindOf(move, () => null) !== null) return true;
  const { from, to, alreadyOpen } = move;
  if (from === null || to === null || isSameCompany(from, to, () => null) !== null) return false;
  if (alreadyOpen.some((open) => isSameCompany(open, to, () => null) === true)) return false;
  return [from, to].every(({ companyRef, companyName }) => companyRef !== null || companyName !== null);
}

/** The move, with the companies' names as they are known now; null where it is none. */
export function moveOf(recorded: RecordedMove, nameOf: CompanyNames): Move | null {
  const change = kindOf(recorded, nameOf);
  if (change === null) return null;
  const { personRef, rev, observedAt, from, to } = recorded;
  const previous = from === null ? recorded.lastEnded : { ...from, endDate: endOf(from, recorded, nameOf) };
  return { personRef, rev, observedAt, change, from, previous, current: to };
}

/** D-25: the first line that applies. */
function kindOf({ from, to, alreadyOpen }: RecordedMove, nameOf: CompanyNames): MoveKind | null {
  if (to === null) return 'departure';
  if (alreadyOpen.some((open) => isSameCompany(open, to, nameOf) === true)) return null;
  const isSame = from === null ? false : isSameCompany(from, to, nameOf);
  if (from === null || isSame === false) return 'new_company';
  if (isSame === null || from.title === null || to.title === null) return null;
  if (isSameTitle(from.title, to.title)) return null;
  const [before, after] = [seniorityRank(from.seniority), seniorityRank(to.seniority)];
  return before !== null && after !== null && after > before ? null : 'promotion';
}

/**
 * D-26: when the new revision says that the position ended. Of several at one company under one title the one
 * with the same start counts; one that is still open has not ended.
 */
function endOf(from: Experience, { likeFrom }: RecordedMove, nameOf: CompanyNames): string | null {
  const alike = likeFrom.filter((position) => isSameCompany(position, from, nameOf) === true);
  const exact = alike.filter(({ startDate }) => startDate === from.startDate);
  const ends = (exact.length > 0 ? exact : alike).map(({ endDate }) => endDate);
  return ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
}

function lastEnded(experiences: readonly Experience[]): Experience | null {
  let last: Experience | null = null;
  for (const experience of experiences) {
    if (experience.endDate === null) continue;
    if (last === null || isLater(experience, last)) last = experience;
  }
  return last;
}

function isLater(one: Experience, other: Experience): boolean {
  const [end, otherEnd] = [one.endDate ?? '', other.endDate ?? ''];
  return end === otherEnd ? (one.startDate ?? '') > (other.startDate ?? '') : end > otherEnd;
}

/** The company that was left (D-26): what departures from a company are looked for by. */
export function leftCompanyRef({ from, lastEnded }: RecordedMove): string | null {
  return (from ?? lastEnded)?.companyRef ?? null;
}
