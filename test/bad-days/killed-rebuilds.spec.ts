import { diagnostic } from '#test/support/diagnostic.js';
import { systemClock } from '#kernel/ports/clock.js';
import { decodeEvent } from '#kernel/events/event-codec.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { projectionEngine, type ProjectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry, viewKey } from '#projection-engine/registry.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { projections } from '#projections/index.js';
import { openStores, type Stores } from '#runtime/stores.js';
import { allEvents } from '#runtime/vocabularies.js';
import { documentsOf } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { lifeUntil, mortal, type Life } from '#test/support/mortal.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { freeLease } from '#test/support/free-lease.js';

const DEATHS = Number(process.env['REBUILD_KILLS'] ?? '3');
const CHARGES = 300;
const VIEW = creditMovements;

describe('a rebuild that is killed', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let stores: Stores;
  let reads: ReadStore;
  const engines: ProjectionEngine[] = [];

  /** The rebuilding process, with its own engine. */
  function rebuilder(life: Life): ProjectionEngine {
    const engine = projectionEngine({
      events: service.service.host.eventStore,
      reads: mortal(reads, life),
      registry: projectionRegistry({ name: 'all', projections }),
      decode: (stored) => decodeEvent(allEvents, stored),
      clock: systemClock,
      // The smallest slices, so that their number does not depend on the machine.
      pace: { sliceMs: 10, maxSliceEvents: 16 },
    });
    engines.push(engine);
    return engine;
  }
  /** Frees the lease of a dead process, as the next process would; here all of them have one process id. */
  const freeRebuild = (): Promise<number> => freeLease(reads, `rebuild:${viewKey(VIEW)}`);
  beforeAll(async () => {
    service = await startTestService();
    stores = await openStores(service.settings);
    reads = stores.reads;
    workspace = await service.workspace({ credits: 10_000 });
    await Promise.all(
      Array.from({ length: CHARGES }, (_, index) =>
        service.ops('credits.hold', {
          workspace_id: workspace.id,
          key: `k${index}`,
          credits: 1,
          product: 'match',
        }),
      ),
    );
  });
  afterAll(async () => {
    await stores.close();
    await service.stop();
  });

  let isOver = false;
  afterEach(() => (isOver = true));

  it('continues from its position, reaches the content of the live one, and no query fails meanwhile', async () => {
    const before = await documentsOf(reads, VIEW);
    expect(before.size).toBe(CHARGES);
    let queries = 0;
    const asking = (async () => {
      while (!isOver) {
        const { status, body } = await workspace.call('GET /api/v3/usage?limit=100');
        expect([status, body.data.length]).toEqual([200, 100]);
        queries += 1;
      }
    })();
    const whole = lifeUntil(Infinity);
    expect(await soon('a rebuild', rebuilder(whole).rebuild(VIEW.name))).toMatchObject({ outcome: 'live' });
    const points = whole.points();
    expect(points).toBeGreaterThan(DEATHS);

    const diedAt: number[] = [];
    let resumed = 0;
    for (let death = 1; death <= DEATHS; death += 1) {
      let live: number | null = null;
      let fatal = Math.ceil((points * death) / (DEATHS + 1));
      for (let end: unknown = null; end !== 'died';) {
        ({ live } = await reads.generations(VIEW));
        const life = lifeUntil(fatal);
        end = await soon('the death', Promise.race([life.death, rebuilder(life).rebuild(VIEW.name)]));
        // It finished before the fatal point: it waited less often for the leader to swap.
        if (end !== 'died') fatal = Math.ceil(fatal * 0.9);
      }
      diedAt.push(fatal);
      if ((await reads.generations(VIEW)).all.some((generation) => generation > (live ?? 0))) resumed += 1;
      await freeRebuild();
      const outcome = await soon('the next', rebuilder(lifeUntil(Infinity)).rebuild(VIEW.name));
      expect([fatal, outcome.outcome]).toEqual([fatal, 'live']);
      expect([fatal, await documentsOf(reads, VIEW)]).toEqual([fatal, before]);
    }
    isOver = true;
    await asking;
    expect(resumed).toBeGreaterThan(0);
    expect(queries).toBeGreaterThan(DEATHS);
    const verified = await service.ops('projections.verify', { name: VIEW.name });
    expect([verified.status, verified.body.ok]).toEqual([200, true]);
    diagnostic(JSON.stringify({ points, diedAt, resumed, queries }));
  });
});
