import { fieldError, refusal } from '#kernel/refusal.js';
import { Type } from '#kernel/schema.js';
import type { RebuildProgress } from '#projection-engine/rebuild-progress.js';
import { RebuildRefused } from '#projection-engine/rebuild.js';
import { invalidInput } from './amounts.js';
import type { OnProgress, OperatorHost } from './operator-command.js';

export const ProjectionName = Type.String({
  description: 'the read model; projections list tells the names',
});
export const OptionalProjectionName = Type.Optional(
  Type.String({ description: 'one read model; every one when absent' }),
);

/** A rebuild, rollback, cancellation or verification that cannot be had now; nothing was changed. */
export const projectionBusy = refusal({
  code: 'projection-not-ready',
  kind: 'conflicting',
  detail: 'The read model cannot do that now.',
});

/** The read models that a command is about: the named one, or all. Throws `invalidInput` naming the field. */
export async function chosenProjections(
  host: OperatorHost,
  name: string | undefined,
): Promise<readonly string[]> {
  const known = (await host.projections.status()).map((status) => status.name);
  if (name === undefined) return known;
  if (!known.includes(name))
    throw invalidInput({ errors: fieldError('name', `must be one of ${known.join(', ')}`) });
  return [name];
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

/** Progress of one read model, as a bar shows it. */
export function barOf(name: string, onProgress: OnProgress): (progress: RebuildProgress) => void {
  return ({ events, eventsPerSecond, etaSeconds, phase }) => {
    const left = etaSeconds === null ? null : etaSeconds * eventsPerSecond;
    onProgress({
      done: events,
      total: left === null ? null : Math.round(events + left),
      perSecond: eventsPerSecond,
      note: `${name} ${phase}`,
    });
  };
}
