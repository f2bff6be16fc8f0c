import { workspaceScoped } from '#kernel/commands/decider.js';
import { HOLD_LIFETIME_MS } from '#ledger/charging/expired-holds.js';
import { mapping } from '#accounts/domain/mappings/mapping.js';
import { mapCompany } from '#accounts/mappings/map-company.process.js';
import {
  contentRequests,
  type ContentRequestDocument,
} from '#projections/accounts/content-requests/content-requests.projection.js';
import type { ContentRequestWorkDocument } from '#projections/accounts/content-request-work/content-request-work.projection.js';
import { killedAt, killedPoints, type Campaign } from '../support/killed-points.js';
import {
  dueIn,
  enrichCall,
  furnishMapping,
  livesUntil,
  mappingScene,
  moneyOf,
  PEOPLE,
  typesOf,
  workOff,
  releaseRested,
  type MappingScene,
} from '../support/mapping-scene.js';
import type { Lived } from '../support/mortal.js';
import { sharedHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';

const NEVER = new AbortController().signal;
/** Two launches, and each person once. */
const PAID = { 'account_mapping captured': 2, 'profile_analysis captured': PEOPLE.length };

describe('P15 INV-08 the mapping of a company, killed at every point', () => {
  const house = sharedHouse(furnishMapping);
  let calls = 0;

  const call = (scene: MappingScene, fatalPoint = Infinity, commandId = `call-${(calls += 1)}`) =>
    livesUntil(house, fatalPoint, (host) =>
      enrichCall(house, scene, host, systemContext(scene.workspaceId, commandId)),
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

  const expectWorkedOffOnce = async (scene: MappingScene): Promise<void> => {
    await workOff(house, scene);
    await expectMappedOnce(scene);
  };

  it('OP-56 the launch of a call that dies anywhere is completed or dropped, and the next call launches the dropped ones', async () => {
    const launches = await killedAt({
      morePointsThan: 20,
      begin: () => mappingScene(house, 20),
      workUntil: call,
      async finish(scene) {
        await workOff(house, scene);
        const types = await typesOf(house, scene, 'mappingDay');
        await call(scene);
        return types;
      },
      check: expectWorkedOffOnce,
    });
    const isDropped = (types: readonly string[]): boolean => types.includes('MappingDropped');
    expect(launches.some(isDropped)).toBe(true);
    expect(launches.some((types) => types.length > 0 && !isDropped(types))).toBe(true);
  });

  it('OP-66 a repetition of a call that died continues its reservations', async () => {
    await killedAt({
      pointsOf: (points) => killedPoints(points, 2),
      begin: async () => ({ ...(await mappingScene(house, 20)), commandId: `repeated-${(calls += 1)}` }),
      workUntil: (scene, fatalPoint) => call(scene, fatalPoint, scene.commandId),
      async check(scene) {
        await expectWorkedOffOnce(scene);
        expect(
          (await typesOf(house, scene, 'mappingDay')).filter((type) => type === 'MappingReserved'),
        ).toHaveLength(2);
      },
    });
  });

  type Launched = MappingScene & {
    readonly requests: readonly [ContentRequestWorkDocument, ...ContentRequestWorkDocument[]];
  };

  /** A scene whose enrichment was launched, and the requests that are due. */
  async function launched(creditsGranted: number, personas: number): Promise<Launched> {
    const furnished = await mappingScene(house, creditsGranted);
    const scene = { ...furnished, personaIds: furnished.personaIds.slice(0, personas) };
    await call(scene);
    const [first, ...others] = await dueIn(house, mapCompany, scene.workspaceId);
    if (first === undefined) throw new Error('no request is to be worked off');
    return { ...scene, requests: [first, ...others] };
  }

  const mapUntil = (request: ContentRequestWorkDocument, fatalPoint: number): Promise<Lived> =>
    livesUntil(house, fatalPoint, (host) => mapCompany.act(host, request, NEVER));
  const mapFirstUntil = ({ requests: [first] }: Launched, fatalPoint: number): Promise<Lived> =>
    mapUntil(first, fatalPoint);

  async function expectPrefix(scene: MappingScene): Promise<void> {
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
  }

  const campaigns: readonly (Campaign<Launched> & { readonly title: string })[] = [
    {
      title: 'a request whose worker dies anywhere, also twice, ends like an undisturbed one',
      pointsOf: (points) => killedPoints(points, 3),
      begin: () => launched(20, 2),
      workUntil: mapFirstUntil,
      async finish(scene, { fatalPoint }) {
        if (fatalPoint % 4 === 0) await mapFirstUntil(scene, fatalPoint);
      },
      check: expectWorkedOffOnce,
    },
    {
      title:
        'OP-71 a request whose balance runs out keeps the same prefix and releases its launch, wherever it died',
      pointsOf: (points) => killedPoints(points, 3),
      begin: () => launched(2, 1),
      workUntil: mapFirstUntil,
      finish: (scene) => workOff(house, scene),
      check: expectPrefix,
    },
    {
      title:
        'OP-64 holds of a request that no worker continues are ended after a day like its work, and so is the request',
      pointsOf: (points) => killedPoints(points, 5),
      begin: () => launched(20, 2),
      async workUntil({ requests: [first, ...others] }, fatalPoint) {
        const lived = await mapUntil(first, fatalPoint);
        for (const other of others) await mapUntil(other, fatalPoint);
        return lived;
      },
      async finish(scene) {
        house.advance(HOLD_LIFETIME_MS);
        await releaseRested(house, scene.workspaceId);
        const swept = await moneyOf(house, scene);
        expect(Object.keys(swept).filter((name) => name.endsWith(' held'))).toEqual([]);
        await workOff(house, scene);
        // The result of the request is what was paid for: no credits move once the holds have ended.
        expect(await moneyOf(house, scene)).toEqual(swept);
      },
      async check(scene) {
        const stages = (await requestsOf(scene)).map(({ stage }) => stage);
        expect((await moneyOf(house, scene))['account_mapping captured'] ?? 0).toBe(
          stages.filter((stage) => stage === 'completed').length,
        );
        expect(stages.every((stage) => stage === 'completed' || stage === 'account_mapping_failed')).toBe(
          true,
        );
      },
    },
  ];
  it.each(campaigns)('$title', async (campaign) => {
    await killedAt({ ...campaign, morePointsThan: 40 });
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
          systemContext(scene.workspaceId, `at-once-${index}`),
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
