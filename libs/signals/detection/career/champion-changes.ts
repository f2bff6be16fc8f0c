import type { ObservedMove } from '#network/network-source.port.js';
import type { Finding } from '#signals/detection/finding.js';
import { moveFinding } from './career-finding.js';
import type { NarrowedMove } from './narrowing.js';

/** A career move of a champion, either observed or inferred from the company given with the champion. */
export type ChampionChange = NarrowedMove & {
  /** Its place in the order: by date, then ref, inferred before observed. */
  readonly at: number;
  readonly ref: string;
  readonly change: ObservedMove['change'];
  readonly finding: Finding;
};

/** A move of a champion: about the new employer, or, for a departure, about the old one. */
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
