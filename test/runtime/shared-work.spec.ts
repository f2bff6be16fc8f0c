import { unfollowed } from '#kernel/ports/tracing.port.js';
import { blocksIn } from '#access/blocks.js';
import { foundTopAccounts } from '#accounts/top-accounts/found-top-accounts.js';
import { nothingCovered } from '#signals/detection/coverage.port.js';
import { offlineResearcher } from '#signals/detection/research/offline-researcher.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { grant } from '#ledger/domain/post-credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { LeaseLost } from '#kernel/ports/read-store.port.js';
import { partitionLease, partitionOf, PARTITIONS } from '#process-engine/partitions.js';
import type { Process } from '#process-engine/process.js';
import { createProcessRunner, type ProcessRunner } from '#process-engine/process-runner.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { toDo } from '#process-engine/to-do.js';
import { openLedgerHost, operatorOf, type LedgerHost } from '../ops/ledger-host.js';
import { openThings, things, type Thing, type ThingsToDo } from '../support/things-to-do.js';

const WORKSPACE = 7;
const LATE = 5_000_000n;
const NUMBERS = Array.from({ length: PARTITIONS }, (_, number) => number);
/** So many that each part has some. */
const ITEMS = Array.from({ length: 40 }, (_, at): Thing => ({
  workspaceId: WORKSPACE,
  name: `item-${at}`,
  kind: 'short',
  at,
  dueAt: null,
}));

