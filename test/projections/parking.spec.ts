import { StoreUnavailable, type EventStore, type StoredEvent } from '#kernel/ports/event-store.port.js';
import type { Recorded } from '#kernel/events/event.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { ProjectionEngineOptions } from '#projection-engine/projection-engine.js';
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
  type Poison,
} from './engine-fixture.js';
import { soon } from '#test/support/event-stores.js';

describe('events that cannot be folded', () => {
  const { bank, reads } = bankPerCase();
  let poison: Poison;
  beforeEach(() => {
    poison = { works: true };
  });

  it('park their workspace in their projection and nothing else', async () => {
    const engine = bank.running(reads, [balances(poison), deposits()]);
    await projected(
      bank,
      engine,
      deposited(1, 'a'),
      deposited(1, 'a', 9, true),
      deposited(1, 'b'),
      deposited(2, 'a'),
    );

    expect([...(await documentsOf(reads, balances())).keys()]).toEqual(['1/a', '2/a']);
    expect(await reads.get(balances(), '1/a')).toMatchObject({ total: 1 });
    await expectNaive(bank, reads, deposits());
    expect(await engine.isParked('balances', 1)).toBe(true);
    expect(await engine.isParked('balances', 2)).toBe(false);
    expect(await engine.isParked('deposits', 1)).toBe(false);
    await engine.stop();
    const [status] = await engine.status();
    expect(status).toMatchObject({
      scanned: 4,
      applied: 2,
      parked: 2,
      parkedWorkspaces: [
        {
          workspaceId: '1',
          type: 'Deposited',
          stream: 'bank-1',
          revision: '1',
          reason: 'Error: cannot fold this',
        },
      ],
    });
    expect(await engine.readiness()).toMatchObject({
      ready: true,
      parked: [{ name: 'balances', workspaceIds: ['1'] }],
    });
    expect(await engine.figures()).toMatchObject([
      { name: 'balances', parkedWorkspaces: 1, isHalted: false, isLive: true, events: 4 },
      { name: 'deposits', parkedWorkspaces: 0, isHalted: false, isLive: true, events: 4 },
    ]);
  });

  it('are seen as parked by a process that does not project', async () => {
    const engine = bank.engine(reads, [balances(poison)]);
    const watcher = bank.engine(await bank.connectReads(), [balances(poison)]);
    engine.start();
    await projected(bank, watcher, deposited(1, 'a', 9, true), deposited(2, 'a'));
    expect(await watcher.isParked('balances', 1)).toBe(true);
    expect(await watcher.isParked('balances', 2)).toBe(false);
  });

  it('touch none of their documents when one of several cannot be folded', async () => {
    const two = balances(poison);
    const both = { ...two, key: () => ['good', 'bad'], on: { ...two.on, Deposited: foldButBad } };
    const engine = bank.running(reads, [both]);
    await projected(bank, engine, deposited(1, 'a'), deposited(2, 'a'));
    expect((await documentsOf(reads, both)).size).toBe(0);
  });

  it('stay parked through a restart of the process', async () => {
    const first = bank.running(reads, [balances(poison)]);
    await projected(bank, first, deposited(1, 'a', 9, true));
    await first.stop();
    poison.works = false;
    const second = bank.running(reads, [balances(poison)]);
    await projected(bank, second, deposited(1, 'a', 1));
    expect(await reads.get(balances(), '1/a')).toBeNull();
    expect((await second.status())[0]).toMatchObject({ applied: 0, parked: 2 });
  });

  it('park the workspace also when a payload cannot be decoded, a key is empty or a document is not JSON', async () => {
    const odd = balances(poison);
    const projection = {
      ...odd,
      key: (event: Recorded<never>) =>
        Reflect.get(Reflect.get(event, 'data'), 'account') === 'no key' ? '' : odd.key(event),
      on: {
        ...odd.on,
        Deposited: (_: never, event: Recorded<never>) => oddDocument(Reflect.get(event, 'data')),
      },
    };
    const engine = bank.running(reads, [projection], {
      decode: (stored) => (stored.data['account'] === 'unreadable' ? null : stored),
    });
    await projected(
      bank,
      engine,
      deposited(1, 'unreadable'),
      deposited(2, 'no key'),
      deposited(3, 'big'),
      deposited(4, 'object in index'),
      deposited(5, 'undefined'),
      deposited(6, 'fine'),
    );
    const [status] = await engine.status();
    expect(status?.parkedWorkspaces.map(({ workspaceId, reason }) => [workspaceId, reason])).toEqual([
      ['1', 'Error: no vocabulary knows Deposited'],
      ['2', 'Error: a document cannot have an empty key'],
      ['3', 'Error: a fold of balances gave something that is not JSON'],
      ['4', 'Error: total of balances is indexed but holds no scalar'],
      ['5', 'Error: a fold of balances gave something that is not JSON'],
    ]);
    expect((await documentsOf(reads, projection)).size).toBe(1);
  });

  it('halt their projection when they belong to no workspace, and the others continue', async () => {
    const engine = bank.running(reads, [rates(poison), balances(poison)]);
    await caughtUp(bank, engine);
    await projected(bank, engine, rateSet(1), rateSet(2, true), rateSet(3), deposited(1, 'a'));
    await projected(bank, engine, deposited(1, 'a'));

    expect(await reads.get(rates(), 'rate')).toEqual({ rate: 1 });
    await expectNaive(bank, reads, balances());
    expect(await engine.readiness()).toMatchObject({
      ready: false,
      halted: [{ name: 'rates', reason: 'Error: cannot fold this' }],
    });
    const figures = await engine.figures();
    expect(figures.filter(({ isHalted }) => isHalted).map(({ name }) => name)).toEqual(['rates']);
    expect((await engine.status())[0]).toMatchObject({ scanned: 1, applied: 1 });
    expect((await engine.status())[0]?.lagSeconds).toBeGreaterThan(0);
  });

  it('that halted their projection are folded after a restart with repaired code', async () => {
    const first = bank.running(reads, [rates(poison), balances(poison)]);
    await projected(bank, first, rateSet(1), rateSet(2, true), rateSet(3), deposited(1, 'a'));
    await first.stop();
    poison.works = false;
    const second = bank.running(reads, [rates(poison), balances(poison)]);
    await eventually(async () => (await second.readiness()).ready);
    expect(await reads.get(rates(), 'rate')).toEqual({ rate: 3 });
    await projected(bank, second, rateSet(4));
    await expectNaive(bank, reads, rates({ works: false }));
    expect((await second.status())[0]).toMatchObject({ scanned: 4, applied: 4 });
  });

  describe('retry', () => {
    it('drains parked events in order once the fold works, and later events follow them', async () => {
      const accounts = balances(poison);
      const engine = bank.running(reads, [accounts]);
      await bank.happen(deposited(1, 'a', 5, true), closed(1, 'b'), deposited(2, 'a', 5, true));
      for (let round = 0; round < 250; round += 1) await projected(bank, engine, deposited(1, 'a', round));
      expect(await engine.retry('balances')).toMatchObject({
        events: 0,
        stillParked: [
          { workspaceId: '1', reason: 'Error: cannot fold this' },
          { workspaceId: '2', reason: 'Error: cannot fold this' },
        ],
      });

      poison.works = false;
      expect(await engine.retry('balances', 1)).toEqual({ events: 252, stillParked: [], halted: null });
      expect(await engine.isParked('balances', 1)).toBe(false);
      expect(await engine.isParked('balances', 2)).toBe(true);
      await bank.happen(deposited(1, 'a', 1));
      await engine.retry('balances');
      await caughtUp(bank, engine);
      await caughtUp(bank, engine);
      await expectNaive(bank, reads, accounts);
      await engine.stop();
      expect((await engine.status())[0]).toMatchObject({ scanned: 254, applied: 254, parked: 0 });
      expect(await reads.listRecords('parked', '', 10)).toEqual([]);
      // Other processes see the workspaces by these records.
      expect(await reads.listRecords('parked-workspace', '', 10)).toEqual([]);
    });

    it('keeps the event of the checkpoint, so that another log is still noticed', async () => {
      const engine = bank.running(reads, [balances(poison)]);
      await projected(bank, engine, deposited(1, 'a', 5, true), deposited(2, 'a'));
      const generation = { view: balances(), generation: 1 };
      const before = await reads.checkpoint(generation);
      poison.works = false;
      await engine.retry('balances');
      expect(before?.event).toBeDefined();
      expect(await reads.checkpoint(generation)).toEqual({ ...before, applied: 2, parked: 0 });
    });

    it('stops at the next event that cannot be folded', async () => {
      const fold = balances(poison);
      const engine = bank.engine(reads, [fold], {
        decode: (stored) => {
          if (stored.data['account'] === 'unreadable') throw new Error('unreadable');
          return stored;
        },
      });
      engine.start();
      await projected(
        bank,
        engine,
        deposited(1, 'a', 5, true),
        deposited(1, 'b'),
        deposited(1, 'unreadable'),
        deposited(1, 'c'),
      );
      poison.works = false;
      expect(await engine.retry('balances', 1)).toEqual({
        events: 2,
        stillParked: [{ workspaceId: '1', reason: 'Error: unreadable' }],
        halted: null,
      });
      expect([...(await documentsOf(reads, fold)).keys()]).toEqual(['1/a', '1/b']);
      await engine.stop();
      expect((await engine.status())[0]).toMatchObject({
        scanned: 4,
        applied: 2,
        parked: 2,
        parkedWorkspaces: [{ workspaceId: '1', reason: 'Error: unreadable', revision: '2' }],
      });
    });

    /** A store that is gone when parked events are to be removed. */
    const goneBeforeRemoval = (isGone: () => boolean): ReadStore => ({
      ...reads,
      deleteRecord: async (kind, key) => {
        if (isGone() && kind === 'parked') throw new StoreUnavailable('gone');
        return reads.deleteRecord(kind, key);
      },
    });

    it('counts and folds each event once when it dies between its write and the removal of the drained events', async () => {
      const accounts = balances(poison);
      let dies = false;
      const dying = goneBeforeRemoval(() => dies);
      const failures: unknown[] = [];
      const first = bank.running(dying, [accounts], { onFailure: (_, error) => failures.push(error) });
      await projected(bank, first, deposited(1, 'a', 5, true));
      poison.works = false;
      dies = true;
      await expect(first.retry('balances', 1)).rejects.toThrow(StoreUnavailable);
      // The memory must be discarded: a new event would otherwise be parked as if nothing had been drained.
      await bank.happen(deposited(1, 'a', 2));
      const checkpoint = async () => reads.checkpoint({ view: accounts, generation: 1 });
      await eventually(async () => failures.length > 1 || (await checkpoint())?.parked === 1);
      await first.stop();

      const second = bank.running(reads, [accounts]);
      await projected(bank, second, deposited(1, 'a', 3));
      await second.retry('balances', 1);
      await expectNaive(bank, reads, balances({ works: false }));
      await second.stop();
      expect((await second.status())[0]).toMatchObject({ scanned: 3, applied: 3, parked: 0 });
    });

    /** A retry of workspace 1 whose process dies after it has written documents, before it removes what is drained. */
    const dyingRetry = async (options: Partial<ProjectionEngineOptions> = {}): Promise<void> => {
      let dies = false;
      const dying: ReadStore = {
        ...goneBeforeRemoval(() => dies),
        // Its process is dead: no later term of it takes up the rest.
        acquireLease: async (...words) => (dies ? null : reads.acquireLease(...words)),
      };
      const first = bank.running(dying, [balances(poison)], { ...options, onFailure: () => undefined });
      await caughtUp(bank, first);
      poison.works = false;
      dies = true;
      await expect(first.retry('balances', 1)).rejects.toThrow(StoreUnavailable);
      await first.stop();
    };

    it('that died has freed a workspace of which it drained all events', async () => {
      await bank.happen(deposited(1, 'a', 5, true), deposited(1, 'a', 2));
      await dyingRetry();
      const second = bank.running(reads, [balances(poison)]);
      await projected(bank, second, deposited(1, 'a', 3));
      expect(await second.isParked('balances', 1)).toBe(false);
      await expectNaive(bank, reads, balances(poison));
      for (const kind of ['parked', 'parked-workspace', 'drain'])
        expect(await reads.listRecords(kind, '', 10)).toEqual([]);
      await second.stop();
      expect((await second.status())[0]).toMatchObject({ applied: 3, parked: 0 });
    });

    it('that died leaves the events parked that it did not drain: those of the next page', async () => {
      await bank.happen(deposited(1, 'a', 5, true));
      for (let more = 0; more < 200; more += 1) await bank.happen(deposited(1, 'a', more));
      await dyingRetry();
      const second = bank.running(reads, [balances(poison)]);
      await projected(bank, second, deposited(1, 'a', 3));
      expect(await second.isParked('balances', 1)).toBe(true);
      expect(await second.retry('balances', 1)).toEqual({ events: 2, stillParked: [], halted: null });
      await expectNaive(bank, reads, balances(poison));
    });

    it('that died leaves the events parked that it did not drain: those from a refused one on', async () => {
      let isReadable = false;
      const decode = (stored: StoredEvent): StoredEvent => {
        if (stored.data['account'] === 'unreadable' && !isReadable) throw new Error('unreadable');
        return stored;
      };
      await bank.happen(deposited(1, 'a', 5, true), deposited(1, 'unreadable'), deposited(1, 'a', 7));
      await dyingRetry({ decode });
      isReadable = true;
      const second = bank.running(reads, [balances(poison)], { decode });
      expect(await second.retry('balances', 1)).toEqual({ events: 2, stillParked: [], halted: null });
      await expectNaive(bank, reads, balances(poison));
    });

    it('keeps the reason of the parked events while the event store is away', async () => {
      let isAway = false;
      const away: EventStore = {
        ...bank.events,
        async *readStream(...words) {
          if (isAway) throw new StoreUnavailable('away');
          yield* bank.events.readStream(...words);
        },
      };
      const engine = bank.running(reads, [balances(poison)], { events: away, onFailure: () => undefined });
      await projected(bank, engine, deposited(1, 'a', 5, true));
      poison.works = false;
      isAway = true;
      await expect(engine.retry('balances', 1)).rejects.toThrow('away');
      const [status] = await engine.status();
      expect(status?.parkedWorkspaces).toMatchObject([{ reason: 'Error: cannot fold this' }]);
    });

    it('counts and folds each event once when it dies after writing its documents without their count', async () => {
      const accounts = balances(poison);
      let dies = false;
      const dying: ReadStore = {
        ...reads,
        write: async (writes, fence) => {
          if (!dies) return reads.write(writes, fence);
          // A server writes documents before the checkpoint.
          const [before] = await Promise.all(writes.map(({ generation }) => reads.checkpoint(generation)));
          if (before === null || before === undefined) throw new Error('there is no checkpoint');
          await reads.write(
            writes.map((write) => ({ ...write, checkpoint: before })),
            fence,
          );
          throw new StoreUnavailable('gone');
        },
      };
      const first = bank.running(dying, [accounts], { onFailure: () => undefined });
      await projected(bank, first, deposited(1, 'a', 5, true), deposited(1, 'a', 2), deposited(1, 'b', 3));
      poison.works = false;
      dies = true;
      await expect(first.retry('balances', 1)).rejects.toThrow(StoreUnavailable);
      await first.stop();

      const second = bank.running(reads, [accounts]);
      expect(await second.retry('balances', 1)).toEqual({ events: 3, stillParked: [], halted: null });
      await expectNaive(bank, reads, balances({ works: false }));
      await second.stop();
      expect((await second.status())[0]).toMatchObject({ scanned: 3, applied: 3, parked: 0 });
    });

    it('refuses to fold parked events into a document that other workspaces have changed since', async () => {
      const fold = balances(poison);
      const shared = { ...fold, key: () => 'everybody' };
      const engine = bank.running(reads, [shared]);
      await projected(bank, engine, deposited(1, 'a', 5, true), deposited(2, 'a'));
      poison.works = false;
      const { stillParked } = await engine.retry('balances', 1);
      expect(stillParked[0]?.reason).toMatch(/shared with other workspaces/);
      expect(await reads.get(shared, 'everybody')).toMatchObject({ total: 1 });
    });

    it('restarts a halted projection', async () => {
      const engine = bank.running(reads, [rates(poison)]);
      await projected(bank, engine, rateSet(1, true), rateSet(2));
      expect(await engine.retry('rates')).toMatchObject({ halted: 'Error: cannot fold this' });
      poison.works = false;
      expect(await engine.retry('rates')).toMatchObject({ halted: null });
      await caughtUp(bank, engine);
      expect(await reads.get(rates(), 'rate')).toEqual({ rate: 2 });
      expect((await engine.readiness()).ready).toBe(true);
    });

    it('waits for a store that opens its projections slowly', async () => {
      const first = bank.running(reads, [balances(poison)]);
      await projected(bank, first, deposited(1, 'a', 5, true));
      await first.stop();
      poison.works = false;
      let isAsked = false;
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      const slow: ReadStore = {
        ...reads,
        generations: async (view) => {
          isAsked = true;
          await answered;
          return reads.generations(view);
        },
      };
      const second = bank.running(slow, [balances(poison)]);
      await eventually(() => isAsked);
      const retried = second.retry('balances', 1);
      answer();
      expect(await retried).toEqual({ events: 1, stillParked: [], halted: null });
    });

    it('stops at a parked event that cannot be read, and ends no term of the leader', async () => {
      const accounts = balances(poison);
      const failures: unknown[] = [];
      const events: EventStore = {
        ...bank.events,
        readStream: (stream, read) =>
          bank.events.readStream(stream, read?.from === 1n ? { ...read, from: 99n } : read),
      };
      const engine = bank.running(reads, [accounts], {
        events,
        onFailure: (_, error) => failures.push(error),
      });
      await projected(bank, engine, deposited(1, 'a', 5, true), deposited(1, 'b'), deposited(1, 'c'));
      poison.works = false;
      const cli = bank.engine(await bank.connectReads(), [accounts]);
      expect(await cli.retry('balances', 1)).toEqual({
        events: 1,
        stillParked: [
          { workspaceId: '1', reason: 'Error: the parked event 1 of bank-1 is not in the event store' },
        ],
        halted: null,
      });
      await projected(bank, engine, deposited(2, 'a'));
      expect([...(await documentsOf(reads, accounts)).keys()]).toEqual(['1/a', '2/a']);
      expect(failures).toEqual([]);
    });

    it('answers a request that the leader cannot handle with the reason, and ends no term of the leader', async () => {
      const failures: unknown[] = [];
      const leading = bank.running(reads, [balances(poison)], {
        onFailure: (_, error) => failures.push(error),
      });
      await caughtUp(bank, leading);
      // Another version of the program, with a projection that the leader does not have.
      const cli = bank.engine(await bank.connectReads(), [balances(poison), deposits()]);
      await expect(soon('the answer', cli.retry('deposits'))).rejects.toMatchObject({
        name: 'RetryRefused',
        message: 'The process that projects is of another version, without deposits',
      });
      await projected(bank, leading, deposited(1, 'a'));
      expect(failures).toEqual([]);
      for (const kind of ['retry-request', 'retry-answer'])
        expect(await reads.listRecords(kind, '', 10)).toEqual([]);
    });

    it('leaves no request behind when its process cannot wait for the answer', async () => {
      const leading = bank.running(reads, [balances(poison)]);
      await caughtUp(bank, leading);
      const store = await bank.connectReads();
      const cli = bank.engine({ ...store, getRecord: () => Promise.reject(new StoreUnavailable('gone')) }, [
        balances(poison),
      ]);
      await leading.stop();
      await expect(cli.retry('balances')).rejects.toThrow('gone');
      expect(await reads.listRecords('retry-request', '', 10)).toEqual([]);
    });

    it('works from another process, with the leader up or down', async () => {
      const accounts = balances(poison);
      const leading = bank.engine(reads, [accounts]);
      const cli = bank.engine(await bank.connectReads(), [accounts]);
      leading.start();
      await projected(bank, leading, deposited(1, 'a', 5, true), deposited(2, 'a', 5, true));
      poison.works = false;
      expect(await cli.retry('balances', 1)).toEqual({ events: 1, stillParked: [], halted: null });
      await leading.stop();
      expect(await cli.retry('balances')).toEqual({ events: 1, stillParked: [], halted: null });
      await expectNaive(bank, reads, balances({ works: false }));
      expect(await reads.listRecords('retry-request', '', 10)).toEqual([]);
      expect(await reads.lease('projections:bank')).toBeNull();
    });
  });
});

function foldButBad(_: never, __: Recorded<never>, key: string): never {
  if (key === 'bad') throw new Error('bad');
  return { account: 'a', total: 1, trail: '', generation: '' } as never;
}

function oddDocument(data: object): never {
  const account: unknown = Reflect.get(data, 'account');
  const documents: { readonly [account: string]: unknown } = {
    big: { account, total: 1n },
    'object in index': { account, total: {} },
    fine: { account, total: 1 },
  };
  return documents[String(account)] as never;
}
