import { toStored, credits } from '#kernel/values/credits.js';
import { changeList, deleteList, restoreList } from '#lists/domain/lists/list.js';
import { removeMember, setTracking } from '#lists/domain/lists/list-members.js';
import { ESSENTIAL, setListMonitoring, setMemberMonitoring } from '#lists/domain/lists/list-monitoring.js';
import { monitoringSummary } from '#monitoring/summary.js';
import { companies } from '#projections/identities/companies/companies.projection.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { seededRandom } from '../support/seeded-random.js';
import { openMonitoringHouse } from './monitoring-house.js';
import { MonitoringModel } from './monitoring-model.js';
import { shared } from '../support/late.js';
import { eventsOf } from '../support/event-stores.js';

const HOUR_MS = 3_600_000;
const MONTHS_MS = 24 * 30.5 * 24 * HOUR_MS;
const HANDLES = ['acme', 'globex', 'initech', 'umbrella', 'hooli', 'stark'];
const SEEDS = [1, 3, 4, 5];

const house = shared('the house', openMonitoringHouse);

/** A workspace of the service and one of the model, with the same changes. */
async function twoWorkspaces(random: () => number) {
  const { reads } = house;
  const workspaceId = await house.workspace({ mode: 'self' }, 60);
  const ids = new Map<string, number>();
  const model = new MonitoringModel((company) => ids.get(company) ?? 0);
  model.balance = 60;
  const one = <Item>(items: Iterable<Item>): Item | undefined => {
    const all = [...items];
    return all[Math.floor(random() * all.length)];
  };
  const now = (): string => house.now().toISOString();

  async function newPersona(): Promise<void> {
    model.personas.set(await house.persona(workspaceId), true);
  }
  async function newList(): Promise<void> {
    const named = random() < 0.5 ? [] : [...model.personas.keys()].filter(() => random() < 0.6);
    const listId = await house.list(workspaceId, named);
    model.lists.set(listId, {
      active: true,
      deleted: false,
      monitored: false,
      personas: named,
      members: new Map(),
    });
  }
  async function join(): Promise<void> {
    const [listId, list] = one(model.lists) ?? [];
    if (listId === undefined || list === undefined || list.deleted) return;
    const there = new Set([...list.members.values()].map(({ company }) => company));
    const company = one(HANDLES.filter((handle) => !there.has(handle)));
    if (company === undefined) return;
    const [memberId = 0] = await house.join(workspaceId, listId, [company]);
    list.members.set(memberId, { company, followed: true, own: null });
  }
  async function changeMember(): Promise<void> {
    const [listId, list] = one(model.lists) ?? [];
    const [memberId, member] = one(list?.members ?? []) ?? [];
    if (listId === undefined || list === undefined || list.deleted) return;
    if (memberId === undefined || member === undefined) return;
    const choice = random();
    if (choice < 0.2) {
      await house.changeList(workspaceId, listId, removeMember({ memberId, source: 'api', now: now() }));
      list.members.delete(memberId);
    } else if (choice < 0.5) {
      member.followed = !member.followed;
      const status = member.followed ? 'followed' : 'unfollowed';
      await house.changeList(workspaceId, listId, setTracking(memberId, status));
    } else {
      member.own = random() < 0.6;
      await house.changeList(
        workspaceId,
        listId,
        setMemberMonitoring(memberId, member.own ? 'essential' : 'off'),
      );
    }
  }
  async function changeWhole(): Promise<void> {
    const [listId, list] = one(model.lists) ?? [];
    if (listId === undefined || list === undefined) return;
    const choice = random();
    if (list.deleted || choice < 0.15) {
      await house.changeList(workspaceId, listId, list.deleted ? restoreList() : deleteList({ now: now() }));
      list.deleted = !list.deleted;
    } else if (choice < 0.3) {
      list.active = !list.active;
      const archived = !list.active;
      await house.changeList(workspaceId, listId, changeList({ changes: {}, archived, now: now() }));
    } else if (choice < 0.45) {
      list.personas = [...model.personas.keys()].filter(() => random() < 0.5);
      const changes = { personaIds: list.personas };
      await house.changeList(workspaceId, listId, changeList({ changes, now: now() }));
    } else {
      list.monitored = random() < 0.7;
      for (const member of list.members.values()) member.own = null;
      await house.changeList(workspaceId, listId, setListMonitoring(list.monitored ? ESSENTIAL : null));
    }
  }
  async function changePersona(): Promise<void> {
    const [personaId, isActive] = one(model.personas) ?? [];
    if (personaId === undefined || model.personas.size < 3) return newPersona();
    await house.archivePersona(workspaceId, personaId, isActive === true);
    model.personas.set(personaId, isActive !== true);
  }
  async function money(): Promise<void> {
    if (random() < 0.15) {
      model.price = one([4, 5, 7, null]) ?? null;
      await house.price(model.price);
      return;
    }
    const amount = 1 + Math.floor(random() * 60);
    await house.grant(workspaceId, amount);
    model.balance += amount;
    model.isWoken = true;
  }
  async function step(): Promise<void> {
    const choice = random();
    if (choice < 0.1 || model.lists.size === 0) await newList();
    else if (choice < 0.3) await join();
    else if (choice < 0.5) await changeMember();
    else if (choice < 0.65) await changeWhole();
    else if (choice < 0.75) await changePersona();
    else await money();
  }

  /** Processes due work in both, and compares them. */
  async function agree(what: string): Promise<void> {
    await house.settle(workspaceId);
    for (const { id, networkHandle } of await reads.find(companies, {
      where: { workspaceId },
    })) {
      if (networkHandle !== null) ids.set(networkHandle, id);
    }
    model.at(house.now().getTime());
    const names = new Map([...ids].map(([handle, id]) => [id, handle]));
    const nameOf = (companyId: unknown): string => names.get(Number(companyId)) ?? String(companyId);
    const units = await reads.find(monitoredUnits, { where: { workspaceId } });
    const shown = units.map(({ companyId, personaId, status, lapsesAt, coveredUntil }) =>
      [nameOf(companyId), personaId, status, ms(lapsesAt), ms(coveredUntil)].join(' '),
    );
    const expected = [...model.units.values()].map(({ company, persona, lapses, refused, until }) => {
      const status = lapses === null ? 'stopped' : refused ? 'not_covered' : 'monitored';
      return [company, persona, status, String(lapses), String(until)].join(' ');
    });
    expect([what, shown.sort()]).toEqual([what, expected.sort()]);
    const paid: string[] = [];
    for (const { type, data } of await eventsOf(house.events, `credits-${workspaceId}`)) {
      if (type !== 'CreditsHeld') continue;
      const { companyId, personaId, from, until } = data['cause'] as { [name: string]: unknown };
      const amount = Number(data['credits']) / 1_000_000;
      paid.push([nameOf(companyId), personaId, amount, ms(from), ms(until)].join(' '));
    }
    expect([what, paid]).toEqual([what, model.paid]);
    const wanted = [...model.units.values()].filter(({ lapses }) => lapses !== null);
    const without = wanted.filter(({ refused }) => refused);
    const price = model.price ?? 0;
    const summary = await monitoringSummary(reads, workspaceId, null, house.now());
    expect([
      what,
      summary?.monitored,
      summary?.notCovered,
      ms(summary?.notCoveredSince ?? null),
      summary?.shortfallCredits,
      toStored(summary?.price ?? -1n),
    ]).toEqual([
      what,
      wanted.length - without.length,
      without.length,
      without.length === 0 ? 'null' : String(Math.min(...without.map(({ lapses }) => lapses ?? Infinity))),
      Math.max(0, price * without.length - model.balance),
      toStored(credits(price)),
    ]);
  }
  return { model, step, agree, newPersona };
}

const ms = (instant: unknown): string => (typeof instant === 'string' ? String(Date.parse(instant)) : 'null');

describe('24 months of monitored accounts', () => {
  for (const seed of SEEDS) {
    it(`OP-26 OP-27 MON-61 follow the rules, after every step (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      await house.price(5);
      const { model, step, agree, newPersona } = await twoWorkspaces(random);
      await newPersona();
      await newPersona();
      const end = house.now().getTime() + MONTHS_MS;
      for (let steps = 0; house.now().getTime() < end; steps += 1) {
        for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) await step();
        await agree(`step ${steps}`);
        // There are many hours in which something waits: a sample of them is enough.
        const isWaiting = model.retryAt !== null;
        const pause = isWaiting ? random() * 1.5 * HOUR_MS : random() * 25 * 24 * HOUR_MS;
        const until = house.now().getTime() + Math.round(pause);
        for (let next = model.next(); next <= until && house.now().getTime() < end; next = model.next()) {
          house.moveTo(next);
          await agree(`step ${steps}, by itself`);
          if (model.retryAt !== null) break;
        }
        if (model.retryAt === null && house.now().getTime() < until) house.moveTo(until);
      }
      expect(model.paid.length).toBeGreaterThan(10);
    });
  }
});
