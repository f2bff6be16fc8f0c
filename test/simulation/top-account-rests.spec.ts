import { workspaceScoped } from '#kernel/commands/decider.js';
import { company, configurePipelines } from '#identities/domain/companies/company.js';
import { removeTopAccount, topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { block, unblock, workspace } from '#access/domain/workspaces/workspace.js';
import type { ProcessHost } from '#process-engine/process.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import {
  expectMappedOnce,
  fundsOf,
  furnishAccounts,
  pipelinesOf,
  recordedIn,
  submitted,
  workOffAccounts,
  workUntilAfter,
} from '../support/account-scene.js';
import { sharedHouse } from '../support/signal-house.js';
import { workerBefore } from '../support/worker-before.js';

const GRANTED = 10;
const ACCOUNT_MAPPING = 'account_mapping';

describe('changes while the pipelines of top accounts are about to pause', () => {
  const house = sharedHouse(furnishAccounts);

  async function companiesOf(workspaceId: number): Promise<readonly number[]> {
    const { of } = await recordedIn(house, workspaceId);
    return of('TopAccountFound').map(({ companyId }) => Number(companyId));
  }

  async function switchMapping(workspaceId: number, configuration: 'enabled' | 'disabled'): Promise<void> {
    for (const companyId of await companiesOf(workspaceId)) {
      const switched = configurePipelines(companyId, new Map([[ACCOUNT_MAPPING, configuration]]));
      await house.decide(workspaceId, company, workspaceScoped(workspaceId, companyId), switched);
    }
  }

  /** Accounts with planned requests, whose mapping is then switched off. */
  async function switchedOff(handles: readonly string[] = ['acme', 'nobody']): Promise<number> {
    const workspaceId = await submitted(house, GRANTED, handles);
    await workUntilAfter(house, workspaceId, /^pipelines:\d+:plan:/);
    await switchMapping(workspaceId, 'disabled');
    return workspaceId;
  }

  async function expectNothingRests(workspaceId: number): Promise<void> {
    expect(await pipelinesOf(house, workspaceId)).toMatchObject({ open: 0, paused: null, dueAt: null });
  }

  it('OP-62 a pipeline that is switched on before the pause is recorded is processed', async () => {
    const workspaceId = await switchedOff();
    await workOffAccounts(
      house,
      workspaceId,
      workerBefore(house.worker(), /:rest$/, () => switchMapping(workspaceId, 'enabled')),
    );
    await expectMappedOnce(house, workspaceId, GRANTED);
  });

  it('OP-62 a pipeline that a read model still shows as switched off is processed', async () => {
    const workspaceId = await switchedOff();
    await workOffAccounts(house, workspaceId);
    expect(await pipelinesOf(house, workspaceId)).toMatchObject({ open: 2, dueAt: null });
    const host = house.worker();
    const before = await host.readModels.find(companies, { where: { workspaceId } });
    await switchMapping(workspaceId, 'enabled');
    const stale = new Map(before.map((document) => [companyKey(document.id), document]));
    const readModels: ProcessHost['readModels'] = {
      ...host.readModels,
      getMany: async (view, keys) =>
        view.name === companies.name
          ? new Map(keys.map((key) => [key, stale.get(key) as never]))
          : host.readModels.getMany(view, keys),
    };
    await workOffAccounts(house, workspaceId, { ...host, readModels });
    await workOffAccounts(house, workspaceId);
    await expectMappedOnce(house, workspaceId, GRANTED);
  });

  it('OP-52 credits granted before the pause is recorded are used at once', async () => {
    const workspaceId = await submitted(house, 2);
    await workOffAccounts(
      house,
      workspaceId,
      workerBefore(house.worker(), /:pause:\d+$/, () => house.grant(workspaceId, GRANTED - 2)),
    );
    await expectMappedOnce(house, workspaceId, GRANTED);
  });

  it('OP-52 the same while the workspace is blocked and unblocked', async () => {
    const workspaceId = await submitted(house, 2);
    const decide = (decision: ReturnType<typeof block>) =>
      house.decide(workspaceId, workspace, String(workspaceId), decision);
    await workOffAccounts(
      house,
      workspaceId,
      workerBefore(house.worker(), /:pause:\d+$/, async () => {
        await decide(block('unpaid'));
        await house.grant(workspaceId, GRANTED - 2);
        await decide(unblock('paid'));
      }),
    );
    await expectMappedOnce(house, workspaceId, GRANTED);
  });

  it('OP-57 a waiting request ends when its account is removed from the list', async () => {
    const workspaceId = await switchedOff(['acme']);
    await workOffAccounts(house, workspaceId);
    expect(await pipelinesOf(house, workspaceId)).toMatchObject({ open: 1, dueAt: null });
    const { of } = await recordedIn(house, workspaceId);
    const remove = removeTopAccount({
      accountId: Number(of('TopAccountFound')[0]?.['accountId']),
      now: house.now().toISOString(),
    });
    await house.decide(workspaceId, topAccounts, String(workspaceId), remove);
    await workOffAccounts(house, workspaceId);
    await expectNothingRests(workspaceId);
    expect((await fundsOf(house, workspaceId)).open).toBe(0);
  });
});
