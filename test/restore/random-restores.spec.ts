import { makeMongoPlace, mongoServer } from '#test/contract/mongo-read-store.fixture.js';
import { soon } from '#test/support/event-stores.js';
import { lifeUntil } from '#test/support/mortal.js';
import { openScene, type Scene } from './scene.js';
import { situations } from './situations.js';
import { expectFolded, openVault, upToDate, type Vault } from './vault.js';
import { openServerLog, type Backup } from './vault-logs.js';

/** Number of histories for each situation. */
const HISTORIES = Number(process.env['RESTORE_HISTORIES'] ?? '3');
const FIRST_SEED = Number(process.env['RESTORE_SEED'] ?? '1');
const STEPS = 14;

/** A random history with backups, restores, workers that come, go and die, and rebuilds; then one healthy worker. */
async function live(scene: Scene, situation: (scene: Scene) => Promise<void>): Promise<void> {
  const { vault, reads, views, upTo } = scene;
  const backups = [vault.backup()];
  await scene.giveIds();
  const itsStep = upTo(STEPS);
  for (let step = 0; step < STEPS; step += 1) {
    await rollDice(scene, backups);
    if (step !== itsStep) continue;
    await scene.stopAll();
    await situation(scene);
    await scene.stopAll();
    await scene.giveIds();
  }
  await scene.stopAll();
  // A process that does not project looks first, and serves no view that does not match the log.
  const api = vault.engine(reads, views);
  await api.requireFit();
  const worker = await scene.worker();
  await upToDate(vault, worker);
  await expectFolded(vault, api, reads, views);
  await scene.giveIds();
  expect(scene.idsGivenTwice()).toEqual([]);
  for (const { name } of views) expect([name, (await worker.verify(name)).ok]).toEqual([name, true]);
}

async function rollDice(scene: Scene, backups: Backup[]): Promise<void> {
  const { vault, views, upTo } = scene;
  switch (upTo(10)) {
    case 0:
      backups.push(vault.backup());
      break;
    case 1: {
      // A log is set back with its services stopped, or killed.
      await scene.stopAll();
      await vault.restore(backups[upTo(backups.length)] ?? vault.backup());
      break;
    }
    case 2:
      await scene.worker();
      break;
    case 3:
      await scene.mortalWorker(lifeUntil(5 + upTo(60)));
      break;
    case 4: {
      const engine = scene.anyWorker();
      if (engine === null) break;
      await upToDate(vault, engine);
      const stop = new AbortController();
      await engine.rebuild(views[upTo(views.length)]?.name ?? '', {
        signal: stop.signal,
        pace: { sliceMs: 10, maxSliceEvents: 2 },
        ...(upTo(2) === 0 ? { onProgress: () => stop.abort() } : {}),
      });
      break;
    }
    case 5: {
      const engine = scene.anyWorker();
      if (engine !== null) await upToDate(vault, engine);
      break;
    }
    case 6:
    case 7:
      await scene.giveIds();
      break;
    default:
      scene.happenSome();
  }
}

type Place = { readonly open: () => Promise<Vault>; readonly histories: number };
const places: Readonly<Record<string, Place>> = {
  'in a file': { open: () => openVault(), histories: HISTORIES },
  'in a file, of a log on a server': {
    open: () => openVault(undefined, openServerLog),
    histories: Math.ceil(HISTORIES / 3),
  },
  ...(mongoServer === null
    ? {}
    : {
        'on a MongoDB': {
          open: async () => {
            const place = await makeMongoPlace(mongoServer ?? '');
            const vault = await openVault(place.connect);
            return { ...vault, close: () => vault.close().finally(place.remove) };
          },
          histories: HISTORIES,
        },
      }),
};

describe.each(Object.entries(places))(
  'views %s, after any history of the log and its workers',
  (_, { open, histories }) => {
    it.each(situations)('finally match the log, with %s at a restore', async (_name, situation) => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + histories; seed += 1) {
        const vault = await open();
        try {
          await soon(`history ${seed}`, live(openScene(vault, await vault.reads(), seed), situation));
        } catch (error) {
          throw new Error(`history ${seed}`, { cause: error });
        } finally {
          await vault.close();
        }
      }
    });
  },
);
