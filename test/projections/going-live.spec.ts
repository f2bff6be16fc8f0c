import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { goLive } from '#projection-engine/go-live.js';
import { groupLease } from '#projection-engine/group-lease.js';
import { holdLease } from '#projection-engine/held-lease.js';
import { openProjectedView, type ProjectedView } from '#projection-engine/projected-view.js';
import { putRebuildNote } from '#projection-engine/rebuild-note.js';
import { viewKey } from '#projection-engine/registry.js';
import { balances, deposited, openBank, projected, type Bank } from './engine-fixture.js';

const BOUNDS = { maxDocuments: 100, maxBytes: 1_000_000 };
const PACE = { sliceMs: 10, maxSliceEvents: 10 };
/** So many reads of a log that grows as fast as it is read are without end. */
const WITHOUT_END = 20;

describe('a generation that goes live while the log grows as fast as it is read', () => {
  const view = balances();
  let bank: Bank;
  beforeEach(async () => {
    bank = await openBank();
  });
  afterEach(() => bank.close());

  /** The log; each read of it finds another event. */
  const growing = (): EventStore => ({
    ...bank.events,
    async *readAll(wanted) {
      let after = wanted?.after ?? '';
      for (let reads = 0; reads < WITHOUT_END; reads += 1) {
        await bank.happen(deposited(1, 'new', 1));
        for await (const batch of bank.events.readAll({ ...wanted, after })) {
          after = batch.position;
          yield { ...batch, caughtUp: false };
        }
      }
      throw new Error('it reads on without end');
    },
  });

  it.each([
    { of: 'that replaces a live one', isReplacing: true },
    { of: 'that is the first', isReplacing: false },
  ])('reads only what the others have read: one $of', async ({ isReplacing }) => {
    const reads = await bank.connectReads();
    const engine = bank.engine(reads, [view]);
    engine.start();
    const position = await projected(bank, engine, deposited(1, 'a', 5), deposited(2, 'b', 7));
    await engine.stop();
    const lease = await holdLease(reads, groupLease('bank'), 'test');
    if (lease === null) throw new Error('the lease is free');
    const generation = { view, generation: 2 };
    await reads.createGeneration(generation);
    await reads.indexGeneration(generation);
    const note = {
      view: viewKey(view),
      state: 'ready',
      kind: 'rebuild',
      generation: 2,
      previous: 1,
    } as const;
    await putRebuildNote(reads, note);
    const opened = (number: number): Promise<ProjectedView> => openProjectedView(reads, view, number, BOUNDS);
    const live = isReplacing ? await opened(1) : null;
    const building = await opened(2);
    const context = { events: growing(), reads, decode: (stored: StoredEvent) => stored, fence: lease.fence };
    expect(await goLive(context, live, building, PACE)).toBe(true);
    expect(building.position >= position).toBe(true);
    expect((await reads.generations(view)).live).toBe(2);
    expect(await reads.get(view, '2/b')).toMatchObject({ total: 7 });
    await lease.release();
  });
});
