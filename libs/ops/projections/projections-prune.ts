import { Type } from '#kernel/values/schema.js';
import { Refusal } from '#kernel/values/refusal.js';
import { operatorCommand } from '../support/operator-command.js';
import { chosenProjections, orRefused, OptionalProjectionName } from '../support/projection-host.js';

const Bytes = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const projectionsPrune = operatorCommand({
  name: 'projections.prune',
  summary:
    'Remove former generations, which a rollback needs, those of earlier versions, and read models that no version running has; give their space back to the file system',
  input: Type.Object({ name: OptionalProjectionName }),
  output: Type.Object({
    pruned: Type.Array(Type.Object({ name: Type.String(), generations: Type.Integer() })),
    /** Read models that keep their generations, with the reason; a named one is refused instead. */
    kept: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
    given_back_bytes: Bytes('null if the server of the read models gives space back by itself'),
    free_bytes: Bytes('free space that stays in the file and that later writes use'),
  }),
  async run(host, { name }, _context, onProgress) {
    const pruned = [];
    const kept = [];
    const names = chosenProjections(host, name);
    for (const [done, one] of names.entries()) {
      onProgress({ done, total: names.length, note: one });
      try {
        const generations = await orRefused(host.projections.prune(one));
        if (generations > 0) pruned.push({ name: one, generations });
      } catch (error) {
        // An unfinished rebuild of one is no reason to keep the generations of all others.
        if (name !== undefined || !(error instanceof Refusal)) throw error;
        kept.push({ name: one, reason: error.message });
      }
    }
    if (name === undefined) {
      for (const [unknown, generations] of await orRefused(host.projections.pruneUnknown()))
        pruned.push({ name: unknown, generations });
    }
    const space = await host.projections.giveBackSpace(({ givenBack, left }) =>
      onProgress({ done: givenBack, total: givenBack + left, note: 'bytes given back' }),
    );
    return { pruned, kept, given_back_bytes: space?.givenBack ?? null, free_bytes: space?.left ?? null };
  },
});
