import { credits } from '#kernel/values/credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { mapping } from '#accounts/domain/mappings/mapping.js';
import { mapCompany } from '#accounts/mappings/map-company.process.js';
import type { ProcessHost } from '#process-engine/process.js';
import {
  contentRequests,
  type ContentRequestDocument,
} from '#projections/accounts/content-requests/content-requests.projection.js';
import {
  fundsOf,
  furnishAccounts,
  pipelinesOf,
  recordedIn,
  submitted,
  workOffAccounts,
} from '../support/account-scene.js';
import {
  enrichCall,
  mappingScene,
  moneyOf,
  dueMapping,
  type MappingScene,
} from '../support/mapping-scene.js';
import { IN_FRANCE, employed, observedCompany, observedPerson } from '../support/observed-network.js';
import { sharedHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';
import { errorOf } from '../support/event-stores.js';

const NEVER = new AbortController().signal;
const PEOPLE = 230;
const HOUR_MS = 3_600_000;

describe('the mapping of a company with more people than one hold command', () => {
  const house = sharedHouse(async (opened) => {
    await furnishAccounts(opened);
    await opened.ingest([
      observedCompany('large'),
      ...Array.from({ length: PEOPLE }, (_, index) =>
        observedPerson(`person-${index}`, { ...employed('large', 'VP Sales'), ...IN_FRANCE }),
      ),
    ]);
  });

  /** The keys held in each command, and the profiles recorded in each event, in order. */
  async function piecesOf(workspaceId: number) {
    const own = await house.eventsOf(workspaceId);
    const held = new Map<string, number>();
    for (const { metadata, data, type } of own)
      if (type === 'CreditsHeld' && data['product'] === 'profile_analysis')
        held.set(String(metadata['commandId']), (held.get(String(metadata['commandId'])) ?? 0) + 1);
    const recorded = own
      .filter(({ type }) => type === 'ProfilesMapped')
      .map(({ data }) => (Array.isArray(data['profiles']) ? data['profiles'].length : 0));
    return { held: [...held.values()], recorded };
  }

  describe('requested by a caller', () => {
    async function launched(creditsGranted: number): Promise<MappingScene> {
      const scene = await mappingScene(house, creditsGranted, 'large');
      const alone = { ...scene, personaIds: scene.personaIds.slice(0, 1) };
      await enrichCall(house, alone, house.worker(), systemContext(scene.workspaceId, 'call'));
      return alone;
    }

    async function requestOf({ workspaceId }: MappingScene): Promise<ContentRequestDocument> {
      await house.caughtUp();
      const [request] = await house.reads.find(contentRequests, {
        where: { workspaceId },
      });
      if (request === undefined) throw new Error('there is no request');
      return request;
    }

    it('OP-24 OP-71 holds, records and captures a hundred at a time', async () => {
      const scene = await launched(PEOPLE + 1);
      await mapCompany.act(house.worker(), await dueMapping(house, scene), NEVER);
      expect((await requestOf(scene)).stage).toBe('completed');
      expect(await piecesOf(scene.workspaceId)).toEqual({ held: [100, 100, 30], recorded: [100, 100, 30] });
      expect(await moneyOf(house, scene)).toEqual({
        'account_mapping captured': 1,
        'profile_analysis captured': PEOPLE,
      });
    });

    it('OP-56 OP-71 keeps the first ones by lead id that the balance covers, and releases the launch', async () => {
      const scene = await launched(151);
      await mapCompany.act(house.worker(), await dueMapping(house, scene), NEVER);
      const request = await requestOf(scene);
      expect(request.failedReason).toBe('insufficient_credits');
      expect(await piecesOf(scene.workspaceId)).toEqual({ held: [100, 50], recorded: [100, 50] });
      expect(await moneyOf(house, scene)).toEqual({
        'account_mapping released': 1,
        'profile_analysis captured': 150,
      });
      const stream = workspaceScoped(scene.workspaceId, request.mappingId ?? 0);
      const mapped = await house.operator.commands.load(mapping, stream, ({ profiles }) =>
        [...profiles.values()].map(({ leadId }) => leadId),
      );
      const { of } = await recordedIn(house, scene.workspaceId);
      const planned = of('StageEntered').flatMap(({ people }) => (Array.isArray(people) ? people : []));
      const leadIds = planned.map(({ leadId }: { leadId: number }) => leadId).sort((a, b) => a - b);
      expect(leadIds).toHaveLength(PEOPLE);
      expect(mapped).toEqual(leadIds.slice(0, 150));
    });

    it('OP-24 OP-58 releases the hold of a part that was never recorded, and keeps recorded profiles', async () => {
      const scene = await launched(PEOPLE + 1);
      const work = await dueMapping(house, scene);
      const { directory } = house.worker();
      let looked = 0;
      // The employers of the second hundred are looked up when they are paid for.
      const companies: ProcessHost['directory']['companies'] = (refs) =>
        (looked += 1) > 1
          ? Promise.reject(new StoreUnavailable('the network is away'))
          : directory.companies(refs);
      const host = house.worker(undefined, { directory: { ...directory, companies } });
      for (let tries = 1; tries <= 10; tries += 1) {
        const error = await errorOf(mapCompany.act(host, work, NEVER));
        expect(error).toEqual(new Error('the network cannot be reached'));
        if (tries === 1)
          expect(await moneyOf(house, scene)).toEqual({
            'account_mapping held': 1,
            'profile_analysis captured': 100,
            'profile_analysis held': 100,
          });
        await mapCompany.failed?.(host, work, error);
      }
      await mapCompany.act(host, work, NEVER);
      expect((await requestOf(scene)).failedReason).toBe('internal_error');
      expect(await moneyOf(house, scene)).toEqual({
        'account_mapping released': 1,
        'profile_analysis captured': 100,
        'profile_analysis released': 100,
      });
    });
  });

  it('OP-52 of a top account holds all of them in several commands or none, and waits for the missing credits', async () => {
    const workspaceId = await submitted(house, 200, ['large']);
    await workOffAccounts(house, workspaceId);
    expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(200), open: 0 });
    expect((await piecesOf(workspaceId)).recorded).toEqual([]);
    expect((await pipelinesOf(house, workspaceId))?.paused).toMatchObject({ creditsRequired: '231000000' });
    await house.grant(workspaceId, 31);
    house.advance(HOUR_MS);
    await workOffAccounts(house, workspaceId);
    const { of, count } = await recordedIn(house, workspaceId);
    expect(of('ContentRequestCompleted')).toHaveLength(2);
    expect((await piecesOf(workspaceId)).recorded).toEqual([100, 100, 30]);
    // The first attempt held nothing.
    expect([count('CreditsCaptured'), count('CreditsReleased')]).toEqual([PEOPLE + 1, 0]);
    expect(await fundsOf(house, workspaceId)).toEqual({ available: 0n, open: 0 });
  });
});
