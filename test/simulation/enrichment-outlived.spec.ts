import { workspaceScoped } from '#kernel/commands/decider.js';
import { mappingDay, mappingDayOf } from '#accounts/domain/mappings/mapping-day.js';
import { finishEnrichmentLaunches } from '#accounts/mappings/finish-enrichment-launches.process.js';
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

const NEVER = new AbortController().signal;
/** Longer than the lease of a reservation. */
const AFTER_LEASE_MS = 11_000;

describe('a launch for several personas that takes longer than its reservation', () => {
  const house = sharedHouse(furnishMapping);

  /** A caller that pauses before a step until `meanwhile` is done. */
  function callerThatRests(before: string, meanwhile: () => Promise<void>): ProcessHost {
    const host = house.worker();
    const handle: ProcessHost['commands']['handle'] = async (...wanted) => {
      const [, , , { context }] = wanted;
      if (context.commandId.endsWith(`:${before}`)) await meanwhile();
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

  it('OP-56 launches none if one was dropped meanwhile, like all of its call, keeps no hold, and is launched by its repetition', async () => {
    const scene = await mappingScene(house, 20);
    const context = systemContext(scene.workspaceId, 'outlived-unpaid');
    const slow = callerThatRests('hold', async () => {
      await finish(scene, 1);
      expect(await statusesOf(scene)).toEqual(['open', 'open']);
    });
    await expect(enrichCall(house, scene, slow, context)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await statusesOf(scene)).toEqual(['open', 'open']);
    expect(await moneyOf(house, scene)).toEqual({ 'account_mapping released': 2 });
    const again = await enrichCall(house, scene, house.worker(), context);
    expect(again.map(({ status }) => status)).toEqual(['launched', 'launched']);
    const once = await enrichCall(house, scene, house.worker(), context);
    expect(once).toEqual(again);
    await workOff(house, scene);
    expect(await typesOf(house, scene, 'mappingDay')).toEqual([
      'MappingReserved',
      'MappingReserved',
      'MappingDropped',
      'MappingDropped',
      'MappingReserved',
      'MappingReserved',
      'MappingLaunched',
      'MappingLaunched',
    ]);
    expect(await moneyOf(house, scene)).toMatchObject({
      'account_mapping released': 2,
      'account_mapping captured': 2,
    });
  });

  it('OP-56 launches all if a paid one was completed meanwhile, like all of its call', async () => {
    const scene = await mappingScene(house, 20);
    const slow = callerThatRests('confirm', async () => {
      await finish(scene, 1);
      expect(await statusesOf(scene)).toEqual(['launched', 'launched']);
    });
    const launches = await enrichCall(house, scene, slow, systemContext(scene.workspaceId, 'outlived-paid'));
    expect(launches.map(({ status }) => status)).toEqual(['launched', 'launched']);
    expect(await statusesOf(scene)).toEqual(['launched', 'launched']);
    await workOff(house, scene);
    expect(await moneyOf(house, scene)).toMatchObject({ 'account_mapping captured': 2 });
  });
});
