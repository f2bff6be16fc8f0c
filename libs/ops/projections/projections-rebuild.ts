import { inPieces } from '#kernel/values/pieces.js';
import { Type } from '#kernel/values/schema.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { OPERATOR_PACE } from '#projection-engine/projection-engine.js';
import type { RebuildProgress } from '#projection-engine/rebuild-progress.js';
import type { RebuildOptions } from '#projection-engine/rebuild-work.js';
import type { RebuildOutcome } from '#projection-engine/swap-in.js';
import { operatorCommand, type OperatorHost } from '../support/operator-command.js';
import {
  barsOf,
  chosenProjections,
  orRefused,
  OptionalProjectionName,
  ProjectionName,
} from '../support/projection-host.js';

const Rebuilt = Type.Object({
  name: Type.String(),
  outcome: Type.String(),
  generation: Type.Integer(),
  reason: Type.Union([Type.String(), Type.Null()]),
  events: Type.Integer(),
  events_per_second: Type.Number(),
});

export const projectionsRebuild = operatorCommand({
  name: 'projections.rebuild',
  summary: 'Build read models anew beside the live ones and swap; goes on where a stopped rebuild was',
  input: Type.Object({ name: OptionalProjectionName }),
  output: Type.Object({ ok: Type.Boolean(), rebuilt: Type.Array(Rebuilt) }),
  async run(host, { name }, _context, onProgress) {
    const { projections } = host;
    const rebuilt: (typeof Rebuilt.static)[] = [];
    for (const names of inPieces(await chosenProjections(host, name), projections.rebuildsAtOnce)) {
      const bars = barsOf(names, onProgress);
      rebuilt.push(
        ...(await sideBySide(names, names.length, (one) =>
          measured(host, one, bars(one), (options) => projections.rebuild(one, options)),
        )),
      );
      // Asked to stop: not only this one.
      if (rebuilt.some(({ outcome }) => outcome === 'cancelled')) break;
    }
    return { ok: rebuilt.every(({ outcome }) => outcome === 'live'), rebuilt };
  },
});

export const projectionsRollback = operatorCommand({
  name: 'projections.rollback',
  summary: 'Bring the generation that was live before up to date and swap back to it',
  input: Type.Object({ name: ProjectionName }),
  output: Type.Object({ ok: Type.Boolean(), rebuilt: Type.Array(Rebuilt) }),
  async run(host, { name }, _context, onProgress) {
    await chosenProjections(host, name);
    const bars = barsOf([name], onProgress);
    const answer = await measured(host, name, bars(name), (options) =>
      host.projections.rollback(name, options),
    );
    return { ok: answer.outcome === 'live', rebuilt: [answer] };
  },
});

async function measured(
  host: OperatorHost,
  name: string,
  bar: (progress: RebuildProgress) => void,
  build: (options: RebuildOptions) => Promise<RebuildOutcome>,
): Promise<typeof Rebuilt.static> {
  let events = 0;
  let eventsPerSecond = 0;
  const result = await orRefused(
    build({
      ...(host.isAlone ? { pace: OPERATOR_PACE } : {}),
      onProgress: (progress) => {
        ({ events, eventsPerSecond } = progress);
        bar(progress);
      },
    }),
  );
  return {
    name,
    outcome: result.outcome,
    generation: result.generation,
    reason: result.outcome === 'halted' ? result.reason : null,
    events,
    events_per_second: Math.round(eventsPerSecond),
  };
}
