import { StoreUnavailable, type EventStore } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { Projection } from '#kernel/projections/projection.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import {
  balances,
  bankPerCase,
  caughtUp,
  closed,
  deposited,
  deposits,
  documentsOf,
  eventually,
  projected,
  rateSet,
  rates,
  type BankEvent,
} from './engine-fixture.js';

const SMALL_SLICES = { sliceMs: 10, maxSliceEvents: 16 };

describe('rebuilding', () => {
  const { bank, reads } = bankPerCase();
  const accounts = balances();

  const leading = async (projections: readonly Projection[]): Promise<ProjectionEngine> => {
    const engine = bank.running(reads, projections, { pace: SMALL_SLICES });
    await caughtUp(bank, engine);
    return engine;
  };
  /** Another process, whose code has the label of the rebuilt documents. */
  const rebuilding = async (store?: ReadStore): Promise<ProjectionEngine> =>
    bank.engine(store ?? (await bank.connectReads()), [balances({ works: true }, 1, 'second'), deposits()], {
      pace: SMALL_SLICES,
    });
  const trails = async (): Promise<readonly unknown[]> =>
    [...(await documentsOf(reads, accounts)).values()].map((document) => ({
      ...Object(document),
      generation: '',
    }));
  const naiveTrails = async (): Promise<readonly unknown[]> => {
    const { foldAll } = await import('#kernel/testing/project.js');
    const documents = foldAll(balances(), await bank.history());
    return [...documents]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, one]) => ({ ...one, generation: '' }));
  };

  it('builds beside the live generation and swaps while writes and queries continue, which never mix and never fail', async () => {
    await bank.happen(
      ...history(300),
      deposited(1, 'a'),
      deposited(1, 'b'),
      deposited(2, 'b'),
      deposited(3, 'z'),
    );
    const engine = await leading([accounts, deposits()]);
    const cli = await rebuilding();
    let isOver = false;
    const untilOver = async (work: () => Promise<void>): Promise<void> => {
      try {
        while (!isOver) await work();
      } finally {
        isOver = true;
      }
    };
    const labelsSeen: string[] = [];
    let written = 0;
    const writing = untilOver(async () => {
      const position = await bank.happen(deposited(3, 'z'), deposited(1, 'a'));
      const event = (await bank.history()).at(-1);
      expect(await engine.reached({ position, types: ['Deposited'], workspaceId: 1 }, 20_000)).toBe(true);
      // Read-your-writes holds across the swap.
      const balance = await reads.get(accounts, '1/a');
      expect(balance?.trail.endsWith(`${event?.id.slice(0, 4)} `)).toBe(true);
      written += 1;
    });
    const querying = untilOver(async () => {
      const sort = [
        ['total', 'asc'],
        ['account', 'asc'],
      ] as const;
      const found = await reads.find(accounts, { sort, limit: 100 });
      const labels = [...new Set(found.map(({ generation }) => generation))];
      expect(labels).toHaveLength(1);
      for (const label of labels) if (labelsSeen.at(-1) !== label) labelsSeen.push(label);
      await new Promise((resolve) => setImmediate(resolve));
    });
    await eventually(() => isOver || (labelsSeen.length > 0 && written > 3));
    const outcome = await cli.rebuild('balances');
    const writtenBefore = written;
    await eventually(() => isOver || (labelsSeen.at(-1) === 'second' && written > writtenBefore + 3));
    isOver = true;
    await Promise.all([writing, querying]);

    expect(outcome).toEqual({ outcome: 'live', generation: 2, previous: 1 });
    expect(labelsSeen).toEqual(['first', 'second']);
    await caughtUp(bank, engine);
    expect(await trails()).toEqual(await naiveTrails());
    await engine.stop();
    const [status] = await engine.status();
    expect(status).toMatchObject({ live: 2, generations: [1, 2], lagSeconds: 0 });
    expect(status?.applied).toBe((await bank.history()).length);
  });

  it('does the swap itself when no process leads', async () => {
    await bank.happen(...history(50));
    await (await leading([accounts, deposits()])).stop();
    await bank.happen(deposited(9, 'late'));
    const cli = await rebuilding();
    expect(await cli.rebuild('balances')).toMatchObject({ outcome: 'live', generation: 2 });
    expect(await reads.get(accounts, '9/late')).toMatchObject({ generation: 'second' });
    expect(await trails()).toEqual(await naiveTrails());
    expect(await reads.lease('projections:bank')).toBeNull();
    expect(await reads.lease('rebuild:balances@1')).toBeNull();
  });

  it('reports its speed and the remaining events', async () => {
    await bank.happen(...history(100));
    await leading([accounts, deposits()]);
    const reports: { readonly phase: string; readonly events: number; readonly etaSeconds: number | null }[] =
      [];
    await (await rebuilding()).rebuild('balances', { onProgress: (progress) => reports.push(progress) });
    expect(reports.at(0)).toMatchObject({ phase: 'building' });
    expect(reports.at(-1)).toMatchObject({ phase: 'swapping', events: 100, etaSeconds: 0 });
  });

  for (const stopAfter of [1, 2, 5]) {
    it(`continues where it was cancelled, after ${stopAfter} writes`, async () => {
      await bank.happen(...history(200));
      await leading([accounts, deposits()]);
      const cancelling = new AbortController();
      let writes = 0;
      const store = await bank.connectReads();
      const cli = await rebuilding({
        ...store,
        write: async (written, fence) => {
          await store.write(written, fence);
          writes += 1;
          if (writes === stopAfter) cancelling.abort();
        },
      });
      expect(await cli.rebuild('balances', { signal: cancelling.signal })).toEqual({
        outcome: 'cancelled',
        generation: 2,
      });
      expect((await reads.generations(accounts)).live).toBe(1);
      const kept = await reads.checkpoint({ view: accounts, generation: 2 });
      expect(kept?.applied).toBeGreaterThan(0);
      expect(kept?.applied).toBeLessThan(200);
      // Another process sees its position, and that it does not move.
      const [figures, others] = await bank.engine(reads, [accounts, deposits()]).figures();
      expect(figures).toMatchObject({ events: 200, rebuildEvents: kept?.applied });
      expect(others?.rebuildEvents).toBe(null);

      const firstReport: number[] = [];
      const outcome = await (
        await rebuilding()
      ).rebuild('balances', {
        onProgress: ({ events }) => firstReport.push(events),
      });
      expect(outcome).toMatchObject({ outcome: 'live', generation: 2 });
      expect(firstReport[0]).toBeGreaterThan(kept?.applied ?? 0);
      expect(await trails()).toEqual(await naiveTrails());
    });
  }

  for (const [what, kind] of [
    ['before its first note', 'note'],
    ['before its first write', 'write'],
    ['before it says that it is ready', 'ready'],
    ['before the pointer moves', 'makeLive'],
    ['after the pointer moved', 'live note'],
  ] as const) {
    it(`ends correctly when it was killed ${what}`, async () => {
      await bank.happen(...history(60));
      await (await leading([accounts, deposits()])).stop();
      const store = await bank.connectReads();
      let isDead = false;
      const die = (): never => {
        isDead = true;
        throw new StoreUnavailable('killed');
      };
      const killed: ReadStore = {
        ...store,
        putRecord: async (record, key, value) => {
          const state: unknown = Reflect.get(Object(value), 'state');
          if (isDead || (kind === 'note' && state === 'building')) die();
          if ((kind === 'ready' && state === 'ready') || (kind === 'live note' && state === 'live')) die();
          return store.putRecord(record, key, value);
        },
        write: async (writes, fence) => (isDead || kind === 'write' ? die() : store.write(writes, fence)),
        makeLive: async (generation, fence) =>
          isDead || kind === 'makeLive' ? die() : store.makeLive(generation, fence),
      };
      await expect((await rebuilding(killed)).rebuild('balances')).rejects.toThrow('killed');
      expect(isDead).toBe(true);
      await bank.happen(deposited(1, 'after'));

      const next = await rebuilding();
      const outcome = await next.rebuild('balances');
      expect(outcome).toMatchObject({ outcome: 'live' });
      next.start();
      await caughtUp(bank, next);
      expect(await reads.get(accounts, '1/after')).toMatchObject({ generation: 'second' });
      expect(await trails()).toEqual(await naiveTrails());
    });
  }

  it('is finished by the leader when the rebuilding process died after it was ready', async () => {
    await bank.happen(...history(40));
    await (await leading([accounts, deposits()])).stop();
    const store = await bank.connectReads();
    const cli = await rebuilding({
      ...store,
      makeLive: () => Promise.reject(new StoreUnavailable('killed')),
    });
    await expect(cli.rebuild('balances')).rejects.toThrow('killed');
    await bank.happen(deposited(1, 'after'));
    const engine = await leading([accounts, deposits()]);
    await eventually(async () => (await reads.generations(accounts)).live === 2);
    await projected(bank, engine, deposited(1, 'later'));
    expect(await trails()).toEqual(await naiveTrails());
  });

  it('never swaps to a checkpoint behind the live one, even if the two ended on different events', async () => {
    await bank.happen(...history(20));
    const engine = await leading([accounts, rates()]);
    await projected(bank, engine, rateSet(1));
    await engine.stop();
    // Like a store that reports only the positions of the events it delivers.
    const terse: EventStore = {
      ...bank.events,
      readAll: async function* (read) {
        for await (const batch of bank.events.readAll(read)) {
          const position = batch.events.at(-1)?.position;
          if (position !== undefined) yield { ...batch, position };
        }
      },
    };
    const cli = bank.engine(await bank.connectReads(), [accounts, rates()], { events: terse });
    await cli.rebuild('balances');
    const [old, renewed] = await Promise.all(
      [1, 2].map((generation) => reads.checkpoint({ view: accounts, generation })),
    );
    expect(old?.position).toBe(await bank.events.head());
    expect(renewed?.position).toBe(old?.position);
  });

  it('can be rolled back also when its process died before it recorded that it was live', async () => {
    await bank.happen(...history(20));
    const engine = await leading([accounts, deposits()]);
    const cli = await rebuilding();
    await cli.rebuild('balances');
    const note = await reads.getRecord<JsonObject>('rebuild', 'balances@1');
    await reads.putRecord('rebuild', 'balances@1', { ...note, state: 'ready' });
    expect(await cli.rollback('balances')).toMatchObject({ outcome: 'live', generation: 1 });
    await caughtUp(bank, engine);
    expect(await trails()).toEqual(await naiveTrails());
  });

  it('runs once at a time', async () => {
    await bank.happen(...history(20));
    await leading([accounts, deposits()]);
    await reads.acquireLease('rebuild:balances@1', 'another process', 60_000);
    await expect((await rebuilding()).rebuild('balances')).rejects.toThrow(
      /being rebuilt or verified by another process/,
    );
    await expect((await rebuilding()).rebuild('no such')).rejects.toThrow(/no projection called no such/);
  });

  it('is refused before the view has caught up the first time', async () => {
    await expect((await rebuilding()).rebuild('balances')).rejects.toThrow(/not caught up the first time/);
  });

  it('can be abandoned after it was cancelled, and the next one starts from the beginning', async () => {
    await bank.happen(...history(40));
    await leading([accounts, deposits()]);
    const cancelled = AbortSignal.abort();
    const cli = await rebuilding();
    await cli.rebuild('balances', { signal: cancelled });
    await cli.abandon('balances');
    expect(await reads.generations(accounts)).toEqual({ live: 1, all: [1] });
    await expect(cli.abandon('balances')).rejects.toThrow(/No rebuild/);
    expect(await cli.rebuild('balances')).toMatchObject({ outcome: 'live', generation: 2 });
    expect(await trails()).toEqual(await naiveTrails());
  });

  describe('while the leader makes a generation live whose note it has read', () => {
    /** Each drop comes right after the swap of the leader. */
    async function crossing() {
      await bank.happen(...history(40));
      await leading([accounts, deposits()]);
      const store = await bank.connectReads();
      const crossed: ReadStore = {
        ...store,
        dropGeneration: async (generation) => {
          const lease = await store.acquireLease('a leader', 'leader', 60_000);
          await store.createGeneration(generation);
          await store.indexGeneration(generation);
          await store.makeLive(generation, { lease: 'a leader', epoch: lease?.epoch ?? 0 });
          return store.dropGeneration(generation);
        },
      };
      const views = [accounts, deposits()];
      return { cli: bank.engine(store, views), crossed: bank.engine(crossed, views) };
    }

    it('keeps it when its rebuild is abandoned', async () => {
      const { cli, crossed } = await crossing();
      await cli.rebuild('balances', { signal: AbortSignal.abort() });
      await expect(crossed.abandon('balances')).rejects.toThrow(
        /The rebuild of balances went live meanwhile/,
      );
      expect(await reads.generations(accounts)).toEqual({ live: 2, all: [1, 2] });
      await expect(crossed.abandon('balances')).rejects.toThrow(/No rebuild of balances is under way/);
    });

    it('keeps it when former generations are pruned', async () => {
      const { cli, crossed } = await crossing();
      await cli.rebuild('balances');
      await expect(crossed.prune('balances')).rejects.toThrow(/Generation 1 of balances went live meanwhile/);
      expect(await reads.generations(accounts)).toEqual({ live: 1, all: [1, 2] });
    });
  });

  it('parks nothing because of an earlier generation of its number whose process died while dropping it', async () => {
    const poison = { works: true };
    await bank.happen(deposited(1, 'a', 5), deposited(1, 'a', 5, true), rateSet(1, true));
    const repaired = { works: false };
    await leading([balances(repaired), rates(repaired)]);
    const store = await bank.connectReads();
    // The shadow parks a workspace, or halts, and is dropped without its records.
    for (const name of ['balances', 'rates']) {
      let isDropped = false;
      const dying: ReadStore = {
        ...store,
        dropGeneration: async (generation) => {
          isDropped = await store.dropGeneration(generation);
          return isDropped;
        },
        deleteRecord: async (kind, key) => {
          if (isDropped) throw new StoreUnavailable('killed');
          await store.deleteRecord(kind, key);
        },
      };
      const cli = bank.engine(dying, [balances(poison), rates(poison)]);
      await expect(cli.verify(name)).rejects.toThrow('killed');
    }
    expect((await reads.listRecords('parked-workspace', 'balances@1', 10)).length).toBe(1);
    expect((await reads.listRecords('halted', 'rates@1', 10)).length).toBe(1);

    const cli = bank.engine(store, [balances(repaired), rates(repaired)]);
    expect(await cli.verify('balances')).toMatchObject({ ok: true, differing: 0 });
    expect(await cli.verify('rates')).toMatchObject({ ok: true, differing: 0 });
    expect(await cli.rebuild('balances')).toMatchObject({ outcome: 'live', generation: 2 });
    expect(await cli.parked('balances')).toEqual([]);
    expect(await reads.get(accounts, '1/a')).toMatchObject({ total: 10 });
  });

  it('swaps nothing when an event without a workspace cannot be folded, and continues once it can', async () => {
    await bank.happen(rateSet(1), rateSet(2, true), rateSet(3));
    const engine = bank.running(reads, [rates({ works: false })]);
    await caughtUp(bank, engine);
    const poison = { works: true };
    const cli = bank.engine(await bank.connectReads(), [rates(poison)]);
    expect(await cli.rebuild('rates')).toEqual({
      outcome: 'halted',
      generation: 2,
      reason: 'Error: cannot fold this',
    });
    expect((await reads.generations(rates())).live).toBe(1);
    poison.works = false;
    expect(await cli.rebuild('rates')).toMatchObject({ outcome: 'live', generation: 2 });
    expect(await reads.get(rates(), 'rate')).toEqual({ rate: 3 });
  });

  describe('rollback', () => {
    it('brings the earlier generation up to date and swaps back, and forth again', async () => {
      await bank.happen(...history(40));
      const engine = await leading([accounts, deposits()]);
      const cli = await rebuilding();
      await cli.rebuild('balances');
      await projected(bank, engine, deposited(1, 'new'), closed(2, 'b'));
      expect(await cli.rollback('balances')).toEqual({ outcome: 'live', generation: 1, previous: 2 });
      expect(await trails()).toEqual(await naiveTrails());
      await projected(bank, engine, deposited(1, 'newer'));
      expect(await cli.rollback('balances')).toMatchObject({ outcome: 'live', generation: 2 });
      expect(await trails()).toEqual(await naiveTrails());
    });

    it('to a named generation changes nothing if that is live, so that it can be repeated', async () => {
      await bank.happen(...history(10));
      await leading([accounts, deposits()]);
      const cli = await rebuilding();
      await cli.rebuild('balances');
      const stopped = { generation: 1, signal: AbortSignal.abort() };
      expect(await cli.rollback('balances', stopped)).toMatchObject({ outcome: 'cancelled' });
      for (let call = 0; call < 2; call += 1) {
        expect(await cli.rollback('balances', { generation: 1 })).toEqual({
          outcome: 'live',
          generation: 1,
          previous: 2,
        });
        expect((await reads.generations(accounts)).live).toBe(1);
      }
      await expect(cli.rollback('balances', { generation: 3 })).rejects.toThrow(
        'generation 3 of balances is not the one before the live one',
      );
    });

    it('is refused when there is no earlier generation', async () => {
      await bank.happen(...history(5));
      await leading([accounts, deposits()]);
      await expect((await rebuilding()).rollback('balances')).rejects.toThrow(/no earlier generation/);
    });

    it('keeps one earlier generation: the next rebuild drops it', async () => {
      await bank.happen(...history(20));
      await leading([accounts, deposits()]);
      const cli = await rebuilding();
      await cli.rebuild('balances');
      await cli.rebuild('balances');
      expect(await reads.generations(accounts)).toEqual({ live: 3, all: [2, 3] });
    });
  });
});

function history(count: number): readonly BankEvent[] {
  return Array.from({ length: count }, (_, index) =>
    index % 7 === 6
      ? closed(1 + (index % 2), 'b')
      : deposited(1 + (index % 2), 'abc'.charAt(index % 3), index),
  );
}
