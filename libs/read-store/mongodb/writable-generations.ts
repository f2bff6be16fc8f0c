import type { Db } from 'mongodb';
import type { Fence, ProjectionWrite } from '#kernel/ports/read-store.port.js';
import { generationEntries, requireGeneration, tableOf } from './catalogue.js';
import { carries, claim } from './fencing.js';

/**
 * Which generations this process has checked for writing. A generation is checked once under each fence; after that
 * every write is a compare-and-set on the fence, which fails as soon as the check is out of date.
 */
export function writableGenerations() {
  /** By collection: the fence and the index lists of the check. */
  const known = new Map<string, string>();
  const checkOf = ({ generation }: ProjectionWrite, { lease, epoch }: Fence): string =>
    JSON.stringify([lease, epoch, tableOf(generation).indexLists]);

  return {
    areKnown: (writes: readonly ProjectionWrite[], fence: Fence): boolean =>
      writes.every((one) => known.get(tableOf(one.generation).id) === checkOf(one, fence)),
    /** Checks that every generation exists with these indexes, and puts it under the fence. Rejects with `LeaseLost`. */
    async require(db: Db, writes: readonly ProjectionWrite[], fence: Fence): Promise<void> {
      const ids = writes.map(({ generation }) => tableOf(generation).id);
      for (const id of ids) known.delete(id);
      const entries = await generationEntries(db)
        .find({ _id: { $in: ids } })
        .toArray();
      const byId = new Map(entries.map((entry) => [entry._id, entry]));
      for (const { generation } of writes) requireGeneration(byId.get(tableOf(generation).id), generation);
      const strange = entries.filter((entry) => !carries(entry, fence));
      if (strange.length > 0) {
        await claim(
          db,
          strange.map(({ _id }) => _id),
          fence,
        );
      }
      for (const one of writes) known.set(tableOf(one.generation).id, checkOf(one, fence));
    },
  };
}
