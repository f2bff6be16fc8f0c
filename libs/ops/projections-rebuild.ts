import { fieldError } from '#kernel/refusal.js';
import { Type } from '#kernel/schema.js';
import { invalidInput } from './amounts.js';
import { described } from './inputs.js';
import { operatorCommand } from './operator-command.js';

export const projectionsRebuild = operatorCommand({
  name: 'projections.rebuild',
  summary: 'Build a read model anew beside the live one and swap; goes on where a stopped rebuild was',
  input: Type.Object({ name: described('the read model', Type.String()) }),
  output: Type.Object({
    name: Type.String(),
    outcome: Type.String(),
    generation: Type.Integer(),
    events: Type.Integer(),
    events_per_second: Type.Number(),
  }),
  async run(host, { name }, _context, onProgress) {
    const known = (await host.projections.status()).map((status) => status.name);
    if (!known.includes(name)) {
      throw invalidInput({ errors: fieldError('name', `must be one of ${known.join(', ')}`) });
    }
    const startedAt = performance.now();
    let events = 0;
    const result = await host.projections.rebuild(name, {
      onProgress: (progress) => {
        events = progress.events;
        const left = progress.etaSeconds === null ? null : progress.etaSeconds * progress.eventsPerSecond;
        onProgress({
          done: progress.events,
          total: left === null ? null : Math.round(progress.events + left),
          perSecond: progress.eventsPerSecond,
          note: progress.phase,
        });
      },
    });
    const seconds = Math.max(0.001, (performance.now() - startedAt) / 1_000);
    return {
      name,
      outcome: result.outcome,
      generation: result.generation,
      events,
      events_per_second: Math.round(events / seconds),
    };
  },
});
