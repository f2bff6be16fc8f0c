import { createCommands } from '#kernel/commands/commands.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { mapTopAccounts } from '#runtime/processes.js';
import { isWaiting } from '#process-engine/process.js';
import { companies } from '#projections/identities/companies/companies.projection.js';
import { furnishAccounts, recordedIn, submitted, workOffAccounts } from '../support/account-scene.js';
import { enrichCall, mappingScene } from '../support/mapping-scene.js';
import { employed, observedCompany, observedPerson, observedPost } from '../support/observed-network.js';
import { sharedHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';

const NEVER = new AbortController().signal;
/** No further call of the store is expected after this time. */
const QUIET_MS = 20;
const HANDLES = ['umbrella', 'initech', 'globex', 'hooli'];

/** Concurrent calls are answered one by one, the last one first. */
function lastOneFirst(): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let isServing = false;
  let quiet: NodeJS.Timeout | undefined;

  function serve(): void {
    const next = waiting.pop();
    isServing = next !== undefined;
    next?.();
  }
  function serveWhenQuiet(): void {
    clearTimeout(quiet);
    if (!isServing) quiet = setTimeout(serve, QUIET_MS);
  }
  function served(): void {
    isServing = false;
    serveWhenQuiet();
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(served));
      serveWhenQuiet();
    });
}

/** An event store that answers reads of streams of these categories in the reverse order of the calls. */
function reversed(events: EventStore, ...categories: readonly string[]): EventStore {
  const turn = lastOneFirst();
  const isMeant = (stream: string): boolean => categories.some((name) => stream.startsWith(`${name}-`));
  async function* readStream(...asked: Parameters<EventStore['readStream']>) {
    const read: (readonly StoredEvent[])[] = [];
    const done = isMeant(asked[0]) ? await turn() : null;
    for await (const batch of events.readStream(...asked)) read.push(batch);
    done?.();
    yield* read;
  }
  const append: EventStore['append'] = async (...asked) => {
    const done = isMeant(asked[0]) ? await turn() : null;
    const appended = await events.append(...asked);
    done?.();
    return appended;
  };
  const replaced: Partial<EventStore> = { readStream, append };
  return new Proxy(events, {
    get: (target, name) => Reflect.get(replaced, name) ?? Reflect.get(target, name, target),
  });
}

describe('concurrent work', () => {
  const house = sharedHouse(furnishAccounts);

  const reversedWorker = (...categories: readonly string[]) => {
    const { clock, progress } = house.operator;
    const eventStore = reversed(house.events, ...categories);
    return house.worker(undefined, { commands: createCommands({ eventStore, clock, progress }) });
  };

  it('OP-56 requests of one call are created, and so processed, in the order of their ids', async () => {
    const scene = await mappingScene(house, 20);
    const context = systemContext(scene.workspaceId, 'in-order');
    const launches = await enrichCall(house, scene, reversedWorker('contentRequest'), context);
    const { of } = await recordedIn(house, scene.workspaceId);
    const created = of('ContentRequestCreated').map(({ requestId }) => requestId);
    expect(created).toEqual(launches.map(({ requestId }) => requestId));
    expect(created).toEqual(created.toSorted());
  });

  it('OP-52 companies of a submission get their ids in its order, however late each of them is read', async () => {
    const workspaceId = await submitted(house, 0, HANDLES);
    await workOffAccounts(house, workspaceId, reversedWorker('companyIdentity'));
    const { of } = await recordedIn(house, workspaceId);
    const found = of('TopAccountFound').map(({ companyId }) => Number(companyId));
    expect(found).toHaveLength(HANDLES.length);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
  });

  it('D-07 findings of a run get their ids in the order of the findings', async () => {
    await house.ingest(
      HANDLES.flatMap((handle, index) => [
        observedCompany(handle),
        observedPerson(`${handle}-boss`, employed(handle, 'Head of Sales')),
        observedPost(handle, `${handle}-boss`, 'all about turnips', `2026-02-2${index}T08:00:00Z`),
      ]),
    );
    const workspaceId = await house.workspace({ mode: 'self' }, 100);
    const { work } = await house.launch(workspaceId, await house.agent(workspaceId), { keyword: 'turnips' });
    const host = reversedWorker('companyIdentity', 'leadIdentity', 'contentIdentity');
    await executeSignalRun.act(host, work, NEVER);
    const { of } = await recordedIn(house, workspaceId);
    const detected = of('SignalDetected');
    expect(detected).toHaveLength(HANDLES.length);
    const ascending = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);
    for (const kind of ['companyId', 'leadId', 'contentId']) {
      const ids = detected.map((one) => Number(one[kind]));
      expect([kind, ids]).toEqual([kind, ascending(ids)]);
    }
  });

  it('OP-52 nothing is planned for a company that is not visible yet, because its request would keep a missing identifier', async () => {
    const workspaceId = await submitted(house, 0, ['acme']);
    const late: ReadModels['getMany'] = (view, keys) =>
      view.name === companies.name ? Promise.resolve(new Map()) : house.reads.getMany(view, keys);
    const readModels = new Proxy(house.reads, {
      get: (target, name) => (name === 'getMany' ? late : Reflect.get(target, name, target)),
    });
    const behind = workOffAccounts(house, workspaceId, house.worker(undefined, { readModels }));
    await expect(behind).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await recordedIn(house, workspaceId)).of('AccountRequestsPlanned')).toEqual([]);
    await workOffAccounts(house, workspaceId);
    const { of } = await recordedIn(house, workspaceId);
    expect(of('ContentRequestCreated').map(({ identifier }) => identifier)).toEqual(['acme.com', 'acme.com']);
  });

  it('OP-52 nothing is planned while companies cannot be read', async () => {
    const workspaceId = await submitted(house, 0, ['acme']);
    const isParked = (view: string) => Promise.resolve(view === companies.name);
    expect(await isWaiting({ ...house.worker(), isParked }, mapTopAccounts, workspaceId)).toBe(true);
  });
});
