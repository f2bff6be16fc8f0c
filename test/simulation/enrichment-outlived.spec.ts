import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { contentRequest } from '#accounts/domain/content-requests/content-request.js';
import { mappingDay, mappingDayOf, type MappingLaunch } from '#accounts/domain/mappings/mapping-day.js';
import { finishLaunch } from '#accounts/mappings/finish-launch.js';
import { finishEnrichmentLaunches } from '#accounts/mappings/finish-enrichment-launches.process.js';
import { keyedRequests } from '#keyed-requests/keyed-requests.js';
import type { ProcessHost } from '#process-engine/process.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import {
  dueIn,
  enrichCall,
  furnishMapping,
  mappingScene,
  moneyOf,
  typesOf,
  workOff,
  type MappingScene,
} from '../support/mapping-scene.js';
import { sharedHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';
import { uncountedKeys } from '../support/uncounted-keys.js';

const NEVER = new AbortController().signal;
/** Longer than the lease of a reservation. */
const AFTER_LEASE_MS = 11_000;
/** Attempts of one call. */
const ATTEMPTS = 5;
const EVERY_HOLD = /:hold(-\d+)?$/;

describe('a launch for several personas that takes longer than its reservation', () => {
  const house = sharedHouse(furnishMapping);

  /** A caller that pauses before a step, named by the end of its command id, until `meanwhile` is done. */
  function callerThatRests(
    before: RegExp,
    meanwhile: () => Promise<void>,
    host: ProcessHost = house.worker(),
  ): ProcessHost {
    const handle: ProcessHost['commands']['handle'] = async (...wanted) => {
      const [, , , { context }] = wanted;
      if (before.test(context.commandId)) await meanwhile();
      return host.commands.handle(...wanted);
    };
    return { ...host, commands: { ...host.commands, handle } };
  }

  /** Completes this many of the expired reservations. */
  async function finish({ workspaceId }: MappingScene, most: number): Promise<void> {
    house.advance(AFTER_LEASE_MS);
    const due = await dueIn(house, finishEnrichmentLaunches, workspaceId);
    for (const launch of due.slice(0, most))
      await finishEnrichmentLaunches.act(house.worker(), launch, NEVER);
  }

  const statusesOf = ({ workspaceId, companyId }: MappingScene): Promise<readonly string[]> =>
    house.operator.commands.load(
      mappingDay,
      workspaceScoped(workspaceId, mappingDayOf(companyId, house.now().toISOString().slice(0, 10))),
      ({ launches }) => [...launches.values()].map(({ status }) => status),
    );

  it('OP-56 launches all again if one was dropped once, and keeps no hold of the first attempt', async () => {
    const scene = await mappingScene(house, 20);
    const slow = callerThatRests(/:hold$/, async () => {
      await finish(scene, 1);
      expect(await statusesOf(scene)).toEqual(['open', 'open']);
    });
    const launches = await enrichCall(house, scene, slow, systemContext(scene.workspaceId, 'outlived-once'));
    expect(launches.map(({ status }) => status)).toEqual(['launched', 'launched']);
    expect(await statusesOf(scene)).toEqual(['launched', 'launched']);
    await workOff(house, scene);
    expect(await moneyOf(house, scene)).toMatchObject({
      'account_mapping released': 2,
      'account_mapping captured': 2,
    });
  });

  it('OP-56 launches none if one was dropped meanwhile, like all of its call, keeps no hold, and is launched by its repetition', async () => {
    const scene = await mappingScene(house, 20);
    const context = systemContext(scene.workspaceId, 'outlived-unpaid');
    const slow = callerThatRests(EVERY_HOLD, async () => {
      await finish(scene, 1);
      expect(await statusesOf(scene)).toEqual(['open', 'open']);
    });
    await expect(enrichCall(house, scene, slow, context)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await statusesOf(scene)).toEqual(['open', 'open']);
    expect(await moneyOf(house, scene)).toEqual({ 'account_mapping released': 2 * ATTEMPTS });
    const again = await enrichCall(house, scene, house.worker(), context);
    expect(again.map(({ status }) => status)).toEqual(['launched', 'launched']);
    const once = await enrichCall(house, scene, house.worker(), context);
    expect(once).toEqual(again);
    await workOff(house, scene);
    expect(await typesOf(house, scene, 'mappingDay')).toEqual([
      ...Array.from({ length: ATTEMPTS }, () => [
        'MappingReserved',
        'MappingReserved',
        'MappingDropped',
        'MappingDropped',
      ]).flat(),
      'MappingReserved',
      'MappingReserved',
      'MappingLaunched',
      'MappingLaunched',
    ]);
    expect(await moneyOf(house, scene)).toMatchObject({
      'account_mapping released': 2 * ATTEMPTS,
      'account_mapping captured': 2,
    });
  });

  /** The call with an Idempotency-Key; the caller does something before each hold. */
  async function keyedCall(scene: MappingScene, beforeHold: () => Promise<void>): Promise<readonly string[]> {
    const host = house.worker();
    const { commands, ids, clock } = host;
    const holder = 'a-host:1:x';
    const keyed = keyedRequests({ commands, ids, clock, liveKeys: uncountedKeys, holder });
    const claimed = await keyed.claims({
      ...{ workspaceId: scene.workspaceId, apiKeyId: 1, requestId: 'r', key: 'outlived', requestHash: 'h' },
    });
    if (claimed.kind !== 'claimed') throw new Error(`the key is ${claimed.kind}`);
    const context = { ...systemContext(scene.workspaceId, claimed.commandId), ...claimed.mayBeDone };
    try {
      return await claimed.within(async () => {
        const caller = callerThatRests(EVERY_HOLD, beforeHold, { ...host, ...keyed });
        return (await enrichCall(house, scene, caller, context)).map(({ status }) => status);
      });
    } finally {
      await claimed.release();
    }
  }

  it('OP-56 OP-66 gives the repetition of a keyed call movements of its own', async () => {
    const scene = await mappingScene(house, 20);
    await expect(keyedCall(scene, () => finish(scene, 1))).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await keyedCall(scene, async () => undefined)).toEqual(['launched', 'launched']);
    await workOff(house, scene);
    expect(await moneyOf(house, scene)).toMatchObject({
      'account_mapping released': 2 * ATTEMPTS,
      'account_mapping captured': 2,
    });
  });

  it('OP-56 OP-66 launches the repetition of a keyed call that was lost in its second attempt', async () => {
    const scene = await mappingScene(house, 20);
    let attempts = 0;
    const lost = keyedCall(scene, async () => {
      attempts += 1;
      if (attempts === 2) throw new Error('killed');
      await finish(scene, 1);
    });
    await expect(lost).rejects.toThrow('killed');
    await finish(scene, 1);
    expect(await statusesOf(scene)).toEqual(['open', 'open']);
    expect(await keyedCall(scene, async () => undefined)).toEqual(['launched', 'launched']);
    await workOff(house, scene);
    expect(await moneyOf(house, scene)).toMatchObject({ 'account_mapping captured': 2 });
  });

  it('OP-56 launches all if a paid one was completed meanwhile, like all of its call', async () => {
    const scene = await mappingScene(house, 20);
    const slow = callerThatRests(/:confirm$/, async () => {
      await finish(scene, 1);
      expect(await statusesOf(scene)).toEqual(['launched', 'launched']);
    });
    const launches = await enrichCall(house, scene, slow, systemContext(scene.workspaceId, 'outlived-paid'));
    expect(launches.map(({ status }) => status)).toEqual(['launched', 'launched']);
    expect(await statusesOf(scene)).toEqual(['launched', 'launched']);
    await workOff(house, scene);
    expect(await moneyOf(house, scene)).toMatchObject({ 'account_mapping captured': 2 });
  });

  it.each(['by the process', 'by another call'])(
    'CAP-02 counts for the key of its call if it is completed %s',
    async (by) => {
      const scene = await mappingScene(house, 20);
      const { workspaceId } = scene;
      const contextOf = (keyId: number, commandId: string): CommandContext => ({
        ...systemContext(workspaceId, `${commandId} ${by}`),
        actor: { kind: 'apiKey', id: String(keyId) },
      });
      const lost = callerThatRests(/:confirm$/, () => Promise.reject(new Error('killed')));
      await expect(enrichCall(house, scene, lost, contextOf(7, 'lost'))).rejects.toThrow('killed');
      if (by === 'by the process') {
        await finish(scene, 2);
      } else {
        const { requestId } = await reservation(scene);
        const day = { workspaceId, companyId: scene.companyId, requestDate: today(), requestId };
        await finishLaunch(house.worker(), { ...day, context: contextOf(8, 'other') });
      }
      const { requestId } = await reservation(scene);
      const request = await house.operator.commands.load(
        contentRequest,
        workspaceScoped(workspaceId, requestId),
        ({ created, keyId }) => ({ isCreated: created !== null, keyId }),
      );
      expect(request).toEqual({ isCreated: true, keyId: 7 });
    },
  );

  const today = (): string => house.now().toISOString().slice(0, 10);

  /** The first reservation of the day. */
  async function reservation({ workspaceId, companyId }: MappingScene): Promise<MappingLaunch> {
    const stream = workspaceScoped(workspaceId, mappingDayOf(companyId, today()));
    const [first] = await house.operator.commands.load(mappingDay, stream, ({ launches }) => [
      ...launches.values(),
    ]);
    if (first === undefined) throw new Error('nothing was reserved');
    return first;
  }
});
