import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { companyStub } from '#identities/observed-facts.js';
import { changePersona, personas } from '#lists/domain/personas/personas.js';
import { block, provision, unblock, workspace } from '#access/domain/workspaces/workspace.js';
import { claimHostOf } from '#identities/claim-host.js';
import { identityClaims } from '#identities/claim-identities.js';
import { mapCompany } from '#accounts/mappings/map-company.process.js';
import { isWaiting, type ProcessHost } from '#process-engine/process.js';
import { releaseRestedHolds } from '#runtime/processes.js';
import { contentRequests } from '#projections/accounts/content-requests/content-requests.projection.js';
import {
  dueIn,
  enrichCall,
  furnishMapping,
  mappingScene,
  moneyOf,
  PEOPLE,
  typesOf,
  workOff,
  dueMapping,
  releaseRested,
  type MappingScene,
} from '../support/mapping-scene.js';
import { sharedHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';
import { errorOf } from '../support/event-stores.js';

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const COMPLETED = { 'account_mapping captured': 1, 'profile_analysis captured': PEOPLE.length };
const GIVEN_BACK = { 'account_mapping released': 1 };

describe('the ends of a company’s mapping', () => {
  const house = sharedHouse(furnishMapping);

  /** One persona's launch, and its pending work. */
  async function launched(): Promise<MappingScene> {
    const scene = await mappingScene(house, 20);
    const alone = { ...scene, personaIds: scene.personaIds.slice(0, 1) };
    await launch(alone);
    return alone;
  }

  const launch = (scene: MappingScene) =>
    enrichCall(house, scene, house.worker(), systemContext(scene.workspaceId));

  async function endsOf({ workspaceId }: MappingScene): Promise<readonly (string | null)[]> {
    await house.caughtUp();
    const requests = await house.reads.find(contentRequests, {
      where: { workspaceId },
      sort: [['id', 'asc']],
    });
    return requests.map(({ stage, failedReason }) => failedReason ?? stage);
  }

  const decide = ({ workspaceId }: MappingScene, decision: ReturnType<typeof block>) =>
    house.decide(workspaceId, workspace, String(workspaceId), decision);

  function retitle({ workspaceId, personaIds }: MappingScene, jobTitle: readonly string[]): Promise<void> {
    const now = house.now().toISOString();
    const titled = changePersona({
      personaId: personaIds[0] ?? 0,
      changes: { jobTitle: [...jobTitle] },
      now,
    });
    return house.decide(workspaceId, personas, String(workspaceId), titled);
  }

  /** After a temporary failure the next call of the day launches again, into a request of its own. */
  async function expectRelaunch(scene: MappingScene, reason: string): Promise<void> {
    expect(await endsOf(scene)).toEqual([reason]);
    expect(await moneyOf(house, scene)).toEqual(GIVEN_BACK);
    expect(await launch(scene)).toMatchObject([{ status: 'launched' }]);
    await workOff(house, scene);
    expect(await endsOf(scene)).toEqual([reason, 'completed']);
    expect(await moneyOf(house, scene)).toEqual({ ...GIVEN_BACK, ...COMPLETED });
  }

  it('OP-58 it fails after six hours without progress while a worker was alive, and releases its credit', async () => {
    const scene = await launched();
    const work = await dueMapping(house, scene);
    const host = house.worker();
    house.advance(6 * HOUR_MS + 1);
    await mapCompany.act(host, work, NEVER);
    await expectRelaunch(scene, 'request_timed_out');
  });

  it('OP-58 time without a live worker does not count', async () => {
    const scene = await launched();
    const work = await dueMapping(house, scene);
    house.advance(6 * HOUR_MS + 1);
    await mapCompany.act(house.worker(), work, NEVER);
    expect(await endsOf(scene)).toEqual(['completed']);
  });

  it('OP-56 OP-58 it fails without titles if its persona lost them, and can be launched again once it has some', async () => {
    const scene = await launched();
    await retitle(scene, []);
    await workOff(house, scene);
    await retitle(scene, ['sales']);
    await expectRelaunch(scene, 'persona_without_job_titles');
  });

  it('MAP-10 OP-56 once completed it is not launched again on that day', async () => {
    const scene = await launched();
    await workOff(house, scene);
    expect(await launch(scene)).toMatchObject([{ status: 'already_requested', credits: 0n }]);
    await workOff(house, scene);
    expect(await endsOf(scene)).toEqual(['completed']);
    expect(await moneyOf(house, scene)).toEqual(COMPLETED);
  });

  it('OP-58 it fails with an internal error if the network stays unavailable, after ten attempts', async () => {
    const scene = await launched();
    const work = await dueMapping(house, scene);
    const directory: ProcessHost['directory'] = {
      ...house.worker().directory,
      resolveCompanies: () => Promise.reject(new StoreUnavailable('the network is away')),
    };
    const host = house.worker(undefined, { directory });
    for (let tries = 1; tries <= 10; tries += 1) {
      expect(await endsOf(scene)).not.toContain('internal_error');
      const error = await errorOf(mapCompany.act(host, work, NEVER));
      expect(error).toEqual(new Error('the network cannot be reached'));
      await mapCompany.failed?.(host, work, error);
    }
    await mapCompany.act(host, work, NEVER);
    await expectRelaunch(scene, 'internal_error');
  });

  it('it waits for an unavailable store of the product, and does not fail because of it', async () => {
    const scene = await launched();
    const work = await dueMapping(house, scene);
    const host = house.worker();
    for (let tries = 1; tries <= 12; tries += 1)
      await mapCompany.failed?.(host, work, new StoreUnavailable('the events are away'));
    await workOff(house, scene);
    expect(await endsOf(scene)).toEqual(['completed']);
  });

  it('OP-52 it waits in a blocked workspace, and its time starts again after the block', async () => {
    const scene = await launched();
    const { workspaceId } = scene;
    const terms = {
      name: 'x',
      topAccountListId: 1,
      employeeListId: 2,
      accountMapping: true,
      trialQuota: null,
    };
    await decide(scene, provision(terms));
    const work = await dueMapping(house, scene);
    const host = house.worker();
    expect(await isWaiting(host, mapCompany, workspaceId)).toBe(false);
    await decide(scene, block('unpaid'));
    await house.caughtUp();
    expect(await isWaiting(host, mapCompany, workspaceId)).toBe(true);
    house.advance(30 * HOUR_MS);
    expect(await isWaiting(host, releaseRestedHolds, workspaceId)).toBe(true);
    await decide(scene, unblock('paid'));
    await house.caughtUp();
    expect(await isWaiting(host, mapCompany, workspaceId)).toBe(false);
    // Its hold is older than a day, but is not ended.
    expect(await dueIn(house, releaseRestedHolds, workspaceId)).toHaveLength(1);
    expect(await isWaiting(host, releaseRestedHolds, workspaceId)).toBe(true);
    await mapCompany.act(host, work, NEVER);
    expect(await endsOf(scene)).toEqual(['completed']);
    expect(await moneyOf(house, scene)).toEqual(COMPLETED);
  });

  it('OP-64 LED-07 nothing is kept of a worker whose holds end during its work', async () => {
    const scene = await launched();
    const work = await dueMapping(house, scene);
    house.advance(24 * HOUR_MS);
    const host = house.worker();
    let isSwept = false;
    const commands: ProcessHost['commands'] = {
      ...host.commands,
      async handle(decider, ...about) {
        if (decider.category === 'mapping' && !isSwept) {
          isSwept = true;
          await releaseRested(house, scene.workspaceId);
        }
        return host.commands.handle(decider, ...about);
      },
    };
    await mapCompany.act({ ...host, commands }, work, NEVER);
    expect(isSwept).toBe(true);
    expect(await typesOf(house, scene, 'mapping')).toEqual(['RequestFenced']);
    expect(await endsOf(scene)).toEqual(['request_timed_out']);
    expect(await moneyOf(house, scene)).toEqual({
      ...GIVEN_BACK,
      'profile_analysis released': PEOPLE.length,
    });
  });

  it('MAP-23 OP-56 of two calls one gave a company its record, and the other one has lost its claim', async () => {
    const { workspaceId } = await mappingScene(house, 0);
    const stub = companyStub({ handle: null, domain: `new-${workspaceId}.example`, networkUrl: null });
    const claim = (name: string) =>
      identityClaims(claimHostOf(house.operator), workspaceId, (step) =>
        systemContext(workspaceId, `${name}-${workspaceId}:${step}`),
      ).claimWon(stub);
    const [first, second] = await Promise.all([claim('first'), claim('second')]);
    expect([first?.isWon, second?.isWon].toSorted()).toEqual([false, true]);
    expect(first?.companyId).toBe(second?.companyId);
    expect(await claim('later')).toEqual({ companyId: first?.companyId, isWon: true });
  });
});
