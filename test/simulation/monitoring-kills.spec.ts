import { changeList } from '#lists/domain/lists/list.js';
import { removeMember, setTracking } from '#lists/domain/lists/list-members.js';
import { setListMonitoring, setMemberMonitoring, ESSENTIAL } from '#lists/domain/lists/list-monitoring.js';
import { verifyMonitoring } from '#monitoring/verify-monitoring.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { soon, eventsOf } from '../support/event-stores.js';
import { killedAt, killedPoints } from '../support/killed-points.js';
import { lifeUntil, type Life } from '../support/mortal.js';
import { pickerOf, seededRandom } from '../support/seeded-random.js';
import { openMonitoringHouse, type MonitoringHouse } from './monitoring-house.js';
import { shared } from '../support/late.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const house = shared('the house', openMonitoringHouse);

/** A workspace with this many accounts on a list that is monitored for one business unit, not processed yet. */
async function monitored(accounts: number, creditsGranted: number) {
  const workspaceId = await house.workspace({ mode: 'self' }, creditsGranted);
  await house.persona(workspaceId);
  const listId = await house.list(workspaceId);
  await house.join(
    workspaceId,
    listId,
    Array.from({ length: accounts }, (_, index) => `account-${index}`),
  );
  await house.changeList(workspaceId, listId, setListMonitoring(ESSENTIAL));
  return { workspaceId, listId };
}

/** Charge keys of the paid months, in the order of the ledger. */
async function paidKeys(workspaceId: number): Promise<readonly string[]> {
  const entries = await eventsOf(house.events, `credits-${workspaceId}`);
  return entries.flatMap(({ type, data }) => (type === 'CreditsCaptured' ? [String(data['key'])] : []));
}

type PaidMonth = { readonly key: string; readonly from: string; readonly until: string };

/**
 * The months in the ledger by account and business unit, in the order of their beginning: each captured once and
 * never released.
 */
async function monthsPaid(workspaceId: number): Promise<ReadonlyMap<string, readonly PaidMonth[]>> {
  const months = new Map<string, PaidMonth[]>();
  const ends: string[] = [];
  const keys: string[] = [];
  for (const { type, data } of await eventsOf(house.events, `credits-${workspaceId}`)) {
    if (type === 'CreditsCaptured' || type === 'CreditsReleased') ends.push(`${type} ${String(data['key'])}`);
    if (type !== 'CreditsHeld') continue;
    const cause = data['cause'] as { [name: string]: unknown };
    const unit = `${String(cause['companyId'])}:${String(cause['personaId'])}`;
    const key = String(data['key']);
    keys.push(key);
    const month = { key, from: String(cause['from']), until: String(cause['until']) };
    months.set(unit, [...(months.get(unit) ?? []), month]);
  }
  expect(new Set(keys).size).toBe(keys.length);
  expect(ends.sort()).toEqual(keys.map((key) => `CreditsCaptured ${key}`).sort());
  return new Map(
    [...months].map(([unit, of]) => [unit, of.sort((one, other) => (one.from < other.from ? -1 : 1))]),
  );
}

/** No account and business unit has two paid months for the same time, and each has its own key. */
async function expectPaidOnce(workspaceId: number): Promise<number> {
  const months = await monthsPaid(workspaceId);
  for (const [unit, paid] of months) {
    for (const [index, { key, from, until }] of paid.entries()) {
      expect(key).toBe(`monitoring:${unit}:${from.slice(0, 7)}`);
      const next = paid[index + 1];
      if (next !== undefined) expect([unit, from, next.from >= until]).toEqual([unit, from, true]);
    }
  }
  return [...months.values()].flat().length;
}

/** A worker that stands still at one of its points until it is released; it is not dead. */
function lifeThatRests(at: number): {
  readonly life: Life;
  readonly resting: Promise<void>;
  readonly goOn: () => void;
} {
  let [goOn, rest] = [(): void => undefined, (): void => undefined];
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const resting = new Promise<void>((resolve) => (rest = resolve));
  const { step, ...life } = lifeUntil(Infinity);
  let points = 0;
  const pass = async (): Promise<void> => {
    points += 1;
    if (points !== at) return;
    rest();
    await gate;
  };
  return {
    life: {
      ...life,
      async step(call) {
        await pass();
        const result = await step(call);
        await pass();
        return result;
      },
    },
    resting,
    goOn,
  };
}

/** Processes everything due once, dying with the life; true if it died. */
async function actUntil(workspaceId: number, life: Life): Promise<boolean> {
  const worker = house.worker(life);
  const work = async (): Promise<'done'> => {
    for (const [process, item] of await house.due(workspaceId)) await house.act(process, item, worker);
    return 'done';
  };
  return (await soon('a worker', Promise.race([work(), life.death]))) === 'died';
}

