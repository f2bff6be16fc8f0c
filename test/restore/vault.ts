import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#kernel/ports/clock.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { foldAll } from '#kernel/testing/project.js';
import {
  projectionEngine,
  type ProjectionEngine,
  type ProjectionEngineOptions,
} from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { documentsOf, eventually, type BankEvent } from '#test/projections/engine-fixture.js';
import { LONGEST_WAIT_MS } from '#test/support/event-stores.js';
import { openMemoryLog, type Backup, type VaultLog } from './vault-logs.js';
import { freeLease } from '#test/support/free-lease.js';

/** A log that can be set back to an earlier state, with a read store that cannot. */
export type Vault = {
  /** A client of the current log. */
  readonly events: () => EventStore;
  readonly history: () => readonly StoredEvent[];
  readonly happen: (...events: readonly BankEvent[]) => void;
  /** A backup of the current state. */
  readonly backup: () => Backup;
  /** Sets the log back; existing readers keep reading the earlier one. */
  readonly restore: (backup: Backup) => Promise<void>;
  readonly reads: () => Promise<ReadStore>;
  /** Each on the log that is current when it is made. Stopped with the vault, except one that dies before. */
  readonly engine: (
    reads: ReadStore,
    projections: readonly Projection[],
    options?: Partial<ProjectionEngineOptions>,
    end?: 'stops' | 'dies',
  ) => ProjectionEngine;
  readonly close: () => Promise<void>;
};

/** `connect` opens the read store; by default a file in its own folder. */
export async function openVault(
  connect?: () => Promise<ReadStore>,
  openLog: () => Promise<VaultLog> = openMemoryLog,
): Promise<Vault> {
  const folder = await mkdtemp(join(tmpdir(), 'vault-'));
  const opened: { readonly close: () => Promise<void> }[] = [];
  const engines: ProjectionEngine[] = [];
  let log = await openLog();
  opened.push(log);
  const events = (): EventStore => log.events();
  return {
    events,
    history: () => log.history(),
    happen: (...happened) => {
      for (const { type, data, workspaceId } of happened) {
        const metadata = {
          recordedAt: new Date().toISOString(),
          ...(workspaceId === null ? {} : { workspaceId: String(workspaceId) }),
        };
        log.append(workspaceId === null ? 'rates' : `bank-${workspaceId}`, { type, data, metadata });
      }
    },
    backup: () => log.backup(),
    restore: async (backup) => {
      log = await backup();
      opened.push(log);
    },
    reads: async () => {
      const store = await (connect?.() ?? openSqliteReadStore({ path: join(folder, 'views.db') }));
      opened.push(store);
      return store;
    },
    engine: (reads, projections, options = {}, end = 'stops') => {
      const engine = projectionEngine({
        events: events(),
        reads,
        registry: projectionRegistry({ name: 'bank', projections }),
        decode: (stored) => stored,
        clock: systemClock,
        lookEveryMs: 5,
        pollMs: 2,
        // A worker that dies here has the process id of a live one: only its expired lease shows the death.
        leaseTiming: { ttlMs: 1_000, renewEveryMs: 100 },
        ...options,
      });
      if (end === 'stops') engines.push(engine);
      return engine;
    },
    close: async () => {
      for (const engine of engines) await engine.stop();
      for (const store of opened) await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const TYPES = ['Deposited', 'Closed', 'RateSet'];

/** Waits until the live generations contain the whole current log. */
export async function upToDate(vault: Vault, engine: ProjectionEngine): Promise<void> {
  const position = await vault.events().head();
  const reached = await engine.reached({ position, types: TYPES, workspaceId: null }, LONGEST_WAIT_MS);
  if (!reached) throw new Error('the read models do not catch up');
}

/** Every view equals the plain fold of the log, and readiness has no complaint. */
export async function expectFolded(
  vault: Vault,
  engine: ProjectionEngine,
  reads: ReadStore,
  projections: readonly Projection[],
): Promise<void> {
  for (const view of projections) {
    expect([view.name, await documentsOf(reads, view)]).toEqual([view.name, foldAll(view, vault.history())]);
  }
  await eventually(async () => (await engine.readiness()).ready);
}

/** Frees the leases of a dead process, as the next process would; here all of them have one process id. */
export async function freeLeases(reads: ReadStore): Promise<void> {
  const rebuilds = ['balances', 'deposits', 'rates'].map((name) => `rebuild:${name}@1`);
  for (const name of ['projections:bank', 'projections:bank:ahead', ...rebuilds])
    await freeLease(reads, name);
}
