import { setTimeout } from 'node:timers/promises';
import { block, unblock, workspace } from '#access/domain/workspaces/workspace.js';
import { credits } from '#kernel/values/credits.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { adjust } from '#ledger/domain/post-credits.js';
import type { ProcessHost } from '#process-engine/process.js';
import { monitoredUnits } from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import { furnishAccounts, submitted, workOffAccounts } from '../support/account-scene.js';
import { seededRandom } from '../support/seeded-random.js';
import { openMonitoringHouse } from './monitoring-house.js';
import { workerBefore } from '../support/worker-before.js';
import { shared } from '../support/late.js';
import { eventsOf } from '../support/event-stores.js';

const HOUR_MS = 3_600_000;
const MONTH = 5;
/** A mapping of the account with its two people. */
const MAPPING = 3;
const WORKSPACES = 6;

const house = shared('the house', openMonitoringHouse);
beforeAll(async () => {
  await furnishAccounts(house);
  await house.price(MONTH);
});

/** A workspace with this many uncovered months, and a waiting mapping. */
async function waiting(months: number): Promise<number> {
  const workspaceId = await submitted(house, 0, ['acme']);
  await house.monitorAccounts(workspaceId, months);
  await house.settle(workspaceId);
  await workOffAccounts(house, workspaceId);
  expect(await charged(workspaceId)).toEqual([]);
  return workspaceId;
}

/** Charges by product or by the company of a month, in the order of the ledger. */
async function charged(workspaceId: number): Promise<readonly string[]> {
  const entries = await eventsOf(house.events, `credits-${workspaceId}`);
  return entries.flatMap(({ type, data }) => (type === 'CreditsHeld' ? [String(data['product'])] : []));
}

/** A worker that calls `happens` once, right before it reads due months. */
function workerBeforeLook(happens: () => Promise<unknown>): ProcessHost {
  const host = house.worker();
  let isOver = false;
  const find: ProcessHost['readModels']['find'] = async (view, query) => {
    if (!isOver && view.name === monitoredUnits.name) {
      isOver = true;
      await happens();
    }
    return host.readModels.find(view, query);
  };
  const readModels = new Proxy(host.readModels, {
    get: (target, name) => (name === 'find' ? find : Reflect.get(target, name, target)),
  });
  return { ...host, readModels };
}

it('OP-27 a grant pays for uncovered months first, also if pipelines notice it first', async () => {
  const workspaceId = await waiting(2);
  await house.grant(workspaceId, 2 * MONTH);
  await workOffAccounts(house, workspaceId);
  expect(await charged(workspaceId)).toEqual(['account_monitoring', 'account_monitoring']);
  await house.grant(workspaceId, MAPPING);
  await workOffAccounts(house, workspaceId);
  expect(await charged(workspaceId)).toContain('account_mapping');
});

it('OP-27 the same if the grant comes right before a mapping is paid for', async () => {
  const workspaceId = await waiting(1);
  await house.grant(workspaceId, MAPPING);
  const grant = () => house.grant(workspaceId, MONTH - MAPPING);
  await workOffAccounts(house, workspaceId, workerBefore(house.worker(), /:pay:hold-/, grant));
  expect(await charged(workspaceId)).toEqual(['account_monitoring']);
});

it('OP-27 the same if the grant expires some day', async () => {
  const workspaceId = await waiting(1);
  await house.grant(workspaceId, MAPPING);
  const grant = () => house.grant(workspaceId, MONTH - MAPPING, '2030-01-01T00:00:00.000Z');
  await workOffAccounts(house, workspaceId, workerBefore(house.worker(), /:pay:hold-/, grant));
  expect(await charged(workspaceId)).toEqual(['account_monitoring']);
});

it('OP-27 the same if an adjustment adds credits that expire some day', async () => {
  const workspaceId = await waiting(1);
  await house.grant(workspaceId, MAPPING);
  const terms = { expiresAt: '2030-01-01T00:00:00.000Z', priority: 50, promotional: false };
  const added = async () => {
    const movementId = 900_000;
    const wanted = { movementId, credits: credits(MONTH - MAPPING), reason: 'lost' };
    await house.decide(workspaceId, creditAccount, String(workspaceId), adjust(wanted, terms));
  };
  await workOffAccounts(house, workspaceId, workerBefore(house.worker(), /:pay:hold-/, added));
  expect(await charged(workspaceId)).toEqual(['account_monitoring']);
});

it('OP-27 the same after a block during which months were refused', async () => {
  const workspaceId = await waiting(1);
  const decide = (decision: ReturnType<typeof block>) =>
    house.decide(workspaceId, workspace, String(workspaceId), decision);
  await decide(block('unpaid'));
  house.advance(HOUR_MS);
  await house.settle(workspaceId);
  await house.grant(workspaceId, MONTH);
  await house.settle(workspaceId);
  await decide(unblock('paid'));
  await workOffAccounts(house, workspaceId);
  expect(await charged(workspaceId)).toEqual(['account_monitoring']);
});

it('OP-27 a grant during the read of due months pays for uncovered months first', async () => {
  const workspaceId = await waiting(1);
  await house.monitorAccounts(workspaceId, 1);
  await house.settle(
    workspaceId,
    workerBeforeLook(() => house.grant(workspaceId, MONTH)),
  );
  const uncovered = await house.reads.find(monitoredUnits, {
    where: { workspaceId, status: 'not_covered' },
  });
  const [first, second] = await house.reads.find(monitoredUnits, {
    where: { workspaceId },
    sort: [['companyId', 'asc']],
  });
  expect(first).toMatchObject({ status: 'monitored' });
  expect(uncovered).toEqual([second]);
});

/** A worker that pauses before each command, up to this many milliseconds. */
function hesitating(mostMs: number): ProcessHost {
  const host = house.worker();
  const random = seededRandom(mostMs);
  const hesitate = () => setTimeout(Math.floor(random() * mostMs));
  const commands: ProcessHost['commands'] = {
    ...host.commands,
    async handle(...asked) {
      await hesitate();
      return host.commands.handle(...asked);
    },
    async load(...asked) {
      await hesitate();
      return host.commands.load(...asked);
    },
  };
  return { ...host, commands };
}

it.each([
  { slow: 'months', pipelinesMs: 1, monthsMs: 20 },
  { slow: 'pipelines', pipelinesMs: 20, monthsMs: 1 },
])(
  'OP-27 the same in many workspaces at once, with a worker for pipelines and one for months, of which $slow is slow',
  async ({ pipelinesMs, monthsMs }) => {
    const workspaceIds: number[] = [];
    for (let count = 0; count < WORKSPACES; count += 1) workspaceIds.push(await waiting(2));
    const [pipelines, months] = [hesitating(pipelinesMs), hesitating(monthsMs)];
    const workOff = (workspaceId: number) =>
      Promise.all([workOffAccounts(house, workspaceId, pipelines), house.settle(workspaceId, months)]);
    await Promise.all(workspaceIds.map((workspaceId) => house.grant(workspaceId, 2 * MONTH)));
    await Promise.all(workspaceIds.map(workOff));
    for (const workspaceId of workspaceIds)
      expect(await charged(workspaceId)).toEqual(['account_monitoring', 'account_monitoring']);
    await Promise.all(workspaceIds.map((workspaceId) => house.grant(workspaceId, MAPPING)));
    await Promise.all(workspaceIds.map(workOff));
    for (const workspaceId of workspaceIds) expect(await charged(workspaceId)).toContain('account_mapping');
  },
);