describe('work that several workers share', () => {
  let house: LedgerHost;
  let list: ThingsToDo;
  const runners: ProcessRunner[] = [];
  const errors: unknown[] = [];
  beforeEach(async () => {
    errors.length = 0;
    house = await openLedgerHost();
    list = await openThings(house.readStore);
    await house.openWorkspace(WORKSPACE);
  });
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    await house.close();
  });

  const worker = (holder: string, process: Process): ProcessRunner => {
    const runner = createProcessRunner({
      host: {
        ...house,
        network: house.network.source,
        directory: house.network.directory,
        coverage: nothingCovered,
        topAccounts: foundTopAccounts({
          readModels: house.readModels,
          directory: house.network.directory,
        }),
        researcher: offlineResearcher,
        networkBaseUrl: 'https://www.network.example',
        startedAt: new Date(0),
        isParked: async () => false,
        blockOf: blocksIn(house.readModels),
        step: unfollowed,
      },
      processes: [process],
      leases: house.readStore,
      holder: `elsewhere:${holder}`,
      watch: list.watch,
      readModelsSettled: () => house.eventStore.head(),
      onError: (_name, _key, error) => errors.push(error),
    });
    runners.push(runner);
    return runner;
  };
  const holders = async (): Promise<readonly (string | null)[]> => {
    const leases = await Promise.all(NUMBERS.map((number) => house.readStore.lease(partitionLease(number))));
    return leases.map((lease) => lease?.holder ?? null);
  };
  const sharesOf = async (...names: readonly string[]): Promise<readonly number[]> => {
    const all = await holders();
    return names.map((name) => all.filter((holder) => holder === `elsewhere:${name}`).length);
  };
  const acting = (act: Process<Thing>['act']): Process<Thing> => ({
    name: 'recorded',
    lane: 'timers',
    atOnce: 8,
    toDo: toDo(things, { where: [{ kind: 'short' }], oldestFirst: ['at', 'name'] }),
    key: ({ name }) => name,
    waitsFor: [],
    act,
  });
  /** Does nothing but remember who did which item. */
  const recorded = (name: string, done: Map<string, string[]>): Process<Thing> =>
    acting(async (_host, item) => {
      done.set(item.name, [...(done.get(item.name) ?? []), name]);
      await list.remove(item);
    });

  it('puts every item into the same part in every process, and leaves no part empty', () => {
    const parts = ITEMS.map(({ name }) => partitionOf('recorded', name));
    expect(new Set(parts)).toEqual(new Set(NUMBERS));
    expect(partitionOf('recorded', 'item-0')).toBe(parts[0]);
  });

  it('one worker does all of it; a second one gets its half, and all of it when the first one goes', async () => {
    const none = new Map<string, string[]>();
    const first = worker('1:first', recorded('first', none));
    first.start();
    await eventually(async () => (await sharesOf('1:first'))[0] === PARTITIONS);
    const second = worker('2:second', recorded('second', none));
    second.start();
    await eventually(async () =>
      (await sharesOf('1:first', '2:second')).every((share) => share === PARTITIONS / 2),
    );
    await first.stop();
    expect((await sharesOf('1:first'))[0]).toBe(0);
    await eventually(async () => (await sharesOf('2:second'))[0] === PARTITIONS);
    await second.stop();
    expect(await holders()).toEqual(NUMBERS.map(() => null));
  });

  it('each item is done by the one worker that holds its part, also behind others of another part', async () => {
    const done = new Map<string, string[]>();
    for (const name of ['first', 'second']) worker(`1:${name}`, recorded(name, done)).start();
    await eventually(async () =>
      (await sharesOf('1:first', '1:second')).every((share) => share === PARTITIONS / 2),
    );
    const owners = (await holders()).map((holder) => holder?.split(':').at(-1));
    await list.add(...ITEMS);
    await eventually(() => done.size === ITEMS.length);
    for (const { name } of ITEMS) expect(done.get(name)).toEqual([owners[partitionOf('recorded', name)]]);
    expect(errors).toEqual([]);
  });

  it('OPS-18 a process that does no work does not wait for what nobody does', async () => {
    const done = new Map<string, string[]>();
    await list.add(...ITEMS);
    const watcher = worker('1:watcher', recorded('watcher', done));
    await expect(watcher.drain()).rejects.toThrow(StoreUnavailable);
    worker('2:busy', recorded('busy', done)).start();
    await eventually(async () => (await sharesOf('2:busy'))[0] === PARTITIONS);
    expect(await watcher.drain()).toEqual({ processed: 0 });
    expect(done.size).toBe(ITEMS.length);
  });

  it('a worker that stalls in the middle of an item and loses its part writes nothing more', async () => {
    let goOn = (): void => undefined;
    const stall = new Promise<void>((resolve) => (goOn = resolve));
    let isStalled = false;
    let stopped: AbortSignal | null = null;
    let failure: unknown = null;
    let failures = 0;
    const give: Process<Thing> = {
      ...acting(async () => undefined),
      async act(host, _item, signal) {
        isStalled = true;
        stopped = signal;
        await stall;
        try {
          await host.commands.handle(
            creditAccount,
            String(WORKSPACE),
            grant({ movementId: 900, credits: LATE, reason: 'late' }),
            {
              context: operatorOf(WORKSPACE),
              answer: () => null,
            },
          );
        } catch (error) {
          failure = error;
          throw error;
        }
      },
      failed: async () => void (failures += 1),
    };
    await list.add(...ITEMS.slice(0, 1));
    worker('1:stalled', give).start();
    await eventually(() => isStalled);
    // What the end of its time to live does, without waiting for it.
    for (const number of NUMBERS) {
      const name = partitionLease(number);
      const lease = await house.readStore.lease(name);
      if (lease === null) continue;
      await house.readStore.releaseLease(name, { lease: name, epoch: lease.epoch });
      expect(await house.readStore.acquireLease(name, 'elsewhere:2:next', 60_000)).not.toBeNull();
    }
    await eventually(() => stopped?.aborted === true);
    const before = await house.ledger(WORKSPACE);
    goOn();
    await eventually(() => failure !== null);

    expect(failure).toBeInstanceOf(LeaseLost);
    expect(await house.ledger(WORKSPACE)).toEqual(before);
    // That the part is another worker's is no failure of the item.
    expect([failures, errors]).toEqual([0, []]);
    expect(new Set(await holders())).toEqual(new Set(['elsewhere:2:next']));
  });
});
