import { credits } from '#kernel/values/credits.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { createList } from '#lists/domain/lists/list.js';
import { list } from '#lists/domain/lists/list.js';
import type { List } from '#lists/domain/lists/list-state.js';
import type { listEvents } from '#lists/domain/lists/list.events.js';
import { addMembers } from '#lists/domain/lists/list-members.js';
import { ESSENTIAL, setListMonitoring } from '#lists/domain/lists/list-monitoring.js';
import type { Decision } from '#kernel/commands/decider.js';
import { changePersona, createPersona, personas } from '#lists/domain/personas/personas.js';
import { priceList, setListPrice } from '#catalogue/domain/prices/prices.js';
import { applyCatalogue } from '#catalogue/commands/apply-catalogue.js';
import { followMonitoredLists } from '#monitoring/follow-monitored-lists.process.js';
import type { Acted, Process, ProcessHost } from '#process-engine/process.js';
import { renewAccountMonitoring } from '#monitoring/renew-account-monitoring.process.js';
import { retryAccountMonitoring } from '#monitoring/retry-account-monitoring.process.js';
import { dueItems, nextDueAt, type DueItem } from '#process-engine/to-do.js';
import { openSignalHouse, type SignalHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';

const NEVER = new AbortController().signal;
/** In the order in which a step runs them. */
const PROCESSES = [followMonitoredLists, retryAccountMonitoring, renewAccountMonitoring] as Process<never>[];

/** Stores with monitored accounts, and the operations of the tests. */
export type MonitoringHouse = Awaited<ReturnType<typeof openMonitoringHouse>>;

export async function openMonitoringHouse() {
  const house: SignalHouse = await openSignalHouse();
  const { operator } = house;
  await applyCatalogue(operator, shippedCatalogue(), false, systemContext(null));
  const now = (): string => house.now().toISOString();

  const changeList = (
    workspaceId: number,
    listId: number,
    decision: Decision<List, typeof listEvents>,
  ): Promise<void> => house.decide(workspaceId, list, workspaceScoped(workspaceId, listId), decision);

  async function due(only: number): Promise<readonly (readonly [Process<never>, DueItem])[]> {
    await house.caughtUp();
    const found: (readonly [Process<never>, DueItem])[] = [];
    for (const process of PROCESSES) {
      const [item] = await dueItems(house.reads, process.toDo, house.now(), 1, only);
      if (item !== undefined) found.push([process, item]);
    }
    return found;
  }

  const opened = {
    ...house,
    changeList,
    due,
    async persona(workspaceId: number): Promise<number> {
      const personaId = await operator.ids.next('persona');
      const decision = createPersona({ personaId, facts: {}, now: now() });
      await house.decide(workspaceId, personas, String(workspaceId), decision);
      return personaId;
    },
    async archivePersona(workspaceId: number, personaId: number, archived: boolean): Promise<void> {
      const decision = changePersona({ personaId, changes: {}, archived, now: now() });
      await house.decide(workspaceId, personas, String(workspaceId), decision);
    },
    async list(workspaceId: number, personaIds: readonly number[] = []): Promise<number> {
      const listId = await operator.ids.next('list');
      await changeList(
        workspaceId,
        listId,
        createList({
          listId,
          type: 'customer',
          name: 'List',
          description: null,
          defaultTrackingStatus: 'followed',
          tier: null,
          personaIds,
          now: now(),
        }),
      );
      return listId;
    },
    /** Adds the companies with these handles, and returns the ids of their memberships. */
    async join(workspaceId: number, listId: number, handles: readonly string[]): Promise<readonly number[]> {
      const memberIds = await operator.ids.nextMany('member', handles.length);
      const members = handles.map((handle, index) => ({
        memberId: memberIds[index] ?? 0,
        handle,
        networkUrl: null,
        domains: [],
        name: null,
        logoUrl: null,
      }));
      await changeList(workspaceId, listId, addMembers({ members, source: 'api', now: now() }));
      return memberIds;
    },
    /** Has this many new accounts of a new list monitored. */
    async monitorAccounts(workspaceId: number, accounts: number): Promise<void> {
      const listId = await opened.list(workspaceId);
      const handles = Array.from({ length: accounts }, (_, index) => `account-${listId}-${index}`);
      await opened.join(workspaceId, listId, handles);
      await changeList(workspaceId, listId, setListMonitoring(ESSENTIAL));
    },
    async price(amount: number | null): Promise<void> {
      const stored = amount === null ? null : credits(amount).toString();
      const decision = setListPrice({ item: 'bucket:essential', credits: stored });
      await house.decide(null, priceList, '', decision);
    },
    /** Processes due work until nothing is left, with this worker. */
    async settle(workspaceId: number, worker: ProcessHost = house.worker()): Promise<void> {
      for (let rounds = 0; ; rounds += 1) {
        const [next] = await due(workspaceId);
        if (next === undefined) return;
        if (rounds > 50) throw new Error(`${next[0].name} has no end`);
        await next[0].act(worker, next[1] as never, NEVER);
      }
    },
    /** The next time at which work of this workspace falls due, up to `untilMs`; null if there is none. */
    async nextDue(untilMs: number): Promise<number | null> {
      await house.caughtUp();
      const times = await Promise.all(PROCESSES.map(({ toDo }) => nextDueAt(house.reads, toDo, house.now())));
      const found = times.flatMap((time) => (time === null ? [] : [time.getTime()]));
      const next = Math.min(...found);
      return found.length === 0 || next > untilMs ? null : next;
    },
    moveTo(ms: number): void {
      house.advance(ms - house.now().getTime());
    },
    act: (process: Process<never>, item: DueItem, worker: ProcessHost): Promise<Acted> =>
      process.act(worker, item as never, NEVER),
  };
  return opened;
}
