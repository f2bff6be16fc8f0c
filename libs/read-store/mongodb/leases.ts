import type { Db } from 'mongodb';
import type { Fence, Lease, ReadStore } from '#kernel/ports/read-store.port.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { isDuplicateKey } from '#mongodb/store-errors.js';
import { leaseEntries, type LeaseEntry } from './catalogue.js';
import { raiseFences } from './fencing.js';

type LeaseStore = Pick<ReadStore, 'acquireLease' | 'renewLeases' | 'releaseLease' | 'lease'>;

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
        const expiresAtMs = (await nowMs(db)) + ttlMs;
        const lengthen = async ({ lease, epoch }: Fence): Promise<boolean> => {
          const stillHeld = { _id: lease, epoch, holder: { $ne: null } };
          return (await leaseEntries(db).updateOne(stillHeld, { $set: { expiresAtMs } })).matchedCount > 0;
        };
        return Promise.all(fences.map(lengthen));
      }),
    releaseLease: (name, { epoch }) =>
      write(async (db) => {
        const { matchedCount } = await leaseEntries(db).updateOne(
          { _id: name, epoch },
          { $set: { holder: null } },
        );
        if (matchedCount > 0) await raiseFences(db, name, epoch + 1);
      }),
    lease: (name) =>
      read(async (db) => {
        const [entry, now] = await Promise.all([leaseEntries(db).findOne({ _id: name }), nowMs(db)]);
        if (entry === null || entry.holder === null) return null;
        const { holder, epoch, expiresAtMs } = entry;
        return { name, holder, epoch, remainingMs: expiresAtMs - now };
      }),
  };
}

function isHeldByOther({ holder, expiresAtMs }: LeaseEntry, asking: string, now: number): boolean {
  return holder !== null && holder !== asking && expiresAtMs > now;
}
