import type { Db } from 'mongodb';
import {
  LeaseLost,
  type EventCounts,
  type Fence,
  type KeptShare,
  type ShareCheckpoint,
  type ShareStore,
} from '#kernel/ports/read-store.port.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { shareEntries, type ShareEntry } from './catalogue.js';
import { claim } from './fencing.js';
import { placed, planOf, unplaced, writeDocuments } from './projection-writes.js';

const idOf = (name: string): string => `${PREFIX}${name}`;
const PREFIX = 'share:';

/**
 * Shares of partitions. The entry of a share is under the fence of its lease: each write changes it before the documents
 * and after them, so that a former holder writes nothing after the lease was taken. Between the two changes a former
 * holder may still write documents. This is harmless: folds are pure, so it writes the document that the new holder also
 * makes of the same events, and no document is written over a later one.
 */
export function mongoShares({ read, write }: MongoDatabase): ShareStore {
  /** The epochs under which this process has claimed shares. */
  const claimed = new Map<string, number>();

  const change = async (db: Db, fence: Fence, set: Partial<ShareEntry>): Promise<boolean> => {
    const _id = idOf(fence.lease);
    const ours = { _id, lease: fence.lease, fence: fence.epoch };
    return (await shareEntries(db).updateOne(ours, { $set: set })).matchedCount > 0;
  };
  const underFence = async (db: Db, fence: Fence, set: Partial<ShareEntry>): Promise<void> => {
    if (claimed.get(fence.lease) === fence.epoch && (await change(db, fence, set))) return;
    await claim(db, [idOf(fence.lease)], fence);
    if (!(await change(db, fence, set))) throw new LeaseLost(fence.lease);
    claimed.set(fence.lease, fence.epoch);
  };

  return {
    createShare: (name, checkpoint) =>
      write(async (db) => {
        const entry = { kind: 'share' as const, lease: name, fence: 0, ahead: null, ...stored(checkpoint) };
        await shareEntries(db).replaceOne({ _id: idOf(name) }, entry, { upsert: true });
      }),
    writeShare: (writes, checkpoint, fence) =>
      write(async (db) => {
        const plans = writes.map((one) => planOf(one)).filter(({ documents }) => documents.length > 0);
        if (plans.length > 0) {
          // As of a generation: documents may contain events up to here.
          await underFence(db, fence, { ahead: placed(checkpoint) });
          await sideBySide(plans, plans.length, (plan) => writeDocuments(db, plan.table, plan.documents));
        }
        await underFence(db, fence, stored(checkpoint));
      }),
    shares: () =>
      read(async (db) => {
        const entries = await shareEntries(db).find({ kind: 'share' }).sort({ _id: 1 }).toArray();
        return entries.map(keptShare);
      }),
    deleteShare: (name) =>
      write(async (db) => {
        await shareEntries(db).deleteOne({ _id: idOf(name) });
      }),
  };
}

function stored(checkpoint: ShareCheckpoint): Pick<ShareEntry, 'position' | 'event' | 'counts'> {
  const { position, counts } = checkpoint;
  return { position, event: placed(checkpoint), counts: JSON.stringify(counts) };
}

function keptShare({ _id, position, event, ahead, counts }: ShareEntry): KeptShare {
  return {
    name: _id.slice(PREFIX.length),
    position,
    ...(event === null ? {} : { event: unplaced(event) }),
    ...(ahead === null || ahead.position <= position
      ? {}
      : { ahead: { position: ahead.position, event: unplaced(ahead) } }),
    counts: JSON.parse(counts) as { readonly [generation: string]: EventCounts },
  };
}
