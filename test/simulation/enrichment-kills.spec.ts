import { workspaceScoped } from '#kernel/commands/decider.js';
import { HOLD_LIFETIME_MS } from '#ledger/charging/expired-holds.js';
import { mapping } from '#accounts/domain/mappings/mapping.js';
import { mapCompany } from '#accounts/mappings/map-company.process.js';
import { releaseRestedHolds } from '#runtime/processes.js';
import {
  contentRequests,
  type ContentRequestDocument,
} from '#projections/accounts/content-requests/content-requests.projection.js';
import { killedPoints } from '../support/killed-points.js';
import {
  contextOf,
  dueIn,
  enrichCall,
  furnishMapping,
  livesUntil,
  mappingScene,
  moneyOf,
  PEOPLE,
  typesOf,
  workOff,
  type MappingScene,
} from '../support/mapping-scene.js';
import { openSignalHouse, type SignalHouse } from '../support/signal-house.js';

const NEVER = new AbortController().signal;
/** Two launches, and each person once. */
const PAID = { 'account_mapping captured': 2, 'profile_analysis captured': PEOPLE.length };

describe('P15 INV-08 the mapping of a company, killed at every point', () => {
  let house: SignalHouse;
  let calls = 0;
  beforeAll(async () => {
    house = await openSignalHouse();
    await furnishMapping(house);
  });
  afterAll(() => house.close());

  const call = (scene: MappingScene, fatalPoint = Infinity, commandId = `call-${(calls += 1)}`) =>
    livesUntil(house, fatalPoint, (host) =>
      enrichCall(house, scene, host, contextOf(scene.workspaceId, commandId)),
    );

  async function requestsOf({ workspaceId }: MappingScene): Promise<readonly ContentRequestDocument[]> {
    await house.caughtUp();
    return house.reads.find(contentRequests, { where: { workspaceId } });
  }

  /** Each persona has one mapping with all people, after any deaths. */
  async function expectMappedOnce(scene: MappingScene): Promise<void> {
    expect(await moneyOf(house, scene)).toEqual(PAID);
    const requests = await requestsOf(scene);
    expect(requests.map(({ stage }) => stage)).toEqual(['completed', 'completed']);
    expect(requests.map(({ personaId }) => personaId).toSorted()).toEqual(scene.personaIds.toSorted());
    const ends = await typesOf(house, scene, 'contentRequest');
    expect(ends.filter((type) => type === 'ContentRequestCompleted')).toHaveLength(2);
    for (const { mappingId } of requests) {
      const stream = workspaceScoped(scene.workspaceId, mappingId ?? 0);
      const people = await house.operator.commands.load(mapping, stream, ({ profiles, version }) => ({
        refs: [...profiles.keys()],
        version,
      }));
      expect({ ...people, refs: people.refs.toSorted() }).toEqual({
        refs: PEOPLE.map((name) => `p:${name}`),
        version: 1,
      });
    }
    expect(await dueIn(house, mapCompany, scene.workspaceId)).toEqual([]);
  }

  it('OP-56 the launch of a call that dies anywhere is completed or dropped, and the next call launches the dropped ones', async () => {
    const undisturbed = await mappingScene(house, 20);
    const { points } = await call(undisturbed);
    await workOff(house, undisturbed);
    await expectMappedOnce(undisturbed);
    expect(points).toBeGreaterThan(20);
    let [finished, dropped] = [0, 0];
    for (let fatalPoint = 1; fatalPoint <= points; fatalPoint += 1) {
      const scene = await mappingScene(house, 20);
      await call(scene, fatalPoint);
      await workOff(house, scene);
      const types = await typesOf(house, scene, 'mappingDay');
      if (types.includes('MappingDropped')) dropped += 1;
      else if (types.length > 0) finished += 1;
      await call(scene);
      await workOff(house, scene);
      await expectMappedOnce(scene);
    }
    expect(Math.min(finished, dropped)).toBeGreaterThan(0);
  });

  it('OP-66 a repetition of a call that died continues its reservations', async () => {
    const { points } = await call(await mappingScene(house, 20));
    for (const fatalPoint of killedPoints(points, 2)) {
      const scene = await mappingScene(house, 20);
      const commandId = `repeated-${fatalPoint}`;
      await call(scene, fatalPoint, commandId);
      await call(scene, Infinity, commandId);
      await workOff(house, scene);
      await expectMappedOnce(scene);
      expect(
        (await typesOf(house, scene, 'mappingDay')).filter((type) => type === 'MappingReserved'),
      ).toHaveLength(2);
    }
  });

  it('a request whose worker dies anywhere, also twice, ends like an undisturbed one', async () => {
    const launched = async (): Promise<MappingScene> => {
      const scene = await mappingScene(house, 20);
      await call(scene);
      return scene;
    };
    const firstOf = async ({ workspaceId }: MappingScene) => {
      const [work] = await dueIn(house, mapCompany, workspaceId);
      if (work === undefined) throw new Error('no request is to be worked off');
      return work;
    };
    const undisturbed = await launched();
    const work = await firstOf(undisturbed);
    const { points } = await livesUntil(house, Infinity, (host) => mapCompany.act(host, work, NEVER));
    expect(points).toBeGreaterThan(40);
    for (const fatalPoint of killedPoints(points, 3)) {
      const scene = await launched();
      const killed = await firstOf(scene);
      for (let death = 0; death < (fatalPoint % 4 === 0 ? 2 : 1); death += 1)
        await livesUntil(house, fatalPoint, (host) => mapCompany.act(host, killed, NEVER));
      await workOff(house, scene);
      await expectMappedOnce(scene);
    }
  });

  it('OP-71 a request whose balance runs out keeps the same prefix and releases its launch, wherever it died', async () => {
    const poor = async (): Promise<MappingScene> => {
      const scene = { ...(await mappingScene(house, 2)) };
      const [first = 0] = scene.personaIds;
      const alone = { ...scene, personaIds: [first] };
      await call(alone);
      return alone;
    };
    const expectPrefix = async (scene: MappingScene): Promise<void> => {
      expect(await moneyOf(house, scene)).toEqual({
        'account_mapping released': 1,
        'profile_analysis captured': 1,
      });
      expect(await requestsOf(scene)).toMatchObject([
        { stage: 'account_mapping_failed', failedReason: 'insufficient_credits' },
      ]);
      expect(
        (await typesOf(house, scene, 'contentRequest')).filter((type) => type === 'ContentRequestFailed'),
      ).toEqual(['ContentRequestFailed']);
    };
    const undisturbed = await poor();
    const [work] = await dueIn(house, mapCompany, undisturbed.workspaceId);
    if (work === undefined) throw new Error('no request is to be worked off');
    const { points } = await livesUntil(house, Infinity, (host) => mapCompany.act(host, work, NEVER));
    await expectPrefix(undisturbed);
    for (const fatalPoint of killedPoints(points, 3)) {
      const scene = await poor();
      const [killed] = await dueIn(house, mapCompany, scene.workspaceId);
      if (killed === undefined) throw new Error('no request is to be worked off');
      await livesUntil(house, fatalPoint, (host) => mapCompany.act(host, killed, NEVER));
      await workOff(house, scene);
      await expectPrefix(scene);
    }
  });

  it('OP-64 holds of a request that no worker continues are ended after a day like its work, and so is the request', async () => {
    const scene = await mappingScene(house, 20);
    await call(scene);
    const [work] = await dueIn(house, mapCompany, scene.workspaceId);
    if (work === undefined) throw new Error('no request is to be worked off');
    const { points } = await livesUntil(house, Infinity, (host) => mapCompany.act(host, work, NEVER));
    for (const fatalPoint of killedPoints(points, 5)) {
      const left = await mappingScene(house, 20);
      await call(left);
      for (const killed of await dueIn(house, mapCompany, left.workspaceId))
        await livesUntil(house, fatalPoint, (host) => mapCompany.act(host, killed, NEVER));
      house.advance(HOLD_LIFETIME_MS);
      for (let due = await dueIn(house, releaseRestedHolds, left.workspaceId); due.length > 0;) {
        for (const hold of due) await releaseRestedHolds.act(house.worker(), hold, NEVER);
        due = await dueIn(house, releaseRestedHolds, left.workspaceId);
      }
      const swept = await moneyOf(house, left);
      expect(Object.keys(swept).filter((name) => name.endsWith(' held'))).toEqual([]);
      await workOff(house, left);
      // The result of the request is what was paid for: no credits move once the holds have ended.
      expect(await moneyOf(house, left)).toEqual(swept);
      const stages = (await requestsOf(left)).map(({ stage }) => stage);
      expect(swept['account_mapping captured'] ?? 0).toBe(
        stages.filter((stage) => stage === 'completed').length,
      );
      expect(stages.every((stage) => stage === 'completed' || stage === 'account_mapping_failed')).toBe(true);
    }
  });

  it('MAP-29 twenty callers and two workers at once make one launch per persona', async () => {
    const scene = await mappingScene(house, 20);
    const processes = [house.worker(), house.worker()];
    const launches = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        enrichCall(
          house,
          scene,
          processes[index % 2] ?? house.worker(),
          contextOf(scene.workspaceId, `at-once-${index}`),
        ),
      ),
    );
    expect(launches.flat().filter(({ status }) => status === 'launched')).toHaveLength(2);
    const works = await dueIn(house, mapCompany, scene.workspaceId);
    await Promise.all(works.flatMap((work) => processes.map((host) => mapCompany.act(host, work, NEVER))));
    await workOff(house, scene);
    await expectMappedOnce(scene);
  });
});
