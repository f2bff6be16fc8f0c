import { grouped } from '#kernel/values/grouped.js';
import { DAY_MS } from '#kernel/values/durations.js';
import type { ObservedMove } from '#network/network-source.port.js';
import type { DetectorRun } from '#signals/detection/detector.js';
import type { ListedPerson } from '#signals/detection/watched.js';

/**
 * Moves of a champion count from this long before the champion was added, because the network shows some late (D-50).
 */
const BEFORE_ADDED_MS = 3 * DAY_MS;

/** The time from which moves of a champion count, in milliseconds since 1970. */
const countsFrom = ({ addedAt }: Pick<ListedPerson, 'addedAt'>): number =>
  Date.parse(addedAt) - BEFORE_ADDED_MS;

/** The query for every move of these champions that may count. */
export const championMoves = (
  { now }: Pick<DetectorRun<unknown>, 'now'>,
  champions: readonly ListedPerson[],
) => ({
  after: new Date(champions.reduce((first, one) => Math.min(first, countsFrom(one)), now.getTime()) - 1),
  until: now,
  of: { personRefs: [...new Set(champions.map(({ personRef }) => personRef))].sort() },
});

/** By person, because a person may be on a list as several members. */
export const byPerson = (champions: readonly ListedPerson[]): ReadonlyMap<string, readonly ListedPerson[]> =>
  grouped(champions.map((champion) => [champion.personRef, champion]));

export const counts = (move: Pick<ObservedMove, 'observedAt'>, champion: ListedPerson): boolean =>
  Date.parse(move.observedAt) >= countsFrom(champion);
