import { credits } from '#kernel/values/credits.js';
import {
  expectMappedOnce,
  fundsOf,
  furnishAccounts,
  submitted,
  workUntil,
} from '../support/account-scene.js';
import { killedAt, killedPoints } from '../support/killed-points.js';
import { openSignalHouse, type SignalHouse } from '../support/signal-house.js';

const HOUR_MS = 60 * 60 * 1_000;

describe('the pipelines of top accounts, killed at every point', () => {
  let house: SignalHouse;
  beforeAll(async () => {
    house = await openSignalHouse();
    await furnishAccounts(house);
  });
  afterAll(() => house.close());

  it('P15 INV-08 are paid for once and end once, wherever the worker died', async () => {
    const campaign = {
      begin: () => submitted(house, 10),
      workUntil: (workspaceId: number, fatalPoint: number) => workUntil(house, workspaceId, fatalPoint),
      check: (workspaceId: number) => expectMappedOnce(house, workspaceId, 10),
    };
    await killedAt(campaign, (points) => {
      expect(points).toBeGreaterThan(100);
      return killedPoints(points, 3);
    });
  });

  it('TAL-17 wait for credits without a charge, and continue after an hour, wherever the worker died', async () => {
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
