import { mapCompany } from '#accounts/mappings/map-company.process.js';
import { contentRequests } from '#projections/accounts/content-requests/content-requests.projection.js';
import {
  expectMappedOnce,
  furnishAccounts,
  submitted,
  workOffAccounts,
  workUntil,
} from '../support/account-scene.js';
import { killedAt, killedPoints } from '../support/killed-points.js';
import {
  dueIn,
  enrichCall,
  livesUntil,
  mappingScene,
  moneyOf,
  workOff,
  type MappingScene,
} from '../support/mapping-scene.js';
import { mongoServer } from '../contract/mongo-read-store.fixture.js';
import { serverStores } from '../support/server-stores.js';
import { sharedHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';

/** The distance between points, larger if reading takes long too. */
const STRIDE = mongoServer === null ? 23 : 37;
const NEVER = new AbortController().signal;
const GRANTED = 20;
/** Two launches of a company with two people, each of whom is paid for once. */
const PAID = { 'account_mapping captured': 2, 'profile_analysis captured': 2 };

describe('P15 INV-08 mappings on servers, killed at many points', () => {
  const house = sharedHouse(furnishAccounts, serverStores);
  let calls = 0;

  const call = (scene: MappingScene, fatalPoint = Infinity) =>
    livesUntil(house, fatalPoint, (host) =>
      enrichCall(house, scene, host, systemContext(scene.workspaceId, `call-${(calls += 1)}`)),
    );

  async function expectPaidOnce(scene: MappingScene): Promise<void> {
    await house.caughtUp();
    expect(await moneyOf(house, scene)).toEqual(PAID);
    const requests = await house.reads.find(contentRequests, {
      where: { workspaceId: scene.workspaceId },
    });
    expect(requests.map(({ stage }) => stage)).toEqual(['completed', 'completed']);
  }

  it('OP-56 the launch of an enrichment call that dies is completed or dropped, and the next one launches the dropped ones', async () => {
    await killedAt({
      pointsOf: (points) => killedPoints(points, STRIDE),
      begin: () => mappingScene(house, GRANTED),
      workUntil: call,
      async finish(scene) {
        await workOff(house, scene);
        await call(scene);
      },
      async check(scene) {
        await workOff(house, scene);
        await expectPaidOnce(scene);
      },
    });
  });

  it('a mapping with two workers, of which one dies, is made and paid for once', async () => {
    await killedAt({
      pointsOf: (points) => killedPoints(points, STRIDE),
      async begin() {
        const scene = await mappingScene(house, GRANTED);
        await call(scene);
        return { ...scene, requests: await dueIn(house, mapCompany, scene.workspaceId) };
      },
      async workUntil({ requests: [first, ...others] }, fatalPoint) {
        if (first === undefined) throw new Error('no request is to be worked off');
        const [lived] = await Promise.all([
          livesUntil(house, fatalPoint, (host) => mapCompany.act(host, first, NEVER)),
          ...others.map((other) => mapCompany.act(house.worker(), other, NEVER)),
        ]);
        return lived;
      },
      finish: (scene) => workOff(house, scene),
      check: expectPaidOnce,
    });
  });

  it('TAL-16 the pipelines of top accounts are paid for once and end once, wherever the worker died', async () => {
    await killedAt({
      pointsOf: (points) => killedPoints(points, STRIDE),
      begin: () => submitted(house, GRANTED),
      workUntil: (workspaceId, fatalPoint) => workUntil(house, workspaceId, fatalPoint),
      async finish(workspaceId, { fatalPoint }) {
        await Promise.all([workUntil(house, workspaceId, fatalPoint), workOffAccounts(house, workspaceId)]);
        await workOffAccounts(house, workspaceId);
      },
      check: (workspaceId) => expectMappedOnce(house, workspaceId, GRANTED),
    });
  });
});
