import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { ReadStore } from '#kernel/ports/read-store.port.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import { makeMongoPlace, mongoServer } from '#test/contract/mongo-read-store.fixture.js';
import {
  balances,
  closed,
  deposited,
  deposits,
  rates,
  rateSet,
  type BankEvent,
} from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { lifeUntil, mortal, type Life } from '#test/support/mortal.js';
import { seededRandom } from '#test/support/seeded-random.js';
import { expectFolded, freeLeases, openVault, upToDate, type Vault } from './vault.js';

const HISTORIES = Number(process.env['RESTORE_HISTORIES'] ?? '12');
const FIRST_SEED = Number(process.env['RESTORE_SEED'] ?? '1');
const STEPS = 14;
const views = [balances(), deposits(), rates()];

/** A random history with backups, restores, workers that come, go and die, and rebuilds; then one sound worker. */
async function live(vault: Vault, reads: ReadStore, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const backups: (readonly StoredEvent[])[] = [[]];
  const sound: ProjectionEngine[] = [];
  const dying: Life[] = [];
  const someEvents = (): readonly BankEvent[] =>
    Array.from({ length: 1 + upTo(6) }, () => {
      const [workspaceId, account] = [1 + upTo(3), `account-${upTo(4)}`];
      const kind = upTo(8);
      if (kind === 0) return closed(workspaceId, account);
      return kind === 1 ? rateSet(upTo(100)) : deposited(workspaceId, account, upTo(100));
    });
  const begin = async (engine: ProjectionEngine): Promise<void> => {
    await engine.requireFit();
    engine.start();
  };
  const stopAll = async (): Promise<void> => {
    for (const engine of sound.splice(0)) await engine.stop();
    await Promise.all(dying.splice(0).map(({ death, kill }) => (kill(), death)));
    await freeLeases(reads);
  };
  for (let step = 0; step < STEPS; step += 1) {
    switch (upTo(8)) {
      case 0:
        backups.push(vault.backup());
        break;
      case 1: {
        // A log is set back with its services stopped, or killed.
        await stopAll();
        vault.restore(backups[upTo(backups.length)] ?? []);
        break;
      }
      case 2: {
        const engine = vault.engine(reads, views);
        sound.push(engine);
        await begin(engine);
        break;
      }
      case 3: {
        const life = lifeUntil(5 + upTo(60));
        dying.push(life);
        const engine = vault.engine(mortal(reads, life), views, {}, 'dies');
        await Promise.race([life.death, begin(engine)]);
        break;
      }
      case 4: {
        const [engine] = sound;
        if (engine === undefined) break;
        await upToDate(vault, engine);
        const stop = new AbortController();
        const view = views[upTo(views.length)]?.name ?? '';
        await engine.rebuild(view, {
          signal: stop.signal,
          pace: { sliceMs: 10, maxSliceEvents: 2 },
          ...(upTo(2) === 0 ? { onProgress: () => stop.abort() } : {}),
        });
        break;
      }
      case 5: {
        const [engine] = sound;
        if (engine !== undefined) await upToDate(vault, engine);
        break;
      }
      default:
        vault.happen(...someEvents());
    }
  }
  await stopAll();
  // One that projects nothing looks first, and serves nothing that does not fit.
  const api = vault.engine(reads, views);
  await api.requireFit();
  const worker = vault.engine(reads, views);
  await begin(worker);
  await upToDate(vault, worker);
  await expectFolded(vault, api, reads, views);
  for (const { name } of views) expect([name, (await worker.verify(name)).ok]).toEqual([name, true]);
}

const places = {
  'in a file': () => openVault(),
  ...(mongoServer === null
    ? {}
    : {
        'on a MongoDB': async () => {
          const place = await makeMongoPlace(mongoServer ?? '');
          const vault = await openVault(place.connect);
          return { ...vault, close: () => vault.close().finally(place.remove) };
        },
      }),
};

describe.each(Object.entries(places))(
  'views %s, whatever becomes of the log and of its workers',
  (_, open) => {
    it('are in the end what the log gives', async () => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
        const vault = await open();
        try {
          await soon(`history ${seed}`, live(vault, await vault.reads(), seed));
        } catch (error) {
          throw new Error(`history ${seed}`, { cause: error });
        } finally {
          await vault.close();
        }
      }
    });
  },
);
