import { together } from '#kernel/commands/together.js';
import { LeaseLost, type Fence, type Lease, type LeaseStore } from '#kernel/ports/read-store.port.js';
import type { Connection } from './connection.js';

/** A released lease stays with its epoch and without a holder, so that epochs never repeat. */
type LeaseRow = { readonly holder: string | null; readonly epoch: number; readonly expires_at_ms: number };
type HeldLeaseRow = LeaseRow & { readonly name: string; readonly holder: string };

/** Leases of machines on real time: `nowMs` is Date.now, another clock only in tests of this file. */
export function sqliteLeases({ statement, readAtOnce, write }: Connection, nowMs: () => number): LeaseStore {
  const rowOf = (name: string): LeaseRow | undefined => leaseRow(statement, name);

  /** A worker looks at the leases of all workers in one turn every second, so one statement reads them. */
  const holderOfLease = together((names: readonly string[]) =>
    readAtOnce(() => {
      const now = nowMs();
      const rows = statement(
        'SELECT name, holder, epoch, expires_at_ms FROM _leases' +
          ' WHERE name IN (SELECT value FROM json_each(?)) AND holder IS NOT NULL',
      ).all(JSON.stringify(names)) as HeldLeaseRow[];
      const byName = new Map(rows.map((row) => [row.name, row]));
      return names.map((name): Lease | null => {
        const row = byName.get(name);
        if (row === undefined) return null;
        return { name, holder: row.holder, epoch: row.epoch, remainingMs: row.expires_at_ms - now };
      });
    }),
  );

  return {
    acquireLease: async (name, holder, ttlMs) => {
      // Processes that wait for a lease check often; the check does not take the write lock.
      if (isHeldByOther(await readAtOnce(() => rowOf(name)), holder, nowMs())) return null;
      return write((): Lease | null => {
        const now = nowMs();
        const row = rowOf(name);
        if (isHeldByOther(row, holder, now)) return null;
        const epoch = row === undefined ? 1 : row.holder === holder ? row.epoch : row.epoch + 1;
        statement(
          'INSERT INTO _leases (name, holder, epoch, expires_at_ms) VALUES (?, ?, ?, ?)' +
            ' ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, epoch = excluded.epoch,' +
            ' expires_at_ms = excluded.expires_at_ms',
        ).run(name, holder, epoch, now + ttlMs);
        return { name, holder, epoch, remainingMs: ttlMs };
      });
    },
    renewLeases: (fences, ttlMs) =>
      write(() => {
        const expiresAtMs = nowMs() + ttlMs;
        const lengthen = statement(
          'UPDATE _leases SET expires_at_ms = ? WHERE name = ? AND epoch = ? AND holder IS NOT NULL',
        );
        return fences.map(({ lease, epoch }) => Number(lengthen.run(expiresAtMs, lease, epoch).changes) > 0);
      }),
    releaseLease: (name, { epoch }) =>
      write(() => {
        statement('UPDATE _leases SET holder = NULL WHERE name = ? AND epoch = ?').run(name, epoch);
      }),
    lease: holderOfLease,
  };
}

/** Throws `LeaseLost` unless the fence is that of the holder. Must run inside the transaction that it guards. */
export function requireFence(statement: Connection['statement'], fence: Fence): void {
  const row = leaseRow(statement, fence.lease);
  if (row === undefined || row.holder === null || row.epoch !== fence.epoch) throw new LeaseLost(fence.lease);
}

function leaseRow(statement: Connection['statement'], name: string): LeaseRow | undefined {
  return statement('SELECT holder, epoch, expires_at_ms FROM _leases WHERE name = ?').get(name) as
    LeaseRow | undefined;
}

function isHeldByOther(row: LeaseRow | undefined, holder: string, now: number): boolean {
  return row !== undefined && row.holder !== null && row.holder !== holder && row.expires_at_ms > now;
}
