import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { JsonValue } from '#kernel/values/json.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import {
  balances,
  bankPerCase,
  caughtUp,
  closed,
  deposited,
  eventually,
  projected,
  rates,
  rateSet,
} from './engine-fixture.js';

describe('verifying a read model', () => {
  const { bank, reads } = bankPerCase();
  let engine: ProjectionEngine;
  beforeEach(async () => {
    engine = bank.engine(reads, [balances()]);
    engine.start();
    await projected(
      bank,
      engine,
      deposited(1, 'a', 1),
      deposited(1, 'b', 2),
      deposited(1, 'a', 3),
      closed(2, 'a'),
      deposited(2, 'c', 5),
    );
  });

  /** Puts a wrong document where the leader will not look again. */
  const falsify = async (key: string, position: string, document: JsonValue | null): Promise<void> => {
    await engine.stop();
    const lease = await reads.acquireLease('projections:bank', 'a fault', 60_000);
    const fence = { lease: 'projections:bank', epoch: lease?.epoch ?? 0 };
    const generation = { view: balances(), generation: 1 };
    const checkpoint = (await reads.checkpoint(generation)) ?? {
      position: '',
      applied: 0,
      ignored: 0,
      parked: 0,
    };
    await reads.write([{ generation, documents: [{ key, position, document }], checkpoint }], fence);
    await reads.releaseLease('projections:bank', fence);
  };

  it('finds nothing when the documents match the events, and leaves nothing behind', async () => {
    const verified = await engine.verify('balances');
    expect(verified).toMatchObject({
      ok: true,
      events: 5,
      documents: 3,
      differing: 0,
      first: null,
      unsettled: 0,
    });
    expect(verified.liveChecksum).toBe(verified.replayedChecksum);
    expect(verified.liveChecksum).not.toBe('0'.repeat(16));
    expect(await reads.generations(balances())).toEqual({ live: 1, all: [1] });
  });

  it('names the first document that differs and the event that it lacks', async () => {
    const head = await bank.events.head();
    const [first, , third] = await bank.history();
    const stale = { account: 'a', total: 1, trail: `${first?.id.slice(0, 4)} `, generation: 'first' };
    await falsify('1/a', `${head}1`, stale);
    await falsify('2/c', `${head}1`, { account: 'c', total: 7, trail: '', generation: 'first' });
    const verified = await engine.verify('balances');
    expect(verified).toMatchObject({
      ok: false,
      differing: 2,
      first: {
        key: '1/a',
        live: stale,
        replayed: { total: 4 },
        event: { type: 'Deposited', stream: 'bank-1', revision: '2', position: third?.position },
      },
    });
    expect(verified.liveChecksum).not.toBe(verified.replayedChecksum);
  });

  it('names an extra document', async () => {
    await falsify('9/ghost', await bank.events.head(), {
      account: 'ghost',
      total: 0,
      trail: '',
      generation: 'first',
    });
    expect(await engine.verify('balances')).toMatchObject({
      ok: false,
      differing: 1,
      first: { key: '9/ghost', replayed: null, event: null },
    });
  });

  it('is not affected by concurrent writes', async () => {
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      while (!isOver) {
        await bank.happen(deposited(1, 'a'), deposited(4, `new ${written}`));
        written += 1;
      }
    })();
    await eventually(() => written > 3);
    const verified = await engine.verify('balances');
    isOver = true;
    await writing;
    expect(verified.differing).toBe(0);
    expect(verified.first).toBeNull();
    expect(verified.documents).toBeGreaterThan(3);
  });

  it('names a document that the live generation lacks, and its first event', async () => {
    await falsify('2/c', `${await bank.events.head()}1`, null);
    const verified = await engine.verify('balances');
    expect(verified).toMatchObject({
      ok: false,
      documents: 3,
      differing: 1,
      first: {
        key: '2/c',
        live: null,
        replayed: { account: 'c', total: 5 },
        event: { type: 'Deposited', stream: 'bank-2', revision: '1' },
      },
    });
    // Only two of the three documents are in the sum of the live generation.
    await falsify('2/c', `${await bank.events.head()}2`, verified.first?.replayed ?? null);
    const mended = await engine.verify('balances');
    expect(mended).toMatchObject({ ok: true, liveChecksum: verified.replayedChecksum });
  });

  it('names the first event of a document that never agreed with its events', async () => {
    await falsify('1/a', `${await bank.events.head()}1`, { account: 'a', total: 9, trail: '' });
    expect((await engine.verify('balances')).first?.event).toMatchObject({ stream: 'bank-1', revision: '0' });
  });

  it('is not ok while the replay halts at an event that cannot be folded', async () => {
    const rated = bank.running(reads, [rates()]);
    await projected(bank, rated, rateSet(1));
    await bank.happen(rateSet(2, true));
    await eventually(async () => (await rated.status())[0]?.halted !== null);
    expect(await rated.verify('rates')).toMatchObject({ ok: false, differing: 0, unsettled: 0 });
  });

  /** Verifies in another process; `meanwhile` may come before each call of the read store. */
  const verifyBeside = (meanwhile: Partial<Record<'scan' | 'load', () => Promise<unknown>>>) => {
    const beside: ReadStore = {
      ...reads,
      scan: async (generation, ...words) => {
        await meanwhile.scan?.();
        return reads.scan(generation, ...words);
      },
      load: async (generation, keys) => {
        if (generation.generation === 1) await meanwhile.load?.();
        return reads.load(generation, keys);
      },
    };
    return bank.engine(beside, [balances()]).verify('balances');
  };

  it('compares what was written after the replay when the replay has it too', async () => {
    let writing: Promise<unknown> | undefined;
    const verified = await verifyBeside({
      scan: () => (writing ??= projected(bank, engine, deposited(1, 'a', 8), deposited(3, 'new', 1))),
    });
    expect(verified).toMatchObject({ ok: true, events: 7, documents: 4, differing: 0, unsettled: 0 });
    expect(verified.liveChecksum).toBe(verified.replayedChecksum);
  });

  it('compares a document again that was written after the replay had caught up', async () => {
    let isWritten = false;
    const write = async (): Promise<void> => {
      if (isWritten) return;
      isWritten = true;
      await projected(bank, engine, deposited(1, 'a', 8));
    };
    await falsify('1/b', await bank.events.head(), null);
    engine = bank.running(reads, [balances()]);
    let scans: Promise<unknown> | undefined;
    const verified = await verifyBeside({
      scan: () => (scans ??= projected(bank, engine, deposited(1, 'a', 16))),
      load: write,
    });
    expect(verified).toMatchObject({
      ok: false,
      events: 7,
      differing: 1,
      first: { key: '1/b' },
      unsettled: 0,
    });
  });

  it('does not call a document wrong that the live generation has not folded yet', async () => {
    await engine.stop();
    await bank.happen(deposited(1, 'a', 8), deposited(3, 'new', 1));
    let looks = 0;
    const verified = await verifyBeside({
      load: async () => {
        looks += 1;
        if (looks !== 2) return;
        engine = bank.running(reads, [balances()]);
        await caughtUp(bank, engine);
      },
    });
    expect(verified).toMatchObject({ ok: true, events: 7, differing: 0, unsettled: 0 });
    expect(looks).toBe(2);
  });

  it('is not ok if a document changes so often that it cannot be compared', async () => {
    let appending: Promise<unknown> | undefined;
    const verified = await verifyBeside({
      scan: () => (appending ??= projected(bank, engine, deposited(1, 'a', 8))),
      load: () => projected(bank, engine, deposited(1, 'a', 1)),
    });
    expect(verified).toMatchObject({ ok: false, differing: 0, first: null, unsettled: 1 });
  });
});
