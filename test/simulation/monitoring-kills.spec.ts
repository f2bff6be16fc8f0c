import { setListMonitoring, ESSENTIAL } from '#domain/lists/list-monitoring.js';
import { soon } from '../support/event-stores.js';
import { lifeUntil, type Life } from '../support/mortal.js';
import { openMonitoringHouse, type MonitoringHouse } from './monitoring-house.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let house: MonitoringHouse;
beforeAll(async () => {
  house = await openMonitoringHouse();
});
afterAll(() => house.close());

/** A workspace with this many accounts on a list that is monitored for one business unit, not followed yet. */
async function monitored(accounts: number, creditsGranted: number) {
  const workspaceId = await house.workspace({ mode: 'self' }, creditsGranted);
  await house.persona(workspaceId);
  const listId = await house.list(workspaceId);
  await house.join(
    workspaceId,
    listId,
    Array.from({ length: accounts }, (_, index) => `account-${index}`),
  );
  await house.changeList(workspaceId, listId, setListMonitoring(ESSENTIAL));
  return { workspaceId, listId };
}

/** Charge keys of the months that were paid, in the order of the ledger. */
async function paidKeys(workspaceId: number): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const batch of house.events.readStream(`credits-${workspaceId}`)) {
    for (const { type, data } of batch) if (type === 'CreditsCaptured') keys.push(String(data['key']));
  }
  return keys;
}

/** Acts once on everything that is due, dying with the life; true where it died. */
async function actUntil(workspaceId: number, life: Life): Promise<boolean> {
  const worker = house.worker(life);
  const work = async (): Promise<'done'> => {
    for (const [process, item] of await house.due(workspaceId)) await house.act(process, item, worker);
    return 'done';
  };
  return (await soon('a worker', Promise.race([work(), life.death]))) === 'died';
}

describe('monitoring and the death of a worker', () => {
  it('P14 MON-50 MON-52 pays each month once, wherever a worker dies, and whoever goes on', async () => {
    let points = 0;
    for (let fatal = 1; points === 0 || fatal <= points; fatal += 3) {
      const { workspaceId } = await monitored(2, 100);
      // The first step has what is followed, the second what is paid.
      const life = lifeUntil(points === 0 ? Infinity : fatal);
      for (let step = 0; step < 3 && !(await actUntil(workspaceId, life)); step += 1);
      if (points === 0) {
        points = life.points();
        fatal = -2;
      }
      await Promise.all([
        actUntil(workspaceId, lifeUntil(Infinity)),
        actUntil(workspaceId, lifeUntil(Infinity)),
      ]);
      await house.settle(workspaceId);
      const keys = await paidKeys(workspaceId);
      expect([fatal, keys.length, new Set(keys).size]).toEqual([fatal, 2, 2]);
    }
    expect(points).toBeGreaterThan(20);
  });

  it('P14 MON-54 captures a month once in 720 hourly tries with deaths, top-ups, prices and lists that change', async () => {
    const { workspaceId, listId } = await monitored(2, 5);
    await house.settle(workspaceId);
    expect(await paidKeys(workspaceId)).toHaveLength(1);
    for (let tries = 0; tries < 720; tries += 1) {
      house.advance(HOUR_MS);
      if (tries % 7 === 0) await actUntil(workspaceId, lifeUntil(1 + (tries % 40)));
      if (tries % 97 === 0) await house.price(tries % 2 === 0 ? 4 : 6);
      if (tries % 131 === 130) await house.changeList(workspaceId, listId, setListMonitoring(null));
      if (tries % 131 === 0) await house.changeList(workspaceId, listId, setListMonitoring(ESSENTIAL));
      if (tries === 500) await house.grant(workspaceId, 20);
      await house.settle(workspaceId);
    }
    const keys = await paidKeys(workspaceId);
    // The one that was covered all the while, and the other one since the top-up.
    expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
    for (let days = 0; days < 3; days += 1) {
      house.advance(DAY_MS);
      await house.settle(workspaceId);
    }
    const renewed = await paidKeys(workspaceId);
    expect([renewed.length, new Set(renewed).size]).toEqual([3, 3]);
  });

  it('OP-27 a worker that was down for three months charges one month of each', async () => {
    await house.price(5);
    const { workspaceId } = await monitored(3, 1_000);
    await house.settle(workspaceId);
    house.advance(100 * DAY_MS);
    await house.settle(workspaceId);
    expect(await paidKeys(workspaceId)).toHaveLength(6);
    house.advance(20 * DAY_MS);
    await house.settle(workspaceId);
    expect(await paidKeys(workspaceId)).toHaveLength(6);
  });
});
