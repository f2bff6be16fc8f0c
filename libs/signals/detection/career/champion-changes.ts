import type { ObservedMove } from '#network/network-source.port.js';
import type { Finding } from '#signals/detection/finding.js';
import { moveFinding } from './career-finding.js';
import type { NarrowedMove } from './narrowing.js';

/** A career move of a champion, seen or told by the company that was given with the champion. */
export type ChampionChange = NarrowedMove & {
  /** Its place among the others: of one date by ref, what was given before what was seen. */
  readonly at: number;
  readonly ref: string;
  readonly change: ObservedMove['change'];
  readonly finding: Finding;
};

/** A move of a champion: about the new employer, at a departure about the one that was left. */
export function changeOfMove(move: ObservedMove): ChampionChange {
  const { change, person, current, previous, currentCompany, previousCompany } = move;
  const [position, company] =
    change === 'departure' ? [previous, previousCompany] : [current, currentCompany];
  return {
    at: Date.parse(move.observedAt),
    ref: move.personRef,
    change,
    person,
    title: position?.title ?? null,
    company,
    employers: [previousCompany, currentCompany],
    finding: moveFinding('championJobChange', move, company),
  };
}
