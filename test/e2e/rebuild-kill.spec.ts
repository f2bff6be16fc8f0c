import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '#runtime/settings.js';
import { openStores } from '#runtime/stores.js';
import { appendAll, movementEvents } from '../bench/rebuild-history.js';
import { seededRandom } from '../support/seeded-random.js';
import { startReadyService, serviceFolder, type ServiceProcess } from '../support/service-process.js';
import { storesUnderTest } from '../support/stores-under-test.js';

const DEATHS = Number(process.env['REBUILD_KILLS'] ?? '3');
const CHARGES = 3_000;
const LONGEST_LIFE_MS = 800;

const folder = serviceFolder('rebuild-kills');

describe('a service that is killed while it rebuilds all its read models', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    const environment = { DATA_DIR: folder, ...(await storesUnderTest(folder)) };
    const stores = await openStores(readSettings(environment));
    await appendAll(stores.events, 'credits-1', CHARGES, movementEvents);
    await stores.close();
    await start();
  });

  /** Read models that have not caught up the first time are not built anew. */
  async function start(): Promise<void> {
    service = await startReadyService(folder);
  }
  const rebuild = () => service.ops('projections.rebuild');
  const random = seededRandom(1);

  it('continues from its position, at any moment of the kill', async () => {
    for (let death = 1; death <= DEATHS; death += 1) {
      const rebuilding = rebuild();
      await Promise.race([rebuilding, delay(random() * LONGEST_LIFE_MS)]);
      await service.kill();
      await rebuilding;
      await start();
    }
    expect(await rebuild()).toMatchObject({ status: 200, body: { ok: true } });
    expect(await service.command('projections.verify')).toMatchObject({ ok: true });
  });

  it('ends cleanly when it is asked to end meanwhile', async () => {
    const rebuilding = rebuild();
    await Promise.race([rebuilding, delay(LONGEST_LIFE_MS / 2)]);
    expect(await service.stop()).toBe(0);
    await rebuilding;
    await start();
    expect(await rebuild()).toMatchObject({ status: 200, body: { ok: true } });
  });
});
