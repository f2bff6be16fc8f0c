import { fieldError, refusal } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import type { RebuildProgress } from '#projection-engine/rebuild-progress.js';
import { RebuildRefused } from '#projection-engine/rebuild-work.js';
import { RetryRefused } from '#projection-engine/retry-request.js';
import { invalidInput } from './amounts.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import type { OperatorHost } from './operator-command.js';

export const ProjectionName = Type.String({
  description: 'name of the read model, as projections list shows it',
});
export const OptionalProjectionName = Type.Optional(
  Type.String({ description: 'name of one read model; default: all' }),
);

/** Work on a read model that is not possible now, or has stopped before its end. */
const projectionBusy = refusal({
  code: 'projection-not-ready',
  kind: 'conflicting',
  detail: 'The read model cannot do that now.',
});

/** The read models of a command: the named one, or all. Throws `invalidInput` naming the field. */
export function chosenProjections(host: OperatorHost, name: string | undefined): readonly string[] {
  return name === undefined ? host.projections.names : [chosenProjection(host, name)];
}

/** The read model with this name, in which `_` may stand for `-`. Throws `invalidInput` naming the field. */
export function chosenProjection(host: OperatorHost, name: string): string {
  const known = host.projections.names;
  const meant = known.find((one) => one === name.replaceAll('_', '-'));
  if (meant === undefined)
    throw invalidInput({ errors: fieldError('name', `must be one of ${known.join(', ')}`) });
  return meant;
}

/** Runs one operation on the engine; an error of the engine becomes a refusal of the command. */
export async function orRefused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RebuildRefused || error instanceof RetryRefused)
      throw projectionBusy({ detail: `${error.message}.` });
    throw error;
  }
}

/** The progress of concurrent work on read models for one progress bar: the sum of the known values. */
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
    // The total is known when it is known for each read model.
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

/** The phase of the read model with the least progress. */
function phaseOf(all: readonly RebuildProgress[]): RebuildProgress['phase'] {
  return all.every(({ phase }) => phase === 'swapping') ? 'swapping' : 'building';
}
