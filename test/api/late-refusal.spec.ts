import {
  EnrichCompanyMapping,
  type EnrichCompanyMappingBody,
  EnrichCompanyMappingHandler,
} from '#apps/api/src/accounts/company-mappings/enrich-company-mapping.command.js';
import type { Commands } from '#kernel/commands/commands.js';
import { insufficientCredits } from '#ledger/domain/credit-account.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

/** Identifiers without observations: each is a company that the call registers. */
let companies = 0;
const newDomain = (): string => `late-${(companies += 1)}.example`;

describe('an enrichment whose credits are spent after the check', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  async function workspaceOf(credits: number): Promise<TestWorkspace> {
    const workspace = await service.workspace({ credits });
    await workspace.call('POST /api/v2/personas', { job_title: ['sales'], location: ['France'] });
    return workspace;
  }

  /** Calls with a balance that is sufficient at the check, and spent at the hold. */
  async function callLate({ id: workspaceId }: TestWorkspace, body: EnrichCompanyMappingBody): Promise<void> {
    const { commands, ids, readModels, clock, network } = service.service.host;
    let isGone = false;
    const meanwhile: Commands = {
      ...commands,
      async handle(decider, ...about) {
        if (decider.category === 'mappingDay' && !isGone) {
          isGone = true;
          const withdrawal = { workspace_id: workspaceId, credits: 1, reason: 'elsewhere' };
          expect((await service.ops('credits.withdraw', withdrawal)).status).toBe(200);
        }
        return commands.handle(decider, ...about);
      },
    };
    const settings = { networkBaseUrl: service.settings.networkBaseUrl };
    const handler = Reflect.construct(EnrichCompanyMappingHandler, [
      meanwhile,
      ids,
      readModels,
      clock,
      network.directory,
      settings,
    ]);
    const commandId = `late-${workspaceId}-${JSON.stringify(body)}`;
    const call = new EnrichCompanyMapping({
      requestId: commandId,
      workspaceId,
      apiKeyId: 1,
      mediaType: null,
      isReadOnly: false,
      headers: {},
      lastEventId: null,
      params: {},
      query: {},
      body,
      context: { commandId, actor: { kind: 'system', id: 'test' }, workspaceId, correlationId: commandId },
    });
    await expect(handler.execute(call)).rejects.toMatchObject({ declaration: insufficientCredits });
    expect(isGone).toBe(true);
  }

  /** The company that such a call has registered by its domain. */
  async function refusedLate(workspace: TestWorkspace, domain: string): Promise<number> {
    const { eventStore } = service.service.host;
    const before = await eventStore.head();
    await callLate(workspace, { domain });
    for await (const { events } of eventStore.readAll({ after: before }))
      for (const { type, data } of events) if (type === 'CompanyRegistered') return Number(data['companyId']);
    throw new Error('the call registered no company');
  }

  /** The answers about a company on all routes. */
  async function seenAs(workspace: TestWorkspace, companyId: number, domain: string) {
    await service.ops('work.drain');
    const config = { pipeline_configs: [{ pipeline_type: 'account_mapping', configuration: 'disabled' }] };
    const answers = await Promise.all([
      workspace.call(`GET /api/v2/companies/${companyId}`),
      workspace.call(`PUT /api/v2/companies/${companyId}/pipeline-configs`, config),
      workspace.call(`GET /api/v2/content-requests?company_id=${companyId}`),
      workspace.call(`GET /api/v2/content-requests?company_domain=${domain}`),
      workspace.call('POST /api/v2/workspace/signals/query', { company_id: companyId }),
      workspace.call('POST /api/v2/enrich-company-mapping', { company_id: companyId }),
    ]);
    return answers.map(({ status }) => status);
  }

  it('OP-56 INV-07 leaves a company that no route shows, and nothing launched or held', async () => {
    const workspace = await workspaceOf(1);
    const domain = newDomain();
    const companyId = await refusedLate(workspace, domain);
    expect(await seenAs(workspace, companyId, domain)).toEqual([404, 404, 404, 404, 404, 404]);
    const { body: requests } = await workspace.call('GET /api/v2/content-requests');
    const { body: usage } = await workspace.call('GET /api/v3/usage');
    const { body: balance } = await workspace.call('GET /api/v3/credits/balance');
    expect([requests.data, usage.data, balance.data.held]).toEqual([[], [], 0]);
  });

  it('OP-56 shows the company once a call about it is launched, with its id', async () => {
    const workspace = await workspaceOf(1);
    const domain = newDomain();
    const companyId = await refusedLate(workspace, domain);
    const { status } = await workspace.call('POST /api/v2/enrich-company-mapping', { domain });
    expect(status).toBe(402);
    await service.ops('credits.grant', { workspace_id: workspace.id, credits: 5, reason: 'more' });
    const { body: launched } = await workspace.call('POST /api/v2/enrich-company-mapping', { domain });
    const { body: stage } = await workspace.call(`GET /api/v2/account-mapping/${launched.request_id}/stage`);
    expect(stage.company_id).toBe(companyId);
    expect(await seenAs(workspace, companyId, domain)).toEqual([200, 200, 200, 200, 200, 202]);
  });

  it('OP-56 shows the company once something else names it', async () => {
    const workspace = await workspaceOf(1);
    const [domain, other] = [newDomain(), newDomain()];
    const companyId = await refusedLate(workspace, domain);
    await service.ops('credits.grant', { workspace_id: workspace.id, credits: 1, reason: 'more' });
    const handleLater = await refusedLate(workspace, other);
    const detection = { workspace_id: workspace.id, signal_type: 'newJob', company_domain: domain };
    expect((await service.ops('detection.add', detection)).status).toBe(200);
    expect((await workspace.call(`GET /api/v2/companies/${companyId}`)).status).toBe(200);
    // Also by its handle, which was unknown when it was registered by its domain.
    await service.ingest([{ kind: 'company', ref: `c:${other}`, handle: 'late-handle', domains: [other] }]);
    await service.ops('credits.grant', { workspace_id: workspace.id, credits: 1, reason: 'more' });
    const linked = await service.eventsOf(() => callLate(workspace, { network_handle: 'late-handle' }));
    expect(linked).toContain('IdentityLinked');
    expect((await workspace.call(`GET /api/v2/companies/${handleLater}`)).status).toBe(404);
    const account = { network_url: 'https://www.network.example/company/late-handle' };
    await workspace.call('POST /api/v2/top-account-list/accounts', { accounts: [account] });
    await service.ops('work.drain');
    const { status: shown, body } = await workspace.call(`GET /api/v2/companies/${handleLater}`);
    expect([shown, body.network_handle]).toEqual([200, 'late-handle']);
  });
});
