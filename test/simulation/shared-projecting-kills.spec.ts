import { systemClock } from '#kernel/ports/clock.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { Projection } from '#kernel/projections/projection.js';
import { projectionEngine, type ProjectionEngine } from '#projection-engine/projection-engine.js';
import { projectionRegistry } from '#projection-engine/registry.js';
import { lifeUntil, mortal, type Life } from '#test/support/mortal.js';
import { seededRandom } from '#test/support/seeded-random.js';
import {
  balances,
  caughtUp,
  deposited,
  deposits,
  eventually,
  expectNaive,
  openBank,
  rates,
  rateSet,
  type Bank,
} from '#test/projections/engine-fixture.js';

const WORKERS = 16;
const DEATHS = 24;
const WORKSPACES = 60;
/** A worker dies before or after the effect of one of so many of its first calls. */
const LATEST_DEATH = 4_000;

describe('sixteen workers that share projecting and die', () => {
  let bank: Bank;
  let reads: ReadStore;
  /** The workers that have not died, with their lives. */
  let living: Map<ProjectionEngine, Life>;
  let deaths: number;
  beforeEach(async () => {
    bank = await openBank();
    reads = await bank.connectReads();
    living = new Map();
    deaths = 0;
  });
  afterEach(async () => {
    for (const [engine, life] of living) await Promise.race([engine.stop(), life.death]);
    await bank.close();
  });

  const views: readonly Projection[] = [balances(), deposits(), rates()];

  const worker = (store: ReadStore, life: Life): ProjectionEngine => {
    const engine = projectionEngine({
      events: bank.events,
      reads: mortal(store, life),
      registry: projectionRegistry({ name: 'bank', projections: views }),
      decode: (stored) => stored,
      clock: systemClock,
      lookEveryMs: 20,
      pollMs: 5,
      sharing: true,
      shareAfterMs: 0,
      planEveryMs: 10,
      leaseTiming: { ttlMs: 500, renewEveryMs: 100 },
    });
    living.set(engine, life);
    engine.start();
    return engine;
  };

  /** Another worker takes the place of one that died. */
  const start = async (random: ReturnType<typeof seededRandom>): Promise<void> => {
    const life = lifeUntil(1 + Math.floor(random() * LATEST_DEATH));
    const engine = worker(await bank.connectReads(), life);
    void life.death.then(() => {
      living.delete(engine);
      deaths += 1;
      return deaths < DEATHS ? start(random) : undefined;
    });
  };

  it('fold each event once into each read model, and count it once', async () => {
    const random = seededRandom(20_261_127);
    for (let worker = 0; worker < WORKERS; worker += 1) await start(random);
    let amount = 0;
    await eventually(async () => {
      amount += 1;
      const some = Array.from({ length: 20 }, () =>
        deposited(1 + Math.floor(random() * WORKSPACES), 'a', amount),
      );
      await bank.happen(...some, rateSet(amount));
      return deaths >= DEATHS;
    });
    const last = worker(reads, lifeUntil(Infinity));
    await caughtUp(bank, last);
    for (const view of views) await expectNaive(bank, reads, view);
    const history = await bank.history();
    const expected = (type: string): number => history.filter((event) => event.type === type).length;
    await eventually(async () => {
      const status = await last.status();
      return status.every(
        ({ name, scanned }) => scanned === expected(name === 'rates' ? 'RateSet' : 'Deposited'),
      );
    });
  });
});
