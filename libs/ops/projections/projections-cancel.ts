import { Type } from '#kernel/values/schema.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import { RebuildRefused } from '#projection-engine/rebuild-work.js';
import { operatorCommand, type OperatorHost } from '../support/operator-command.js';
import {
  chosenProjection,
  OptionalProjectionName,
  orRefused,
  ProjectionName,
} from '../support/projection-host.js';

const Done = Type.Object({ name: Type.String(), outcome: Type.String() });

export const projectionsCancel = operatorCommand({
  name: 'projections.cancel',
  summary:
    'Stop the running rebuild or verification in whichever process it runs; a stopped rebuild can be continued',
  input: Type.Object({ name: ProjectionName }),
  output: Done,
  async run(host, input) {
    const name = chosenProjection(host, input.name);
    await orRefused(host.projections.cancel(name));
    return { name, outcome: 'asked to stop' };
  },
});

export const projectionsAbandon = operatorCommand({
  name: 'projections.abandon',
  summary:
    'Remove the unfinished generation of a stopped rebuild, or of all stopped rebuilds; the live read models do not change',
  input: Type.Object({ name: OptionalProjectionName }),
  output: Type.Union([Done, Type.Object({ abandoned: Type.Array(Type.String()) })]),
  async run(host, { name: given }, _context, onProgress) {
    if (given === undefined) return abandonAll(host, onProgress);
    const name = chosenProjection(host, given);
    await orRefused(host.projections.abandon(name));
    return { name, outcome: 'abandoned' };
  },
});

/** A read model without an unfinished rebuild, or with one that goes on, stays as it is. */
async function abandonAll(
  host: OperatorHost,
  onProgress: OnProgress,
): Promise<{ readonly abandoned: readonly string[] }> {
  const abandoned: string[] = [];
  const { names } = host.projections;
  for (const [done, name] of names.entries()) {
    onProgress({ done, total: names.length, note: name });
    try {
      await host.projections.abandon(name);
      abandoned.push(name);
    } catch (error) {
      if (!(error instanceof RebuildRefused)) throw error;
    }
  }
  return { abandoned };
}
