import type { MoveKind, ReadingOf } from './network-source.port.js';
import { currentExperience, type Experience, type PersonObservation } from './observation.js';
import type { Reading } from './sighting.js';
import { isSameCompany, isSameTitle, isKnown, seniorityRank, type CompanyNames } from './work-positions.js';

/**
 * The change between an accepted revision of a person and the previous one (D-25), stored permanently. Whether two
 * companies are the same may depend on a name that is observed later, so the kind of a move is determined when it is
 * read.
 */
export type RecordedMove = {
  readonly personRef: string;
  readonly rev: number;
  readonly observedAt: string;
  /** The current position before. */
  readonly from: Experience | null;
  /** The current position after. */
  readonly to: Experience | null;
  /** Open positions of the earlier revision with the title of `to`. */
  readonly alreadyOpen: readonly Experience[];
  /** The ended position of the new revision with the latest end, then start. */
  readonly lastEnded: Experience | null;
  /** Positions of the new revision with the title of `from`. */
  readonly likeFrom: readonly Experience[];
  /** The reading that showed the new revision; absent if it was ingested from a stream. */
  readonly source?: NonNullable<ReadingOf>;
};

/** A move with its kind: D-25 and D-26. */
export type Move = Pick<RecordedMove, 'personRef' | 'rev' | 'observedAt' | 'from'> & {
  readonly change: MoveKind;
  readonly previous: Experience | null;
  readonly current: Experience | null;
};

/**
 * The move to store for a new revision; null if it cannot be a move. A revision without a date is in no window
 * (D-27); a revision from a source has the date of its reading.
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

/** A company without a name may get one later; all other facts are in the two revisions. */
function canBecomeMove(move: RecordedMove): boolean {
  if (kindOf(move, () => null) !== null) return true;
  const { from, to, alreadyOpen } = move;
  if (from === null || to === null || isSameCompany(from, to, () => null) !== null) return false;
  if (alreadyOpen.some((open) => isSameCompany(open, to, () => null) === true)) return false;
  return [from, to].every(({ companyRef, companyName }) => companyRef !== null || companyName !== null);
}

/** The move, with the current names of the companies; null if it is none. */
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
  if (isSame === null || !isKnown(from.title) || !isKnown(to.title)) return null;
  if (isSameTitle(from.title, to.title)) return null;
  const [before, after] = [seniorityRank(from.seniority), seniorityRank(to.seniority)];
  return before !== null && after !== null && after > before ? null : 'promotion';
}

/**
 * D-26: the end of the position in the new revision. Of several positions at one company with one title the one with
 * the same start counts; an open one has not ended.
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

/** The old company (D-26): departures from a company are looked up by it. */
export function leftCompanyRef({ from, lastEnded }: RecordedMove): string | null {
  return (from ?? lastEnded)?.companyRef ?? null;
}
