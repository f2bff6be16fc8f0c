import { addInPieces } from '#lists/add-members.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { renewedRequests } from '#accounts/content-requests/renewed-requests.js';
import { createEmployeeList, list } from '#lists/domain/lists/list.js';
import { addMembers } from '#lists/domain/lists/list-members.js';
import { ESSENTIAL, setListMonitoring } from '#lists/domain/lists/list-monitoring.js';
import { enrichMembers } from '#lists/enrich-members.process.js';
import { lateAnswers } from '#lists/late-answers.js';
import { observableMonths } from '#monitoring/observable-months.js';
import { networkFollower, type NetworkFollower } from '#process-engine/network-follower.js';
import type { ProcessHost } from '#process-engine/process.js';
import { failedAccountRequests } from '#projections/accounts/failed-account-requests/failed-account-requests.projection.js';
import { listMembers } from '#projections/lists/list-members/list-members.projection.js';
import { missedLookUps } from '#projections/lists/missed-look-ups/missed-look-ups.projection.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { memberEnrichmentWork } from '#projections/lists/member-enrichment-work/member-enrichment-work.projection.js';
import { furnishAccounts, submitted, workOffAccounts } from '../support/account-scene.js';
import { shared } from '../support/late.js';
import { IN_FRANCE, employed, observedCompany, observedPerson } from '../support/observed-network.js';
import { systemContext } from '../support/system-context.js';
import { openMonitoringHouse } from './monitoring-house.js';

const NEVER = new AbortController().signal;
const DAY_MS = 24 * 3_600_000;

