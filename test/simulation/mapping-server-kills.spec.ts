import { mapCompany } from '#accounts/mappings/map-company.process.js';
import { contentRequests } from '#projections/accounts/content-requests/content-requests.projection.js';
import {
  expectMappedOnce,
  furnishAccounts,
  submitted,
  workOffAccounts,
  workUntil,
} from '../support/account-scene.js';
import { killedPoints } from '../support/killed-points.js';
import {
  contextOf,
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
import { openSignalHouse, type SignalHouse } from '../support/signal-house.js';

/** The distance between points, larger if reading takes long too. */
const STRIDE = mongoServer === null ? 23 : 37;
const NEVER = new AbortController().signal;
const GRANTED = 20;
/** Two launches of a company with two people, each of whom is paid for once. */
const PAID = { 'account_mapping captured': 2, 'profile_analysis captured': 2 };

describe('P15 INV-08 mappings on servers, killed at many points', () => {
  let house: SignalHouse;
  let calls = 0;
  beforeAll(async () => {
    house = await openSignalHouse(serverStores);
    await furnishAccounts(house);
  });
  afterAll(() => house.close());

  const call = (scene: MappingScene, fatalPoint = Infinity) =>
    livesUntil(house, fatalPoint, (host) =>
      enrichCall(house, scene, host, contextOf(scene.workspaceId, `call-${(calls += 1)}`)),
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
    const { points } = await call(await mappingScene(house, GRANTED));
    for (const fatalPoint of killedPoints(points, STRIDE)) {
      const scene = await mappingScene(house, GRANTED);
      await call(scene, fatalPoint);
      await workOff(house, scene);
      await call(scene);
      await workOff(house, scene);
      await expectPaidOnce(scene);
    }
  });

  it('a mapping with two workers, of which one dies, is made and paid for once', async () => {
    const launched = async (): Promise<MappingScene> => {
      const scene = await mappingScene(house, GRANTED);
      await call(scene);
      return scene;
    };
    const undisturbed = await launched();
    const [first] = await dueIn(house, mapCompany, undisturbed.workspaceId);
    if (first === undefined) throw new Error('no request is to be worked off');
    const { points } = await livesUntil(house, Infinity, (host) => mapCompany.act(host, first, NEVER));
    for (const fatalPoint of killedPoints(points, STRIDE)) {
      const scene = await launched();
      const [killed, ...others] = await dueIn(house, mapCompany, scene.workspaceId);
      if (killed === undefined) throw new Error('no request is to be worked off');
      await Promise.all([
        livesUntil(house, fatalPoint, (host) => mapCompany.act(host, killed, NEVER)),
        ...others.map((other) => mapCompany.act(house.worker(), other, NEVER)),
      ]);
      await workOff(house, scene);
      await expectPaidOnce(scene);
    }
  });

  it('TAL-16 the pipelines of top accounts are paid for once and end once, wherever the worker died', async () => {
    const { points } = await workUntil(house, await submitted(house, GRANTED), Infinity);
    for (const fatalPoint of killedPoints(points, STRIDE)) {
      const workspaceId = await submitted(house, GRANTED);
      await workUntil(house, workspaceId, fatalPoint);
      await Promise.all([workUntil(house, workspaceId, fatalPoint), workOffAccounts(house, workspaceId)]);
      await workOffAccounts(house, workspaceId);
      await expectMappedOnce(house, workspaceId, GRANTED);
    }
  });
});
