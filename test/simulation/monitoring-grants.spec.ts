import { changeList } from '#lists/domain/lists/list.js';
import { block, provision, unblock, workspace } from '#access/domain/workspaces/workspace.js';
import type { ProcessHost } from '#process-engine/process.js';
import { companies } from '#projections/identities/companies/companies.projection.js';
import { monitoringWork } from '#projections/monitoring/monitoring-work/monitoring-work.projection.js';
import { openMonitoringHouse } from './monitoring-house.js';
import { workerBefore } from '../support/worker-before.js';
import { shared } from '../support/late.js';
import { eventsOf } from '../support/event-stores.js';
import { moment } from '../support/moment.js';

const house = shared('the house', openMonitoringHouse);

/** A workspace with these accounts on a monitored list, not processed yet. */
async function monitored(accounts: number, creditsGranted: number): Promise<number> {
  const workspaceId = await house.workspace({ mode: 'self' }, creditsGranted);
  const provisioning = { name: 'Test', topAccountListId: 1, employeeListId: 1, trialQuota: null };
  await decide(workspaceId, provision({ ...provisioning, accountMapping: false }));
  await house.persona(workspaceId);
  await house.monitorAccounts(workspaceId, accounts);
  return workspaceId;
}

const decide = (workspaceId: number, decision: ReturnType<typeof block>): Promise<void> =>
  house.decide(workspaceId, workspace, String(workspaceId), decision);

async function paidMonths(workspaceId: number): Promise<number> {
  const entries = await eventsOf(house.events, `credits-${workspaceId}`);
  return entries.filter(({ type }) => type === 'CreditsCaptured').length;
}

const PRICE = 5;
const HOUR_MS = 3_600_000;
const REFUSED = /:refuse:/;

describe('credits that are granted while months are refused', () => {
  beforeAll(() => house.price(PRICE));

  it('OP-27 pay at once, also if nothing was refused before', async () => {
    const workspaceId = await monitored(2, PRICE);
    await house.settle(
      workspaceId,
      workerBefore(house.worker(), REFUSED, () => house.grant(workspaceId, PRICE)),
    );
    expect(await paidMonths(workspaceId)).toBe(2);
  });

  it('OP-27 do not shorten the wait if they came before the refusal', async () => {
    const workspaceId = await monitored(2, PRICE);
    await house.grant(workspaceId, 1);
    await house.settle(workspaceId);
    expect(await paidMonths(workspaceId)).toBe(1);
    const work = await house.reads.find(monitoringWork, { where: { workspaceId } });
    expect(work).toMatchObject([{ refusals: 1, retryDueAt: expect.stringMatching(/T13:/) }]);
  });

  it('OP-27 pay at once for months refused before, while others were retried', async () => {
    const workspaceId = await monitored(1, 0);
    await house.settle(workspaceId);
    await house.monitorAccounts(workspaceId, 1);
    await act(workspaceId, 'follow-monitored-lists', house.worker());
    const tried = moment();
    const refused = moment();
    let retrying = Promise.resolve();
    // Another worker retries earlier refusals with the new credits; this one refuses the second account meanwhile.
    const renewing = workerBefore(house.worker(), REFUSED, async () => {
      await house.grant(workspaceId, 2 * PRICE);
      const other = workerBefore(house.worker(), /:retried$/, async () => {
        tried.resolve();
        await refused.promise;
      });
      retrying = act(workspaceId, 'retry-account-monitoring', other);
      await tried.promise;
    });
    await act(workspaceId, 'renew-account-monitoring', renewing);
    refused.resolve();
    await retrying;
    await house.settle(workspaceId);
    expect(await paidMonths(workspaceId)).toBe(2);
  });

  it('OP-27 a workspace that is unblocked before the refusal is recorded pays at once', async () => {
    const workspaceId = await monitored(1, PRICE);
    await decide(workspaceId, block('unpaid'));
    await house.settle(
      workspaceId,
      workerBefore(house.worker(), REFUSED, () => decide(workspaceId, unblock('paid'))),
    );
    expect(await paidMonths(workspaceId)).toBe(1);
  });
});

describe('an hourly retry that does not try a unit', () => {
  beforeAll(() => house.price(PRICE));

  async function uncovered() {
    const workspaceId = await monitored(1, 0);
    await house.settle(workspaceId);
    const [work] = await house.reads.find(monitoringWork, { where: { workspaceId } });
    return { workspaceId, listId: work?.listIds[0] ?? 0, retryAt: Date.parse(work?.retryAt ?? '') };
  }

  const archive = (workspaceId: number, listId: number, archived: boolean): Promise<void> =>
    house.changeList(
      workspaceId,
      listId,
      changeList({ changes: {}, archived, now: house.now().toISOString() }),
    );

  it('OP-27 MON-54 is repeated after an hour if the list of the unit was archived for a moment', async () => {
    const { workspaceId, listId, retryAt } = await uncovered();
    house.moveTo(retryAt);
    await archive(workspaceId, listId, true);
    await act(workspaceId, 'retry-account-monitoring', house.worker());
    await archive(workspaceId, listId, false);
    await house.settle(workspaceId);
    expect(await house.reads.find(monitoringWork, { where: { workspaceId } })).toMatchObject([
      { retryDueAt: new Date(retryAt + HOUR_MS).toISOString() },
    ]);
  });

  it('OP-27 MON-54 is repeated after an hour if the read model does not show the company of the unit yet', async () => {
    const { workspaceId, retryAt } = await uncovered();
    house.moveTo(retryAt);
    const { readModels, ...host } = house.worker();
    const getMany: ProcessHost['readModels']['getMany'] = async (view, keys) =>
      view.name === companies.name ? new Map() : readModels.getMany(view, keys);
    const early = { ...host, readModels: { ...readModels, getMany } };
    await act(workspaceId, 'retry-account-monitoring', early);
    await house.settle(workspaceId);
    expect(await house.reads.find(monitoringWork, { where: { workspaceId } })).toMatchObject([
      { retryDueAt: new Date(retryAt + HOUR_MS).toISOString() },
    ]);
  });

  it('OP-27 is the last one if no unit is requested any more', async () => {
    const { workspaceId, listId, retryAt } = await uncovered();
    house.moveTo(retryAt);
    await archive(workspaceId, listId, true);
    await house.settle(workspaceId);
    expect(await house.reads.find(monitoringWork, { where: { workspaceId } })).toMatchObject([
      { retryDueAt: null },
    ]);
  });
});

/** Processes the due work of this process in this workspace. */
async function act(workspaceId: number, name: string, worker: ProcessHost): Promise<void> {
  const due = await house.due(workspaceId);
  const [process, item] = due.find(([{ name: its }]) => its === name) ?? [];
  if (process === undefined || item === undefined) throw new Error(`nothing is due of ${name}`);
  await house.act(process, item, worker);
}
