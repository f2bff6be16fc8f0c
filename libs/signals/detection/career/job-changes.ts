import type { CompanyFacts, NetworkDirectory } from '#network/network-directory.port.js';
import type { MoveScope, ObservedMove } from '#network/network-source.port.js';
import { positionFrom } from '#network/position.js';
import { isSameCompany, isSameTitle, isKnown, nameGiven } from '#network/work-positions.js';
import type { DetectorRun, Search } from '#signals/detection/detector.js';
import type { Finding } from '#signals/detection/finding.js';
import { windowOf } from '#signals/detection/window.js';
import { isOldEntry } from './old-entries.js';

/** Reports each of these moves, in the same order. */
export type FindingsOfMoves = (
  moves: readonly ObservedMove[],
) => readonly (Finding | null)[] | Promise<readonly (Finding | null)[]>;

/**
 * Moves in the window of a run, oldest first; `of` narrows the people, null: everybody. `findingsOf` reports the moves that
 * pass. With `titles`, moves whose new title contains none of them may be left out before.
 */
export function movesInWindow(
  run: DetectorRun<unknown>,
  of: MoveScope | null,
  findingsOf: FindingsOfMoves,
  isNews: (moves: readonly ObservedMove[]) => Promise<(move: ObservedMove) => boolean>,
  titles?: readonly string[],
): Search<ObservedMove> {
  const search = {
    ...windowOf(run),
    ...(of === null ? {} : { of }),
    ...(titles === undefined ? {} : { titles }),
  };
  return {
    read: (resume, limit) => run.source.moves({ ...search, position: positionFrom(resume), limit }),
    async judge(moves) {
      const news = moves.filter(await isNews(moves));
      const findings = await findingsOf(news);
      const found = new Map(news.map((move, index) => [move, findings[index] ?? null]));
      return moves.map((move) => [found.get(move) ?? []].flat());
    },
  };
}

/**
 * People who took a new position in the window, at the accounts of the run if it has some, and still hold it (D-28);
 * `titles` as in `movesInWindow`.
 */
export async function newPositions(
  run: DetectorRun<unknown>,
  findingsOf: FindingsOfMoves,
  titles?: readonly string[],
): Promise<Search<ObservedMove>> {
  const toCompanyRefs = await run.watched.accounts();
  const isNews = async (moves: readonly ObservedMove[]): Promise<(move: ObservedMove) => boolean> => {
    const isHeld = await holders(run.directory, moves);
    return (move) => isRecent(move) && isHeld(move);
  };
  return movesInWindow(run, toCompanyRefs && { toCompanyRefs }, findingsOf, isNews, titles);
}

/** D-28: a position that began long before it was observed is a corrected old entry. */
export const isRecent = ({ current, observedAt }: ObservedMove): boolean =>
  current === null || !isOldEntry(current.startDate, observedAt);

/**
 * Whether the new position is still the current one: same company, same title. A member that is unknown on one side
 * counts as equal (D-11).
 */
async function holders(
  directory: NetworkDirectory,
  moves: readonly ObservedMove[],
): Promise<(move: ObservedMove) => boolean> {
  const employers = await namesNeeded(directory, moves);
  return ({ person, rev, current, currentCompany }) => {
    const present = person.current;
    if (current === null || present === null) return false;
    if (person.rev === rev) return true;
    const nameOf = (ref: string): string | null =>
      (ref === currentCompany?.ref ? currentCompany : employers.get(ref))?.name ?? null;
    if (isSameCompany(current, present, nameOf) === false) return false;
    if (!isKnown(current.title) || !isKnown(present.title)) return true;
    return isSameTitle(current.title, present.title);
  };
}

/** Employers that have to be compared by name, because one of two positions has only a name (D-24). */
async function namesNeeded(
  directory: NetworkDirectory,
  moves: readonly ObservedMove[],
): Promise<ReadonlyMap<string, CompanyFacts>> {
  const refs = moves.flatMap(({ current, person: { current: present } }) =>
    current?.companyRef === null && present !== null && nameGiven(present) === null
      ? [present.companyRef]
      : [],
  );
  const needed = new Set(refs.filter((ref) => ref !== null));
  return needed.size === 0 ? new Map() : directory.companies([...needed]);
}
