import { fieldError, refusal } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import type { RebuildProgress } from '#projection-engine/rebuild-progress.js';
import { RebuildRefused } from '#projection-engine/rebuild-work.js';
import { invalidInput } from './amounts.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import type { OperatorHost } from './operator-command.js';

export const ProjectionName = Type.String({
  description: 'name of the read model, as projections list shows it',
});
export const OptionalProjectionName = Type.Optional(
  Type.String({ description: 'name of one read model; default: all' }),
);

/** A rebuild, rollback, cancellation or verification that cannot be had now; nothing was changed. */
const projectionBusy = refusal({
  code: 'projection-not-ready',
  kind: 'conflicting',
  detail: 'The read model cannot do that now.',
});

/** The read models that a command is about: the named one, or all. Throws `invalidInput` naming the field. */
export async function chosenProjections(
  host: OperatorHost,
  name: string | undefined,
): Promise<readonly string[]> {
  const known = host.projections.names;
  if (name === undefined) return known;
  const meant = known.find((one) => one === name.replaceAll('_', '-'));
  if (meant === undefined)
    throw invalidInput({ errors: fieldError('name', `must be one of ${known.join(', ')}`) });
  return [meant];
}

/** Runs one thing on the engine; what the engine refuses becomes a refusal of the command. */
export async function orRefused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RebuildRefused) throw projectionBusy({ detail: `${error.message}.` });
    throw error;
  }
}

/** Progress of read models that are worked on at the same time, as one bar shows it: the sum of what is known. */
export function barsOf(
  names: readonly string[],
  onProgress: OnProgress,
): (name: string) => (progress: RebuildProgress) => void {
  const known = new Map<string, RebuildProgress>();
  return (name) => (progress) => {
    known.set(name, progress);
    const all = [...known.values()];
    const sum = (of: (one: RebuildProgress) => number): number =>
      all.reduce((total, one) => total + of(one), 0);
    const done = sum(({ events }) => events);
    // How much there is of all of them is known when it is known of each.
    const isKnown = known.size === names.length && all.every(({ etaSeconds }) => etaSeconds !== null);
    const left = sum(({ etaSeconds, eventsPerSecond }) => (etaSeconds ?? 0) * eventsPerSecond);
    onProgress({
      done,
      total: isKnown ? Math.round(done + left) : null,
      perSecond: sum(({ eventsPerSecond }) => eventsPerSecond),
      note: names.length === 1 ? `${name} ${progress.phase}` : `${names.length} read models ${phaseOf(all)}`,
    });
  };
}

/** Those that work together go on together: the phase of the one that is furthest behind. */
function phaseOf(all: readonly RebuildProgress[]): RebuildProgress['phase'] {
  return all.every(({ phase }) => phase === 'swapping') ? 'swapping' : 'building';
}
