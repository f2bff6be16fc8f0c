import { credits } from '#kernel/values/credits.js';
import {
  expectMappedOnce,
  fundsOf,
  furnishAccounts,
  submitted,
  workUntil,
} from '../support/account-scene.js';
import { killedAt, killedPoints } from '../support/killed-points.js';
import { sharedHouse } from '../support/signal-house.js';

const HOUR_MS = 60 * 60 * 1_000;

describe('the pipelines of top accounts, killed at every point', () => {
  const house = sharedHouse(furnishAccounts);

  const workOnUntil = (workspaceId: number, fatalPoint: number) => workUntil(house, workspaceId, fatalPoint);

  it('P15 INV-08 are paid for once and end once, wherever the worker died', async () => {
    await killedAt({
      morePointsThan: 100,
      pointsOf: (points) => killedPoints(points, 3),
      begin: () => submitted(house, 10),
      workUntil: workOnUntil,
      check: (workspaceId) => expectMappedOnce(house, workspaceId, 10),
    });
  });

  it('TAL-17 wait for credits without a charge, and continue after an hour, wherever the worker died', async () => {
    const toEnd = async (workspaceId: number): Promise<void> =>
      expect((await workOnUntil(workspaceId, Infinity)).died).toBe(false);
    await killedAt({
      pointsOf: (points) => killedPoints(points, 3, 2),
      begin: () => submitted(house, 2),
      workUntil: workOnUntil,
      async finish(workspaceId, { fatalPoint }) {
        await toEnd(workspaceId);
        return fatalPoint % 5 === 0;
      },
      async check(workspaceId, continues = true) {
        expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(2), open: 0 });
        if (!continues) return;
        await house.grant(workspaceId, 1);
        house.advance(HOUR_MS);
        await toEnd(workspaceId);
        await expectMappedOnce(house, workspaceId, 3);
      },
    });
  });
});
