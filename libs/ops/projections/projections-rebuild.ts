import { Type } from '#kernel/values/schema.js';
import { OPERATOR_PACE } from '#projection-engine/projection-engine.js';
import type { RebuildProgress } from '#projection-engine/rebuild-progress.js';
import type { RebuildOptions } from '#projection-engine/rebuild-work.js';
import type { RebuildOutcome } from '#projection-engine/swap-in.js';
import { operatorCommand, type OperatorHost } from '../support/operator-command.js';
import {
  barsOf,
  chosenProjection,
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
  summary: 'Rebuild read models beside the live ones and swap; a stopped rebuild is continued',
  input: Type.Object({ name: OptionalProjectionName }),
  output: Type.Object({ ok: Type.Boolean(), rebuilt: Type.Array(Rebuilt) }),
  async run(host, { name }, _context, onProgress) {
    const names = chosenProjections(host, name);
    const bars = barsOf(names, onProgress);
    const rebuild = host.projections.rebuildTogether(names.length);
    const outcomes = await Promise.allSettled(
      names.map((one) => {
        const { options, answer } = metered(host, one, bars(one));
        return answer(rebuild(one, options));
      }),
    );
    const rebuilt = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
    return { ok: rebuilt.every(({ outcome }) => outcome === 'live'), rebuilt };
  },
});

export const projectionsRollback = operatorCommand({
  name: 'projections.rollback',
  summary: 'Update the previous generation and swap back to it',
  input: Type.Object({
    name: ProjectionName,
    generation: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'generation to go back to: a repetition changes nothing; default: the previous one, so that a repetition goes forth again',
      }),
    ),
  }),
  output: Type.Object({ ok: Type.Boolean(), rebuilt: Type.Array(Rebuilt) }),
  async run(host, input, _context, onProgress) {
    const name = chosenProjection(host, input.name);
    const bars = barsOf([name], onProgress);
    const { options, answer } = metered(host, name, bars(name));
    const rebuilt = await answer(
      host.projections.rollback(name, { ...options, generation: input.generation }),
    );
    return { ok: rebuilt.outcome === 'live', rebuilt: [rebuilt] };
  },
});

type Metered = {
  readonly options: RebuildOptions;
  /** The outcome of the rebuild, with its reported progress. */
  readonly answer: (outcome: Promise<RebuildOutcome>) => Promise<typeof Rebuilt.static>;
};

function metered(host: OperatorHost, name: string, bar: (progress: RebuildProgress) => void): Metered {
  let events = 0;
  let eventsPerSecond = 0;
  const onProgress = (progress: RebuildProgress): void => {
    ({ events, eventsPerSecond } = progress);
    bar(progress);
  };
  return {
    options: { ...(host.isAlone ? { pace: OPERATOR_PACE } : {}), onProgress },
    async answer(awaited) {
      const result = await orRefused(awaited);
      return {
        name,
        outcome: result.outcome,
        generation: result.generation,
        reason: result.outcome === 'halted' ? result.reason : null,
        events,
        events_per_second: Math.round(eventsPerSecond),
      };
    },
  };
}
