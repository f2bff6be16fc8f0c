import type { JsonValue } from '#kernel/values/json.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import { balances, bankPerCase, closed, deposited, eventually, projected } from './engine-fixture.js';

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
  const falsify = async (key: string, position: string, document: JsonValue): Promise<void> => {
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
});