describe('monitoring and the death of a worker', () => {
  it('P14 MON-50 MON-52 each month is paid once, wherever a worker dies, and whichever worker continues', async () => {
    await killedAt({
      morePointsThan: 20,
      pointsOf: (points) => killedPoints(points, 3),
      begin: async () => (await monitored(2, 100)).workspaceId,
      async workUntil(workspaceId, fatalPoint) {
        // The first step has what is followed, the second what is paid.
        const life = lifeUntil(fatalPoint);
        let died = false;
        for (let step = 0; step < 3 && !died; step += 1) died = await actUntil(workspaceId, life);
        return { died, points: life.points() };
      },
      async finish(workspaceId) {
        await Promise.all([
          actUntil(workspaceId, lifeUntil(Infinity)),
          actUntil(workspaceId, lifeUntil(Infinity)),
        ]);
        await house.settle(workspaceId);
      },
      async check(workspaceId) {
        const keys = await paidKeys(workspaceId);
        expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
      },
    });
  });

  it('P14 MON-54 OP-27 no time is paid twice in 720 hours of deaths, two workers, top-ups, prices, and changing lists and personas', async () => {
    const random = seededRandom(14);
    const { workspaceId, listId } = await monitored(3, 0);
    const personaId = await house.persona(workspaceId);
    const otherId = await house.list(workspaceId);
    const members = [
      ...(await house.join(workspaceId, otherId, ['account-0', 'account-9', 'account-8', 'account-7'])),
    ];
    const one = pickerOf(random);
    const perhaps = async (odds: number, change: () => Promise<void>): Promise<void> => {
      if (random() < odds) await change();
    };
    const change = (decision: Parameters<MonitoringHouse['changeList']>[2], list = otherId): Promise<void> =>
      house.changeList(workspaceId, list, decision);
    const now = (): string => house.now().toISOString();
    let [granted, deaths, waits, isArchived] = [0, 0, 0, false];
    await house.price(5);
    for (let hours = 0; hours < 720; hours += 1) {
      house.advance(HOUR_MS);
      await perhaps(0.06, () => house.price(one([4, 5, 7, null])));
      await perhaps(0.06, () =>
        change(setListMonitoring(random() < 0.7 ? ESSENTIAL : null), one([listId, otherId])),
      );
      await perhaps(0.05, () =>
        change(setMemberMonitoring(one(members.slice(0, 3)), random() < 0.6 ? 'essential' : 'off')),
      );
      await perhaps(0.05, () =>
        change(setTracking(one(members.slice(0, 3)), random() < 0.6 ? 'followed' : 'unfollowed')),
      );
      await perhaps(0.03, () => change(changeList({ changes: {}, archived: random() < 0.4, now: now() })));
      await perhaps(0.03, () => {
        isArchived = !isArchived;
        return house.archivePersona(workspaceId, personaId, isArchived);
      });
      // A removed company comes back as another member.
      if (hours === 400) await change(removeMember({ memberId: members[3] ?? 0, source: 'api', now: now() }));
      if (hours === 402) members[3] = (await house.join(workspaceId, otherId, ['account-7']))[0] ?? 0;
      const life = (): Life => lifeUntil(1 + Math.floor(random() * 60));
      const amount = random() < 0.02 ? 1 + Math.floor(random() * 6) : 0;
      granted += amount;
      const [first, second] = await Promise.all([
        actUntil(workspaceId, life()),
        actUntil(workspaceId, life()),
        amount === 0 ? null : house.grant(workspaceId, amount),
      ]);
      deaths += Number(first) + Number(second);
      await house.settle(workspaceId);
      const uncovered = { workspaceId, status: 'not_covered' };
      waits += (await house.reads.count(monitoredUnits, { where: uncovered })) > 0 ? 1 : 0;
      if (hours % 90 === 0) {
        const { operator, events, reads } = house;
        const clock = { now: house.now };
        const host = { commands: operator.commands, eventStore: events, readModels: reads, clock };
        expect((await verifyMonitoring(host, workspaceId)).differences).toEqual([]);
        await expectPaidOnce(workspaceId);
      }
    }
    const paid = await expectPaidOnce(workspaceId);
    // Workers died in the middle, accounts waited for credits, and months were still paid.
    expect([deaths > 300, waits > 300, paid > 3]).toEqual([true, true, true]);
    expect(granted).toBeGreaterThan(20);
  });

  it('P14 a worker that stood still across the end of a calendar month pays no month that another one has paid since', async () => {
    await house.price(5);
    let stood = 0;
    for (let point = 1; ; point += 2) {
      // A month of the 31st, half an hour before midnight: it ends half an hour before the first of a month.
      const [year, month] = [house.now().getUTCFullYear(), house.now().getUTCMonth()];
      const long = [0, 1, 2].map((ahead) => new Date(Date.UTC(year, month + 1 + ahead, 31, 23, 30)));
      const start = long.find((day) => day.getUTCDate() === 31) ?? new Date(0);
      house.moveTo(start.getTime());
      const { workspaceId } = await monitored(2, 100);
      await house.settle(workspaceId);
      const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 2, 0, 23, 30);
      house.moveTo(end);
      const { life, resting, goOn } = lifeThatRests(point);
      const working = actUntil(workspaceId, life);
      const isOver = await Promise.race([working.then(() => true), resting.then(() => false)]);
      if (isOver) break;
      stood += 1;
      house.moveTo(end + 61 * 60_000);
      await house.settle(workspaceId);
      goOn();
      await working;
      await house.settle(workspaceId);
      expect([point, await expectPaidOnce(workspaceId)]).toEqual([point, 4]);
    }
    expect(stood).toBeGreaterThan(5);
  });

  it('OP-27 a worker that was down for three months charges one month of each', async () => {
    await house.price(5);
    const { workspaceId } = await monitored(3, 1_000);
    await house.settle(workspaceId);
    house.advance(100 * DAY_MS);
    await house.settle(workspaceId);
    expect(await paidKeys(workspaceId)).toHaveLength(6);
    house.advance(20 * DAY_MS);
    await house.settle(workspaceId);
    expect(await paidKeys(workspaceId)).toHaveLength(6);
  });
});
