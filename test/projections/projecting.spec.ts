import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { StoreUnavailable, type EventStore } from '#kernel/ports/event-store.port.js';
import { LeaseLost, type ReadStore } from '#kernel/ports/read-store.port.js';
import {
  balances,
  bankPerCase,
  caughtUp,
  closed,
  deposited,
  deposits,
  documentsOf,
  eventually,
  expectNaive,
  projected,
  rateSet,
  rates,
} from './engine-fixture.js';
import { newEvents } from '#test/support/event-stores.js';
import { freeLease } from '#test/support/free-lease.js';

describe('projecting', () => {
  const { bank, reads } = bankPerCase();

  it('folds the history and later events into the documents of a plain fold', async () => {
    const projections = [balances(), deposits(), rates()];
    await bank.happen(deposited(1, 'a', 5), deposited(2, 'a', 7), rateSet(3), closed(2, 'a'));
    const engine = bank.running(reads, projections);
    await caughtUp(bank, engine, 1);
    await bank.happen(deposited(1, 'a', 6), deposited(2, 'a', 1), rateSet(4), closed(1, 'nobody'));
    await caughtUp(bank, engine, 1);

    for (const projection of projections) await expectNaive(bank, reads, projection);
    expect((await documentsOf(reads, balances())).size).toBe(2);
  });

  it('ends a slice with the event that brings it to the most documents, and folds each event once', async () => {
    const written: number[] = [];
    const counting: ReadStore = {
      ...reads,
      write: (writes, fence) => {
        written.push(writes.reduce((sum, { documents }) => sum + documents.length, 0));
        return reads.write(writes, fence);
      },
    };
    const projections = [balances(), deposits(), rates()];
    const accounts = ['a', 'b', 'c', 'a', 'a', 'd', 'e'];
    await bank.happen(...accounts.map((account) => deposited(1, account)), rateSet(2), deposited(2, 'a'));
    const pace = { sliceMs: 10, maxSliceEvents: 500, maxSliceDocuments: 4 };
    const engine = bank.running(counting, projections, { pace });
    await caughtUp(bank, engine, 2);
    await engine.stop();

    // A deposit has two of them, a rate one.
    expect(written.filter((documents) => documents > 0)).toEqual([4, 4, 4, 5]);
    for (const projection of projections) await expectNaive(bank, reads, projection);
    expect((await engine.status())[0]).toMatchObject({ scanned: 8, applied: 8 });
  });

  it('accounts for every scanned event as applied, ignored or parked', async () => {
    await bank.happen(
      deposited(1, 'a'),
      deposited(2, 'a', 1, true),
      deposited(2, 'b'),
      rateSet(1),
      closed(1, 'a'),
    );
    const engine = bank.running(reads, [balances(), rates()]);
    await caughtUp(bank, engine, 1);
    await engine.stop();

    const [bankStatus, rateStatus] = await engine.status();
    expect(bankStatus).toMatchObject({ scanned: 4, applied: 2, ignored: 0, parked: 2, lagSeconds: 0 });
    expect(rateStatus).toMatchObject({ scanned: 1, applied: 1, ignored: 0, parked: 0, lagSeconds: 0 });
  });

  it('counts an event that touches no document as ignored', async () => {
    const byAccount = balances();
    const engine = bank.engine(reads, [{ ...byAccount, key: () => null }]);
    await bank.happen(deposited(1, 'a'), closed(1, 'a'));
    engine.start();
    await caughtUp(bank, engine);
    await engine.stop();
    expect((await engine.status())[0]).toMatchObject({ scanned: 2, applied: 0, ignored: 2, parked: 0 });
  });

  it('keeps its position at the last permanent event, even when only events follow that leave the log', async () => {
    const view = balances();
    await bank.happen(deposited(1, 'a'));
    const own = await bank.events.head();
    const [lasting, claim] = newEvents(2);
    if (lasting === undefined || claim === undefined) throw new Error('there are two');
    await bank.events.append('list-1_1', 'no-stream', [lasting]);
    await bank.events.append('request-1_key', 'no-stream', [claim]);
    const engine = bank.running(reads, [view]);
    await caughtUp(bank, engine);
    const checkpoint = () => reads.checkpoint({ view, generation: 1 });
    await eventually(async () => ((await checkpoint())?.position ?? '') > own);
    await engine.stop();
    expect((await checkpoint())?.event?.id).toBe(lasting.id);
  });

  it('is not affected by a store that delivers every batch twice', async () => {
    const twice: EventStore = {
      ...bank.events,
      subscribe: async function* (read) {
        for await (const batch of bank.events.subscribe(read)) {
          yield batch;
          yield batch;
        }
      },
      readAll: async function* (read) {
        for await (const batch of bank.events.readAll(read)) {
          yield batch;
          yield batch;
        }
      },
    };
    const projections = [balances(), deposits()];
    await bank.happen(deposited(1, 'a'), deposited(1, 'a'), closed(1, 'b'));
    const engine = bank.running(reads, projections, { events: twice });
    await caughtUp(bank, engine);
    await projected(bank, engine, deposited(1, 'a'), closed(1, 'a'), deposited(1, 'a'));
    await engine.stop();
    for (const projection of projections) await expectNaive(bank, reads, projection);
    expect((await engine.status())[0]).toMatchObject({ scanned: 6, applied: 6 });
  });

  it('has each effect once when it dies between writing documents and their checkpoint', async () => {
    let crashesLeft = 1;
    const failures: unknown[] = [];
    const crashing: ReadStore = {
      ...reads,
      write: async (writes, fence) => {
        const isOwnWork = writes.some(({ documents }) => documents.length > 0);
        if (crashesLeft === 0 || !isOwnWork) return reads.write(writes, fence);
        crashesLeft -= 1;
        const unmoved = await Promise.all(
          writes.map(async (write) => ({
            ...write,
            checkpoint: (await reads.checkpoint(write.generation)) ?? {
              position: '',
              applied: 0,
              ignored: 0,
              parked: 0,
            },
          })),
        );
        await reads.write(unmoved, fence);
        throw new StoreUnavailable('gone', 'unknown');
      },
    };
    const projections = [balances(), deposits()];
    const engine = bank.engine(crashing, projections, { onFailure: (_, error) => failures.push(error) });
    await bank.happen(deposited(1, 'a'), deposited(1, 'b'), deposited(1, 'a'), closed(1, 'b'));
    engine.start();
    await caughtUp(bank, engine);
    expect(crashesLeft).toBe(0);
    crashesLeft = 1;
    await projected(bank, engine, deposited(1, 'b'), deposited(1, 'a'));
    // Effects of a second fold that stay in memory would be written only now.
    await projected(bank, engine, deposited(1, 'a'), deposited(1, 'b'));
    await engine.stop();

    expect(crashesLeft).toBe(0);
    expect(failures.length).toBeGreaterThanOrEqual(2);
    for (const projection of projections) await expectNaive(bank, reads, projection);
    expect((await engine.status())[0]).toMatchObject({ scanned: 8, applied: 8, ignored: 0, parked: 0 });
  });

  it('does not bring a deleted document back when its creation is delivered again', async () => {
    const accounts = balances();
    const engine = bank.engine(reads, [accounts]);
    await bank.happen(deposited(1, 'a'), closed(1, 'a'));
    engine.start();
    await caughtUp(bank, engine);
    await engine.stop();
    const [creation] = await bank.history();
    const lease = await reads.acquireLease('projections:bank', 'a stalled worker', 5_000);
    await reads.write(
      [
        {
          generation: { view: accounts, generation: 1 },
          documents: [
            { key: '1/a', position: creation?.position ?? '', document: { account: 'a', total: 1 } },
          ],
          checkpoint: { position: '', applied: 0, ignored: 0, parked: 0 },
        },
      ],
      { lease: 'projections:bank', epoch: lease?.epoch ?? 0 },
    );
    expect((await documentsOf(reads, accounts)).size).toBe(0);
  });

  it('writes nothing while nothing happens', async () => {
    let writes = 0;
    const counting: ReadStore = {
      ...reads,
      write: (projected, fence) => {
        writes += 1;
        return reads.write(projected, fence);
      },
    };
    const engine = bank.running(counting, [balances(), rates()]);
    await projected(bank, engine, deposited(1, 'a'));
    let looks = 0;
    await eventually(async () => (await reads.checkpoint({ view: rates(), generation: 1 })) !== null);
    const before = writes;
    const lookCounting: ReadStore = {
      ...reads,
      acquireLease: (...lease) => ((looks += 1), reads.acquireLease(...lease)),
    };
    bank.running(lookCounting, [balances(), rates()]);
    await eventually(() => looks >= 5);
    expect(writes).toBe(before);
  });

  describe('with two processes on one file', () => {
    it('one process projects, and the other one after the first has stopped', async () => {
      const other = await bank.connectReads();
      const projections = [balances()];
      const first = bank.engine(reads, projections);
      const second = bank.engine(other, projections);
      first.start();
      await eventually(() => first.isLeading());
      second.start();
      await projected(bank, first, deposited(1, 'a'));
      await caughtUp(bank, second);
      expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);

      await first.stop();
      await eventually(() => second.isLeading());
      await projected(bank, second, deposited(1, 'a'));
      await expectNaive(bank, reads, projections[0] ?? balances());
    });

    it('leads at once after a process of this host was killed', async () => {
      const dead = spawnSync(process.execPath, ['--eval', '']).pid;
      await reads.acquireLease('projections:bank', `${hostname()}:${dead}:x`, 3_600_000);
      const engine = bank.running(reads, [balances()]);
      await projected(bank, engine, deposited(1, 'a'));
      expect(engine.isLeading()).toBe(true);
    });

    it('leaves the lease to a live process', async () => {
      await reads.acquireLease('projections:bank', `${hostname()}:${process.pid}:x`, 3_600_000);
      let asked = 0;
      const engine = bank.running(
        { ...reads, acquireLease: (...lease) => ((asked += 1), reads.acquireLease(...lease)) },
        [balances()],
      );
      await eventually(() => asked >= 3);
      expect(engine.isLeading()).toBe(false);
    });

    it('cannot overwrite anything when it resumes from a stall after another took over', async () => {
      const accounts = balances();
      const other = await bank.connectReads();
      const stall: { end?: () => void } = {};
      let stallNext = false;
      const failures: unknown[] = [];
      const stalling: ReadStore = {
        ...reads,
        write: async (writes, fence) => {
          if (stallNext) await new Promise<void>((resolve) => (stall.end = resolve));
          return reads.write(writes, fence);
        },
      };
      const stalled = bank.running(stalling, [accounts], { onFailure: (_, error) => failures.push(error) });
      await projected(bank, stalled, deposited(1, 'a'));
      stallNext = true;
      await bank.happen(deposited(1, 'a'));
      await eventually(() => stall.end !== undefined);

      await freeLease(other, 'projections:bank');
      const next = bank.running(other, [accounts]);
      await eventually(() => next.isLeading());
      await projected(bank, next, deposited(1, 'a'), closed(1, 'a'), deposited(1, 'b'));
      const before = await documentsOf(other, accounts);
      stallNext = false;
      stall.end?.();
      await eventually(() => failures.length > 0);

      expect(failures[0]).toBeInstanceOf(LeaseLost);
      expect(await documentsOf(other, accounts)).toEqual(before);
      await expectNaive(bank, other, accounts);
      expect(next.isLeading()).toBe(true);
    });
  });

  describe('a new version of a view', () => {
    it('is built while the old one is served, and is ready only when it has caught up', async () => {
      await bank.happen(deposited(1, 'a'), deposited(1, 'a'));
      const old = bank.running(reads, [balances()]);
      await caughtUp(bank, old);
      await old.stop();

      const renewed = balances({ works: true }, 2, 'second');
      let isHeld = true;
      const held: EventStore = {
        ...bank.events,
        readAll: async function* (read) {
          await eventually(() => !isHeld);
          yield* bank.events.readAll(read);
        },
      };
      const engine = bank.running(reads, [renewed, deposits()], { events: held });
      await eventually(() => engine.isLeading());
      const watcher = bank.engine(reads, [renewed, deposits()]);
      expect(await watcher.readiness()).toMatchObject({
        ready: false,
        notCaughtUp: [
          { name: 'balances', version: 2, isBuilt: true },
          { name: 'deposits', version: 1, isBuilt: true },
        ],
      });
      expect(await reads.get(balances(), '1/a')).toMatchObject({ total: 2, generation: 'first' });
      isHeld = false;
      await caughtUp(bank, engine);
      expect(await watcher.readiness()).toMatchObject({ ready: true, notCaughtUp: [] });
      expect(await reads.get(renewed, '1/a')).toMatchObject({ total: 2, generation: 'second' });
      expect(await reads.get(balances(), '1/a')).toMatchObject({ total: 2, generation: 'first' });
    });
  });
});
