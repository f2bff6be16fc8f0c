import type { LaunchPersona } from '#signals/domain/launches/launch.events.js';
import type { ObservedMove } from '#network/network-source.port.js';
import type { DetectorRun, Search } from '#signals/detection/detector.js';
import { personaMatcher } from '#signals/detection/persona-match.js';
import { moveFinding } from './career-finding.js';
import { newPositions } from './job-changes.js';
import { oneIn } from './titles.js';

/** Answers of a setup that replace those of its persona (D-60); absent and empty ones do not. */
type OwnAnswers = {
  readonly jobTitles: readonly string[] | undefined;
  readonly locations?: readonly string[] | undefined;
};

/** New positions with a title of the persona, of people who match it; null: the launch has no persona. */
export async function personaPositions(
  run: DetectorRun<unknown>,
  signalType: 'newJob' | 'recentlyPromoted',
  { jobTitles = [], locations = [] }: OwnAnswers,
  isWanted: (move: ObservedMove) => boolean,
): Promise<Search<ObservedMove> | null> {
  if (run.persona === null) return null;
  const persona: LaunchPersona = {
    ...run.persona,
    ...(jobTitles.length > 0 && { jobTitles }),
    ...(locations.length > 0 && { locations }),
  };
  const [matches, isTitled] = [personaMatcher(persona), oneIn(persona.jobTitles)];
  const search = await newPositions(
    run,
    (moves) =>
      moves.map((move) =>
        isWanted(move) && isTitled(move.current?.title ?? null) && matches(move.person)
          ? moveFinding(signalType, move, move.currentCompany)
          : null,
      ),
    persona.jobTitles,
  );
  return { ...search, persona };
}