describe('work that follows the network', () => {
  const house = shared('the house', async () => {
    const opened = await openMonitoringHouse();
    await furnishAccounts(opened);
    return opened;
  });

  /** A workspace with an account of which nothing can be observed. */
  async function withStub(domain: string): Promise<number> {
    const workspaceId = await house.workspace({ mode: 'self' }, 100);
    await house.persona(workspaceId);
    const listId = await house.list(workspaceId);
    const memberId = await house.operator.ids.next('member');
    const stub = { memberId, handle: null, networkUrl: null, domains: [domain], name: null, logoUrl: null };
    const now = house.now().toISOString();
    await house.changeList(workspaceId, listId, addMembers({ members: [stub], source: 'api', now }));
    await house.changeList(workspaceId, listId, setListMonitoring(ESSENTIAL));
    await house.settle(workspaceId);
    return workspaceId;
  }

  /** A workspace with a member who was not looked up yet. */
  async function withUnlooked(handle: string) {
    const workspaceId = await house.workspace({ mode: 'exempt' }, 0);
    const listId = await house.operator.ids.next('list');
    const create = createEmployeeList({ listId, now: house.now().toISOString() });
    await house.decide(workspaceId, list, workspaceScoped(workspaceId, listId), create);
    const context = systemContext(workspaceId, `add-${listId}`);
    const about = { workspaceId, kind: 'profile', listId, source: 'api', context } as const;
    await addInPieces(house.operator, about, [
      { handle, networkUrl: null, domains: [], name: null, logoUrl: null },
    ]);
    await house.caughtUp();
    const works = await house.reads.find(memberEnrichmentWork, { where: { workspaceId } });
    return { workspaceId, works };
  }

  /** A workspace with a member who was looked up and is not on the network. */
  async function withMissing(handle: string): Promise<number> {
    const { workspaceId, works } = await withUnlooked(handle);
    for (const work of works) await enrichMembers.act(house.worker(), work, NEVER);
    return workspaceId;
  }

  /** A workspace with a top account of which the network knows no employee. */
  async function withFailed(handle: string): Promise<number> {
    const workspaceId = await submitted(house, 10, [handle]);
    await workOffAccounts(house, workspaceId);
    return workspaceId;
  }

  type Following = {
    readonly what: string;
    readonly prepare: (name: string) => Promise<number>;
    readonly learn: (name: string) => Promise<void>;
    readonly follow: (host: ProcessHost, onError: (error: unknown) => void) => NetworkFollower;
    readonly made: string;
    readonly view: string;
  };
  const FOLLOWING: readonly Following[] = [
    {
      what: 'MON-62 months of observable accounts',
      prepare: (name) => withStub(`${name}.example`),
      learn: (name) => house.ingest([observedCompany(`${name}-observed`, { domains: [`${name}.example`] })]),
      follow: observableMonths,
      made: 'MonthsObservable',
      view: monitoredUnits.name,
    },
    {
      what: 'late answers about members',
      prepare: (name) => withMissing(name),
      learn: (name) => house.ingest([observedPerson(name)]),
      follow: lateAnswers,
      made: 'MembersEnriched',
      view: missedLookUps.name,
    },
    {
      what: 'late names of companies on lists',
      prepare: (name) => withStub(`${name}.example`),
      learn: (name) => house.ingest([observedCompany(`${name}-observed`, { domains: [`${name}.example`] })]),
      follow: lateAnswers,
      made: 'MembersNamed',
      view: listMembers.name,
    },
    {
      what: 'OP-52 renewed requests',
      prepare: (name) => withFailed(name),
      learn: async (name) => {
        house.advance(DAY_MS);
        const works = { ...employed(name, 'VP Sales'), ...IN_FRANCE };
        await house.ingest([observedCompany(name), observedPerson(`${name}-vp`, works)]);
      },
      follow: renewedRequests,
      made: 'AccountRequestsPlanned',
      view: failedAccountRequests.name,
    },
  ];

  const madeIn = async (workspaceId: number, type: string): Promise<number> =>
    (await house.eventsOf(workspaceId)).filter((event) => event.type === type).length;

  it.each(FOLLOWING)(
    'checks the other workspaces if one fails, and that one again: $what',
    async ({ prepare, learn, follow, made }) => {
      const name = `apart-${made.toLowerCase()}`;
      const [bad, good] = [await prepare(name), await prepare(name)];
      const before = [await madeIn(bad, made), await madeIn(good, made)];
      const after = async (): Promise<readonly number[]> => [
        (await madeIn(bad, made)) - (before[0] ?? 0),
        (await madeIn(good, made)) - (before[1] ?? 0),
      ];
      await house.caughtUp();
      await learn(name);
      const { commands, ...host } = house.worker();
      const fault = new Error('the stream cannot be folded');
      let isBroken = true;
      const handle: ProcessHost['commands']['handle'] = (decider, id, decision, options) =>
        isBroken && options.context.workspaceId === bad
          ? Promise.reject(fault)
          : commands.handle(decider, id, decision, options);
      const reported: unknown[] = [];
      const follower = follow({ ...host, commands: { ...commands, handle } }, (error) =>
        reported.push(error),
      );
      await follower.catchUp();
      expect(reported).toEqual([fault]);
      expect(await after()).toEqual([0, 1]);
      await house.caughtUp();
      isBroken = false;
      await follower.catchUp();
      expect(await after()).toEqual([1, 1]);
    },
  );

  it.each(FOLLOWING)(
    'records nothing while its read model is parked for the workspace, and once afterwards: $what',
    async ({ prepare, learn, follow, made, view }) => {
      const name = `parked-${made.toLowerCase()}`;
      const [parked, other] = [await prepare(name), await prepare(name)];
      const before = [await madeIn(parked, made), await madeIn(other, made)];
      const after = async (): Promise<readonly number[]> => [
        (await madeIn(parked, made)) - (before[0] ?? 0),
        (await madeIn(other, made)) - (before[1] ?? 0),
      ];
      await house.caughtUp();
      await learn(name);
      let isParked = true;
      const host = house.worker(undefined, {
        isParked: async (parkedView, workspaceId) =>
          isParked && parkedView === view && workspaceId === parked,
      });
      const reported: unknown[] = [];
      const follower = follow(host, (error) => reported.push(error));
      for (const change of ['one', 'two']) {
        await follower.catchUp();
        await house.caughtUp();
        expect(await after()).toEqual([0, 1]);
        await house.ingest([observedCompany(`${name}-${change}`)]);
      }
      isParked = false;
      await follower.catchUp();
      await house.caughtUp();
      await follower.catchUp();
      expect(await after()).toEqual([1, 1]);
      expect(reported).toEqual([]);
    },
  );

  it('checks once more what was recorded after a check from a look-up before the change', async () => {
    const name = 'seen-too-early';
    const { workspaceId, works } = await withUnlooked(name);
    const host = house.worker();
    const early = await host.directory.resolvePeople([{ by: 'handle', handle: name, entity: 'person' }]);
    const directory = { ...host.directory, resolvePeople: async () => early };
    await house.ingest([observedPerson(name)]);
    const follower = lateAnswers(host, (error) => {
      throw error;
    });
    await follower.catchUp();
    for (const work of works) await enrichMembers.act({ ...host, directory }, work, NEVER);
    await house.caughtUp();
    expect(await madeIn(workspaceId, 'MembersEnriched')).toBe(1);
    await follower.catchUp();
    expect(await madeIn(workspaceId, 'MembersEnriched')).toBe(2);
  });

  it('reports a check that fails in the background, and none that a stop interrupts', async () => {
    const reported: unknown[] = [];
    const fault = new Error('the store of all workspaces is gone');
    const failing = await new Promise<NetworkFollower>((resolve) => {
      const follower = networkFollower(house.worker(), {
        look: () => Promise.reject(fault),
        waitsFor: [],
        onError: (error) => {
          reported.push(error);
          resolve(follower);
        },
      });
      follower.start();
    });
    await failing.stop();
    expect(reported).toEqual([fault]);
    const interrupted = await new Promise<NetworkFollower>((resolve) => {
      const untilStopped = (signal: AbortSignal): Promise<number> =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          resolve(follower);
        });
      const follower = networkFollower(house.worker(), {
        look: (signal, apart) => apart(1, () => untilStopped(signal)),
        waitsFor: [],
        onError: (error) => reported.push(error),
      });
      follower.start();
    });
    await interrupted.stop();
    expect(reported).toEqual([fault]);
  });
});
