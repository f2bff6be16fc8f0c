import { inPieces } from '#kernel/values/pieces.js';
import { Type } from '#kernel/values/schema.js';
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
    const begun: Begun[] = [];
    for (const names of inPieces(await chosenProjections(host, name), host.projections.rebuildsAtOnce)) {
      const bars = barsOf(names, onProgress);
      const piece = names.map((one) => begin(host, one, bars(one)));
      begun.push(...piece);
      // The leader swaps what is filled when it looks: the next ones are filled meanwhile.
      await Promise.all(piece.map(({ filled }) => filled));
      // Asked to stop, or failed: not only this one.
      if (begun.some(({ endsAll }) => endsAll())) break;
    }
    const outcomes = await Promise.allSettled(begun.map(({ outcome }) => outcome));
    const rebuilt = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
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

type Begun = {
  /** Resolves when its events are folded, or when it has ended before that. */
  readonly filled: Promise<void>;
  readonly outcome: Promise<typeof Rebuilt.static>;
  readonly endsAll: () => boolean;
};

function begin(host: OperatorHost, name: string, bar: (progress: RebuildProgress) => void): Begun {
  let isFilled = (): void => undefined;
  let endsAll = false;
  const filled = new Promise<void>((resolve) => (isFilled = resolve));
  const onBar = (progress: RebuildProgress): void => {
    bar(progress);
    if (progress.phase === 'swapping') isFilled();
  };
  const outcome = measured(host, name, onBar, (options) => host.projections.rebuild(name, options));
  outcome
    .then(
      (rebuilt) => (endsAll = rebuilt.outcome === 'cancelled'),
      () => (endsAll = true),
    )
    .finally(isFilled)
    .catch(() => undefined);
  return { filled, outcome, endsAll: () => endsAll };
}

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
