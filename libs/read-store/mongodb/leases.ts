import type { Db } from 'mongodb';
import { together } from '#kernel/commands/together.js';
import type { Lease, LeaseStore } from '#kernel/ports/read-store.port.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { isDuplicateKey } from '#mongodb/store-errors.js';
import { leaseEntries, type LeaseEntry } from './catalogue.js';
import { raiseFences } from './fencing.js';

/**
 * Leases by the time of `nowMs`. By default it is the server's time, because the clocks of several machines may
 * differ by more than a lease lasts.
 */
export function mongoLeases({ read, write }: MongoDatabase, nowMs: (db: Db) => Promise<number>): LeaseStore {
  /** Leases whose earlier holders this process has fenced off. */
  const shutOut = new Map<string, number>();

  const take = async (db: Db, before: LeaseEntry | null, after: LeaseEntry): Promise<boolean> => {
    const leases = leaseEntries(db);
    if (before !== null) {
      const { _id, holder, epoch, expiresAtMs } = before;
      const { matchedCount } = await leases.updateOne(
        { _id, holder, epoch, expiresAtMs },
        { $set: { holder: after.holder, epoch: after.epoch, expiresAtMs: after.expiresAtMs } },
      );
      return matchedCount > 0;
    }
    try {
      await leases.insertOne(after);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  const holderOfLease = together((names: readonly string[]) =>
    read(async (db) => {
      const leases = leaseEntries(db);
      const [entries, now] = await Promise.all([
        leases.find({ _id: { $in: [...names] } }).toArray(),
        nowMs(db),
      ]);
      const byName = new Map(entries.map((entry) => [entry._id, entry]));
      return names.map((name): Lease | null => {
        const entry = byName.get(name);
        if (entry === undefined || entry.holder === null) return null;
        const { holder, epoch, expiresAtMs } = entry;
        return { name, holder, epoch, remainingMs: expiresAtMs - now };
      });
    }),
  );

  return {
    acquireLease: (name, holder, ttlMs) =>
      write(async (db): Promise<Lease | null> => {
        const now = await nowMs(db);
        for (;;) {
          const before = await leaseEntries(db).findOne({ _id: name });
          if (before !== null && isHeldByOther(before, holder, now)) return null;
          const epoch = before === null ? 1 : before.holder === holder ? before.epoch : before.epoch + 1;
          const expiresAtMs = now + ttlMs;
          // A faster process is detected in the next iteration.
          if (!(await take(db, before, { _id: name, holder, epoch, expiresAtMs }))) continue;
          if (shutOut.get(name) !== epoch) {
            await raiseFences(db, name, epoch);
            shutOut.set(name, epoch);
          }
          return { name, holder, epoch, remainingMs: ttlMs };
        }
      }),
    renewLeases: (fences, ttlMs) =>
      write(async (db) => {
        if (fences.length === 0) return [];
        const expiresAtMs = (await nowMs(db)) + ttlMs;
        const leases = leaseEntries(db);
        const stillHeld = {
          $or: fences.map(({ lease, epoch }) => ({ _id: lease, epoch, holder: { $ne: null } })),
        };
        const { matchedCount } = await leases.updateMany(stillHeld, { $set: { expiresAtMs } });
        if (matchedCount === fences.length) return fences.map(() => true);
        const held = await leases.find(stillHeld).toArray();
        const epochs = new Map(held.map(({ _id, epoch }) => [_id, epoch]));
        return fences.map(({ lease, epoch }) => epochs.get(lease) === epoch);
      }),
    releaseLease: (name, { epoch }) =>
      write(async (db) => {
        const { matchedCount } = await leaseEntries(db).updateOne(
          { _id: name, epoch },
          { $set: { holder: null } },
        );
        if (matchedCount > 0) await raiseFences(db, name, epoch + 1);
      }),
    lease: holderOfLease,
  };
}

function isHeldByOther({ holder, expiresAtMs }: LeaseEntry, asking: string, now: number): boolean {
  return holder !== null && holder !== asking && expiresAtMs > now;
}
