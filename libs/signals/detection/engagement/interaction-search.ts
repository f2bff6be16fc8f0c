import { INTERACTIONS, isInteraction, type Interaction } from '#signals/domain/runs/interaction-facts.js';
import type { InteractionKind, ObservedInteraction, Whose } from '#network/network-source.port.js';
import { positionFrom } from '#network/position.js';
import type { DetectorRun, Findings, Search } from '#signals/detection/detector.js';
import { windowOf } from '#signals/detection/window.js';

/** The two sides of the interactions of a run. */
export type Encounter = {
  readonly tracked: Whose;
  /** Narrows the reads; null: any other side. */
  readonly other: Whose | null;
  readonly kinds: readonly InteractionKind[];
};

/** The signal types of this run in one direction. */
export const signalsOf = ({
  signalTypes,
  direction,
}: Pick<DetectorRun<unknown>, 'signalTypes' | 'direction'>): readonly Interaction[] =>
  signalTypes.filter(isInteraction).filter((type) => INTERACTIONS[type].direction === direction);

/** Kinds of interactions in which these signals occur. */
export const kindsOf = (types: readonly Interaction[]): readonly InteractionKind[] => [
  ...new Set(types.map((type) => INTERACTIONS[type].kind)),
];

/** Interactions of the tracked side in the window of a run, oldest first. */
export function interactionSearch(
  run: DetectorRun<unknown>,
  { tracked, other, kinds }: Encounter,
  judge: (seen: readonly ObservedInteraction[]) => Findings | Promise<Findings>,
): Search<ObservedInteraction> {
  const whose =
    run.direction === 'inbound'
      ? { on: tracked, ...(other !== null && { by: other }) }
      : { by: tracked, ...(other !== null && { on: other }) };
  return {
    read: (resume, limit) =>
      run.source.interactions({ ...windowOf(run), ...whose, kinds, position: positionFrom(resume), limit }),
    judge,
  };
}
