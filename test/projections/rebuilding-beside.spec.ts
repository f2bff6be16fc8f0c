import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { inPieces } from '#kernel/values/pieces.js';
import type { GenerationFilling, ReadStore } from '#kernel/ports/read-store.port.js';
import type { NewEvent } from '#kernel/ports/event-store.port.js';
import { fillWrites } from '#projection-engine/fill-writes.js';
import { OPERATOR_PACE, type ProjectionEngine } from '#projection-engine/projection-engine.js';
import { balances, bankPerCase, caughtUp, deposits, documentsOf } from './engine-fixture.js';

/** More than are written before a thread is started, in several batches. */
const EVENTS = 9_000;
const ACCOUNTS = 3_500;

describe('a large rebuild', () => {
  const { bank, reads } = bankPerCase();
  const views = [balances(), deposits()];
  beforeEach(async () => {
    const events = Array.from({ length: EVENTS }, (_, index): NewEvent => happened(index));
    for (const [number, piece] of [...inPieces(events, 1_000)].entries())
      await bank.events.append(`bank-${number}`, 'no-stream', piece);
    const engine = bank.running(reads, views);
    await caughtUp(bank, engine);
    await engine.stop();
  });

  it('written beside the fold equals the projection of the same events', async () => {
    const before = await Promise.all(views.map((view) => documentsOf(reads, view)));
    let fillings = 0;
    let stepsBeside = 0;
    const counting: ReadStore = {
      ...reads,
      fillBeside: (generations) => {
        fillings += 1;
        const filling = reads.fillBeside?.(generations);
        if (filling === undefined) throw new Error('embedded stores fill on a thread');
        const counted: GenerationFilling = {
          ...filling,
          write: async (writes, fence) => {
            stepsBeside += 1;
            await filling.write(writes, fence);
          },
        };
        return counted;
      },
    };
    // Small bounds, so that most documents are looked up again while others are being written.
    const cacheBounds = { maxDocuments: 100, maxBytes: 1 << 20 };
    const engine: ProjectionEngine = bank.engine(counting, views, { cacheBounds });
    const rebuild = engine.rebuildTogether(views.length);
    const outcomes = await Promise.all(views.map(({ name }) => rebuild(name, { pace: OPERATOR_PACE })));
    expect(outcomes).toEqual(views.map(() => ({ outcome: 'live', generation: 2, previous: 1 })));
    expect(await Promise.all(views.map((view) => documentsOf(reads, view)))).toEqual(before);
    expect(fillings).toBe(availableParallelism() > 1 ? 1 : 0);
    expect(stepsBeside > 0).toBe(fillings > 0);
    for (const view of views) {
      const { event: _stands, ...first } = (await reads.checkpoint({ view, generation: 1 })) ?? {};
      expect(await reads.checkpoint({ view, generation: 2 })).toMatchObject(first);
    }
  });
  it('fails with an error beside the fold, and the next one continues from its position', async () => {
    const before = await Promise.all(views.map((view) => documentsOf(reads, view)));
    let steps = 0;
    const broken: ReadStore = {
      ...reads,
      fillBeside: (generations) => {
        const filling = reads.fillBeside?.(generations);
        if (filling === undefined) throw new Error('embedded stores fill on a thread');
        const write: GenerationFilling['write'] = async (writes, fence) => {
          steps += 1;
          if (steps > 2) throw new Error('the disk is gone');
          await filling.write(writes, fence);
        };
        return { ...filling, write };
      },
    };
    const rebuildAll = (store: ReadStore): Promise<readonly unknown[]> => {
      const rebuild = bank.engine(store, views).rebuildTogether(views.length);
      return Promise.all(views.map(({ name }) => rebuild(name, { pace: OPERATOR_PACE })));
    };
    if (availableParallelism() > 1) await expect(rebuildAll(broken)).rejects.toThrow('the disk is gone');
    for (const view of views) expect((await reads.generations(view)).live).toBe(1);
    const live = views.map(() => ({ outcome: 'live', generation: 2, previous: 1 }));
    expect(await rebuildAll(reads)).toEqual(live);
    expect(await Promise.all(views.map((view) => documentsOf(reads, view)))).toEqual(before);
  });

  it('is written by the folding thread on one core', async () => {
    let fillings = 0;
    const counted: ReadStore = {
      ...reads,
      write: async () => undefined,
      fillBeside: () => {
        fillings += 1;
        throw new Error('a second thread would only take turns with the first');
      },
    };
    const [view] = views;
    if (view === undefined) throw new Error('a view is rebuilt here');
    const generation = { view, generation: 2 };
    const documents = Array.from({ length: EVENTS }, (_, index) => ({
      key: String(index),
      position: String(index),
      document: null,
    }));
    const checkpoint = { position: '1', applied: 0, ignored: 0, parked: 0 };
    const alone = fillWrites(counted, [generation], 1);
    await alone.reads.write([{ generation, documents, checkpoint }], { lease: 'rebuild', epoch: 1 });
    expect(fillings).toBe(0);
    const two = fillWrites(counted, [generation], 2);
    const fence = { lease: 'rebuild', epoch: 1 };
    await expect(two.reads.write([{ generation, documents, checkpoint }], fence)).rejects.toThrow(
      /take turns/,
    );
    expect(fillings).toBe(1);
  });
});

function happened(index: number): NewEvent {
  const account = `a${(index * 7) % ACCOUNTS}`;
  const isClosed = index % 11 === 0;
  return {
    id: randomUUID(),
    type: isClosed ? 'Closed' : 'Deposited',
    data: isClosed ? { account } : { account, amount: index },
    metadata: { recordedAt: new Date().toISOString(), workspaceId: '1' },
  };
}
