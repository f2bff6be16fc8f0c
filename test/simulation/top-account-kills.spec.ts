import { credits } from '#kernel/values/credits.js';
import {
  expectMappedOnce,
  fundsOf,
  furnishAccounts,
  submitted,
  workUntil,
} from '../support/account-scene.js';
import { killedPoints } from '../support/killed-points.js';
import { openSignalHouse, type SignalHouse } from '../support/signal-house.js';

const HOUR_MS = 60 * 60 * 1_000;
const raise = (error: unknown): never => {
  throw error;
};

describe('the pipelines of top accounts, stopped at every point', () => {
  let house: SignalHouse;
  beforeAll(async () => {
    house = await openSignalHouse();
    await furnishAccounts(house);
  });
  afterAll(() => house.close());

  it('P15 INV-08 are paid for once and end once, wherever the worker died', async () => {
    const undisturbed = await submitted(house, 10);
    const { died, points } = await workUntil(house, undisturbed, Infinity);
    expect(died).toBe(false);
    expect(points).toBeGreaterThan(100);
    await expectMappedOnce(house, undisturbed, 10);
    for (const fatalPoint of killedPoints(points, 3)) {
      const workspaceId = await submitted(house, 10);
      await workUntil(house, workspaceId, fatalPoint);
      expect((await workUntil(house, workspaceId, Infinity)).died).toBe(false);
      await expectMappedOnce(house, workspaceId, 10).catch((error: unknown) =>
        raise(new Error(`died at ${fatalPoint} of ${points}`, { cause: error })),
      );
    }
  });

  it('TAL-17 wait for credits without a charge, and go on after an hour, wherever the worker died', async () => {
    const undisturbed = await submitted(house, 2);
    const { points } = await workUntil(house, undisturbed, Infinity);
    for (const fatalPoint of killedPoints(points, 3, 2)) {
      const workspaceId = await submitted(house, 2);
      await workUntil(house, workspaceId, fatalPoint);
      expect((await workUntil(house, workspaceId, Infinity)).died).toBe(false);
      expect([fatalPoint, await fundsOf(house, workspaceId)]).toEqual([
        fatalPoint,
        { available: credits(2), open: 0 },
      ]);
      if (fatalPoint % 5 !== 0) continue;
      await house.grant(workspaceId, 1);
      house.advance(HOUR_MS);
      expect((await workUntil(house, workspaceId, Infinity)).died).toBe(false);
      await expectMappedOnce(house, workspaceId, 3);
    }
  });
});
