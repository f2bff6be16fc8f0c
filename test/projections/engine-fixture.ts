import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { systemClock } from '#kernel/ports/clock.js';
import type { EventStore, Position, StoredEvent } from '#kernel/ports/event-store.port.js';
import { projection, type Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { foldAll } from '#kernel/testing/project.js';
import {
  projectionEngine,
  type ProjectionEngine,
  type ProjectionEngineOptions,
} from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { LONGEST_WAIT_MS } from '#test/support/event-stores.js';
import { late } from '#test/support/late.js';

export type BankEvents = {
  readonly Deposited: { readonly account: string; readonly amount: number; readonly poison?: boolean };
  readonly Closed: { readonly account: string };
  readonly RateSet: { readonly rate: number; readonly poison?: boolean };
};
export type BankEvent = {
  [Type in keyof BankEvents]: {
    readonly type: Type;
    readonly data: BankEvents[Type];
    readonly workspaceId: number | null;
  };
}[keyof BankEvents];

/** `trail` lists every folded event in order: a repeated, lost or misplaced one shows. */
export type Balance = {
  readonly account: string;
  readonly total: number;
  readonly trail: string;
  readonly generation: string;
};

/** Switched off when a test repairs the code that could not fold. */
export type Poison = { works: boolean };

const refusePoison = (poison: Poison, data: { readonly poison?: boolean }): void => {
  if (poison.works && data.poison === true) throw new Error('cannot fold this');
};

/**
 * Balances of accounts. A document keeps the label of the code that made it, so that a mixture of two codes'
 * documents would show.
 */
export const balances = (
  poison: Poison = { works: true },
  version = 1,
  label = 'first',
): Projection<Balance> =>
  projection<Balance, BankEvents>()({
    name: 'balances',
    version,
    indexes: { byTotal: ['total', 'account'] },
    key: (event) =>
      event.type === 'RateSet' ? null : `${event.metadata['workspaceId']}/${event.data.account}`,
    on: {
      Deposited: (balance, { data, id }) => {
        refusePoison(poison, data);
        return {
          account: data.account,
          total: (balance?.total ?? 0) + data.amount,
          trail: `${balance?.trail ?? ''}${id.slice(0, 4)} `,
          generation: balance?.generation ?? label,
        };
      },
      Closed: () => null,
    },
  });

/** One document per event. */
export const deposits = (): Projection<{ readonly amount: number }> =>
  projection<{ readonly amount: number }, BankEvents>()({
    name: 'deposits',
    version: 1,
    indexes: { byAmount: ['amount'] },
    key: (event) => event.id,
    on: { Deposited: (_, { data }) => ({ amount: data.amount }) },
  });

/** Fed by events without a workspace. */
export const rates = (poison: Poison = { works: true }): Projection<{ readonly rate: number }> =>
  projection<{ readonly rate: number }, BankEvents>()({
    name: 'rates',
    version: 1,
    indexes: {},
    key: () => 'rate',
    on: {
      RateSet: (_, { data }) => {
        refusePoison(poison, data);
        return { rate: data.rate };
      },
    },
  });

export const deposited = (workspaceId: number, account: string, amount = 1, poison = false): BankEvent => ({
  type: 'Deposited',
  data: poison ? { account, amount, poison } : { account, amount },
  workspaceId,
});
export const closed = (workspaceId: number, account: string): BankEvent => ({
  type: 'Closed',
  data: { account },
  workspaceId,
});
export const rateSet = (rate: number, poison = false): BankEvent => ({
  type: 'RateSet',
  data: poison ? { rate, poison } : { rate },
  workspaceId: null,
});

export type Bank = {
  readonly events: EventStore;
  /** A separate connection to the one file, as another process has. */
  readonly connectReads: () => Promise<ReadStore>;
  readonly connectEvents: () => Promise<EventStore>;
  /** Appends each event to its workspace's stream and returns the position of the last. */
  readonly happen: (...events: readonly BankEvent[]) => Promise<Position>;
  readonly history: () => Promise<readonly StoredEvent[]>;
  /** An engine that polls often; stopped with the bank. */
  readonly engine: (
    reads: ReadStore,
    projections: readonly Projection[],
    options?: Partial<ProjectionEngineOptions>,
  ) => ProjectionEngine;
  /** The same, started. */
  readonly running: Bank['engine'];
  readonly close: () => Promise<void>;
};

/** `connect` opens the read store; without it the read models are in a file. */
export async function openBank(connect?: () => Promise<ReadStore>): Promise<Bank> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const opened: { readonly close: () => Promise<void> }[] = [];
  const engines: ProjectionEngine[] = [];
  const kept = <Store extends { readonly close: () => Promise<void> }>(store: Store): Store => {
    opened.push(store);
    return store;
  };
  const connectEvents = async (): Promise<EventStore> =>
    kept(await openSqliteEventStore({ path: join(folder, 'events.db'), pollMs: 2 }));
  const events = await connectEvents();
  const revisions = new Map<string, bigint>();
  const engineOf: Bank['engine'] = (reads, projections, options = {}) => {
    const engine = projectionEngine({
      events,
      reads,
      registry: projectionRegistry({ name: 'bank', projections }),
      decode: (stored) => stored,
      clock: systemClock,
      lookEveryMs: 5,
      pollMs: 2,
      ...options,
    });
    engines.push(engine);
    return engine;
  };

  return {
    events,
    connectEvents,
    connectReads: async () =>
      connect === undefined ? kept(await openSqliteReadStore({ path: join(folder, 'views.db') })) : connect(),
    happen: async (...happened) => {
      let position = '';
      for (const { type, data, workspaceId } of happened) {
        const stream = workspaceId === null ? 'rates' : `bank-${workspaceId}`;
        const revision = revisions.get(stream);
        const metadata = {
          recordedAt: new Date().toISOString(),
          ...(workspaceId === null ? {} : { workspaceId: String(workspaceId) }),
        };
        const appended = await events.append(stream, revision ?? 'no-stream', [
          { id: randomUUID(), type, data, metadata },
        ]);
        revisions.set(stream, appended.revision);
        position = appended.position;
      }
      return position;
    },
    history: async () => {
      const all: StoredEvent[] = [];
      for await (const batch of events.readAll()) all.push(...batch.events);
      return all;
    },
    engine: engineOf,
    running: (...of) => {
      const engine = engineOf(...of);
      engine.start();
      return engine;
    },
    close: async () => {
      for (const engine of engines) await engine.stop();
      for (const store of opened) await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A bank with a connection to its read models for each case of this `describe`; closed after the case. */
export function bankPerCase(): { readonly bank: Bank; readonly reads: ReadStore } {
  let opened: { readonly bank: Bank; readonly reads: ReadStore } | undefined;
  beforeEach(async () => {
    const bank = await openBank();
    opened = { bank, reads: await bank.connectReads() };
  });
  afterEach(() => opened?.bank.close());
  return { bank: late('the bank', () => opened?.bank), reads: late('the read store', () => opened?.reads) };
}

const TYPES = ['Deposited', 'Closed', 'RateSet'];

/** Waits until the engine's live generations contain all appended events. */
export async function caughtUp(
  bank: Bank,
  engine: ProjectionEngine,
  workspaceId: number | null = null,
): Promise<void> {
  const position = await bank.events.head();
  expect(await engine.reached({ position, types: TYPES, workspaceId }, 20_000)).toBe(true);
}

/** Appends the events, and waits as `caughtUp` does; returns the position of the last. */
export async function projected(
  bank: Bank,
  engine: ProjectionEngine,
  ...events: readonly BankEvent[]
): Promise<Position> {
  const position = await bank.happen(...events);
  await caughtUp(bank, engine);
  return position;
}

/** Number of immediate checks: work within this process is done quickly. */
const LOOKS_AT_ONCE = 20;
/** Interval of later checks: a twentieth of the time waited so far. */
const PART_OF_WAITED = 20;
const LONGEST_PAUSE_MS = 20;

/**
 * Checks until the condition holds; fails after a limit. After the first checks it yields the processor, since the
 * awaited work may run in another process.
 */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const begunAt = performance.now();
  for (let looks = 1; !(await holds()); looks += 1) {
    const waitedMs = performance.now() - begunAt;
    if (waitedMs > LONGEST_WAIT_MS) throw new Error(`still waiting until ${holds}`);
    await (looks < LOOKS_AT_ONCE ? turn() : delay(Math.min(LONGEST_PAUSE_MS, waitedMs / PART_OF_WAITED)));
  }
}

/** All documents of the live generation by key. */
export async function documentsOf(reads: ReadStore, view: Projection): Promise<ReadonlyMap<string, unknown>> {
  const { live } = await reads.generations(view);
  if (live === null) throw new Error(`${view.name} has no live generation`);
  const found = new Map<string, unknown>();
  let after: string | null = null;
  for (;;) {
    const page: readonly { readonly key: string; readonly document: unknown }[] = await reads.scan(
      { view, generation: live },
      after,
      1_000,
    );
    for (const { key, document } of page) found.set(key, document);
    const last = page.at(-1);
    if (last === undefined) return found;
    after = last.key;
  }
}

/** The live generation equals the plain fold of the whole history. */
export async function expectNaive(bank: Bank, reads: ReadStore, view: Projection): Promise<void> {
  const expected = foldAll(view, await bank.history());
  expect(await documentsOf(reads, view)).toEqual(expected);
}
