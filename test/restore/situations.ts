import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { balances, deposited, deposits, rateSet } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { lifeUntil, mortal } from '#test/support/mortal.js';
import type { Scene } from './scene.js';
import { expectFolded, freeLeases, upToDate, type Vault } from './vault.js';

/** The work under way when a log is set back. Each begins with no worker running, and reports that it occurred. */
export const situations: readonly (readonly [string, (scene: Scene) => Promise<void>])[] = [
  ['a rebuild under way', rebuildUnderWay],
  ['a killed worker', killedWorker],
  ['two workers', twoWorkers],
  ['an api without a worker', apiWithoutWorker],
];

/** An event for every view, which a restore undoes. */
function happenInVain(vault: Vault): void {
  vault.happen(...Array.from({ length: 8 }, (_, index) => deposited(1, `in vain ${index}`)), rateSet(77));
}

async function rebuildUnderWay(scene: Scene): Promise<void> {
  const { vault, reads, views, upTo } = scene;
  const backup = vault.backup();
  happenInVain(vault);
  await upToDate(vault, await scene.worker());
  const life = lifeUntil(Infinity);
  const enough = 1 + upTo(6);
  const builder = vault.engine(mortal(reads, life), views, {}, 'dies');
  const building = builder.rebuild('deposits', {
    pace: { sliceMs: 10, maxSliceEvents: 1 },
    onProgress: ({ events }) => {
      if (events >= enough) life.kill();
    },
  });
  expect(await soon('its death', Promise.race([life.death, building]))).toBe('died');
  const { live, all } = await reads.generations(deposits());
  expect(Math.max(...all)).toBeGreaterThan(live ?? Infinity);
  await scene.stopAll();
  await vault.restore(backup);
  scene.happenSome();
  const next = await scene.worker();
  await upToDate(vault, next);
  expect((await next.rebuild('deposits')).outcome).toBe('live');
}

async function killedWorker(scene: Scene): Promise<void> {
  const { vault, reads, upTo } = scene;
  const backup = vault.backup();
  happenInVain(vault);
  await upToDate(vault, await scene.worker());
  await scene.stopAll();
  happenInVain(vault);
  const life = lifeUntil(10 + upTo(80));
  await scene.mortalWorker(life);
  await soon('its death', life.death);
  await freeLeases(reads);
  await vault.restore(backup);
  if (upTo(2) === 0) scene.happenSome();
  await upToDate(vault, await scene.worker());
}

async function twoWorkers(scene: Scene): Promise<void> {
  const { vault } = scene;
  const bothStart = async () => [
    ...(await Promise.all([scene.worker(await vault.reads()), scene.worker(await vault.reads())])),
  ];
  const backup = vault.backup();
  happenInVain(vault);
  const before = await bothStart();
  for (const engine of before) await upToDate(vault, engine);
  expect(before.map((engine) => engine.isLeading()).toSorted()).toEqual([false, true]);
  await scene.stopAll();
  await vault.restore(backup);
  scene.happenSome();
  const after = await bothStart();
  for (const engine of after) await upToDate(vault, engine);
  expect(after.map((engine) => engine.isLeading()).toSorted()).toEqual([false, true]);
  const [leader, other] = after.toSorted(
    (left, right) => Number(right.isLeading()) - Number(left.isLeading()),
  );
  if (leader === undefined || other === undefined) throw new Error('there are two');
  await leader.stop();
  scene.happenSome();
  await upToDate(vault, other);
  expect(other.isLeading()).toBe(true);
}

async function apiWithoutWorker(scene: Scene): Promise<void> {
  const { vault, views } = scene;
  const backup = vault.backup();
  happenInVain(vault);
  await upToDate(vault, await scene.worker());
  await scene.stopAll();
  await vault.restore(backup);
  scene.happenSome();
  const reads = await vault.reads();
  const api = vault.engine(reads, views);
  await api.requireFit();
  await expect(reads.get(balances(), '1/in vain 1')).rejects.toThrow(StoreUnavailable);
  for (const { name } of views) expect([name, await api.standing(name, 1)]).toEqual([name, null]);
  expect((await api.readiness()).ready).toBe(false);
  await upToDate(vault, await scene.worker());
  await expectFolded(vault, api, reads, views);
}
