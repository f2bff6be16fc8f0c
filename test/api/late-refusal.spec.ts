import {
  enrichCompanyMapping,
  type EnrichCompanyMappingBody,
} from '#apps/api/src/accounts/company-mappings/enrich-company-mapping.command.js';
import type { ApiPorts } from '#apps/api/src/ports.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { insufficientCredits } from '#ledger/domain/credit-account.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';

/** Identifiers without observations: each is a company that the call registers. */
let companies = 0;
const newDomain = (): string => `late-${(companies += 1)}.example`;

/** The request of a call with this context. */
const requestOf = (workspaceId: number, body: EnrichCompanyMappingBody, context: CommandContext) => ({
  requestId: context.commandId,
  workspaceId,
  apiKeyId: 1,
  mediaType: null,
  isReadOnly: false,
  headers: {},
  lastEventId: null,
  params: {},
  query: {},
  body,
  context,
});

describe('a repetition of an enrichment after midnight', () => {
  const service = scene({ at: '2026-01-05T00:05:00.000Z' });

  it('OP-56 OP-66 finds the launch of the day before, also if the first attempt began just after a midnight', async () => {
    const workspace = await service.workspace({ credits: 9 });
    await workspace.persona();
    const { commands, ids, readModels, clock, network } = service.service.host;
    const { networkBaseUrl } = service.settings;
    const ports = { commands, ids, readModels, clock, directory: network.directory, networkBaseUrl };
    const about = { actor: { kind: 'system', id: 'test' }, workspaceId: workspace.id } as const;
    const context = {
      ...about,
      commandId: 'after-midnight',
      correlationId: 'after-midnight',
      // The time of the claim, less the largest difference between two clocks.
      mayBeDoneSince: '2026-01-04T23:50:00.000Z',
    };
    const call = () =>
      enrichCompanyMapping(
        requestOf(workspace.id, { domain: 'midnight.example' }, context),
        ports as ApiPorts,
      );
    const first = await call();
    await service.drain();
    await service.setClock('2026-01-06T00:03:00.000Z');
    const held = (types: readonly string[]) => types.filter((type) => /Reserved|Held/.test(type));
    let again: typeof first | undefined;
    expect(held(await service.eventsOf(async () => (again = await call())))).toEqual([]);
    expect(again?.data.launches).toEqual(first.data.launches);
  });
});

describe('a repetition of an enrichment that was carried out', () => {
  const service = scene({ at: '2026-01-05T10:00:00.000Z' });

  it.each(['all personas', 'one persona'])(
    'OP-66 is answered with its launches, whatever has changed since (%s)',
    async (which) => {
      const workspace = await service.workspace({ credits: 9 });
      const personaId = await workspace.persona();
      const { commands, ids, readModels, clock, network } = service.service.host;
      const { networkBaseUrl } = service.settings;
      const ports = { commands, ids, readModels, clock, directory: network.directory, networkBaseUrl };
      const context = {
        actor: { kind: 'system', id: 'test' },
        workspaceId: workspace.id,
        commandId: `carried-out ${which}`,
        correlationId: 'carried-out',
        mayBeDoneSince: '2026-01-05T09:45:00.000Z',
      } as const;
      const body = { domain: newDomain(), ...(which === 'one persona' && { persona_ids: [personaId] }) };
      const call = () => enrichCompanyMapping(requestOf(workspace.id, body, context), ports as ApiPorts);
      const { data: first } = await call();
      // The request itself is worked on, and fails: nobody is known to work there.
      await service.drain();
      await workspace.persona();
      await workspace.call(`PATCH /api/v2/personas/${personaId}`, { archived: true });
      await workspace.command('workspace.block', { reason: 'unpaid' });
      let again: typeof first | undefined;
      const events = await service.eventsOf(async () => {
        again = (await call()).data;
      });
      expect(again).toEqual(first);
      expect(events.filter((type) => /Reserved|Launched|Created|Held/.test(type))).toEqual([]);
      expect(await workspace.movements()).toHaveLength(1);
    },
  );
});

describe('an enrichment whose credits are spent after the check', () => {
  const service = scene();

  async function workspaceOf(credits: number): Promise<SceneWorkspace> {
    const workspace = await service.workspace({ credits });
    await workspace.persona();
    return workspace;
  }

  /** Calls with a balance that is sufficient at the check, and spent at the hold. */
  async function callLate(workspace: SceneWorkspace, body: EnrichCompanyMappingBody): Promise<void> {
    const { id: workspaceId } = workspace;
    const { commands, ids, readModels, clock, network } = service.service.host;
    let isGone = false;
    const meanwhile: Commands = {
      ...commands,
      async handle(decider, ...about) {
        if (decider.category === 'mappingDay' && !isGone) {
          isGone = true;
          await workspace.command('credits.withdraw', { credits: 1, reason: 'elsewhere' });
        }
        return commands.handle(decider, ...about);
      },
    };
    const { networkBaseUrl } = service.settings;
    const { directory } = network;
    const ports = { commands: meanwhile, ids, readModels, clock, directory, networkBaseUrl };
    const commandId = `late-${workspaceId}-${JSON.stringify(body)}`;
    const actor = { kind: 'system', id: 'test' } as const;
    const request = requestOf(workspaceId, body, { commandId, actor, workspaceId, correlationId: commandId });
    await expect(enrichCompanyMapping(request, ports as ApiPorts)).rejects.toMatchObject({
      declaration: insufficientCredits,
    });
    expect(isGone).toBe(true);
  }

  /** The company that such a call has registered by its domain. */
  async function refusedLate(workspace: SceneWorkspace, domain: string): Promise<number> {
    const { eventStore } = service.service.host;
    const before = await eventStore.head();
    await callLate(workspace, { domain });
    for await (const { events } of eventStore.readAll({ after: before }))
      for (const { type, data } of events) if (type === 'CompanyRegistered') return Number(data['companyId']);
    throw new Error('the call registered no company');
  }

  /** The answers about a company on all routes. */
  async function seenAs(workspace: SceneWorkspace, companyId: number, domain: string) {
    await service.drain();
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
    const requests = await workspace.data('GET /api/v2/content-requests');
    const { held } = await workspace.balance();
    expect([requests, await workspace.movements(), held]).toEqual([[], [], 0]);
  });

  it('OP-56 shows the company once a call about it is launched, with its id', async () => {
    const workspace = await workspaceOf(1);
    const domain = newDomain();
    const companyId = await refusedLate(workspace, domain);
    const { status } = await workspace.call('POST /api/v2/enrich-company-mapping', { domain });
    expect(status).toBe(402);
    await workspace.command('credits.grant', { credits: 5, reason: 'more' });
    const { body: launched } = await workspace.call('POST /api/v2/enrich-company-mapping', { domain });
    const { body: stage } = await workspace.call(`GET /api/v2/account-mapping/${launched.request_id}/stage`);
    expect(stage.company_id).toBe(companyId);
    expect(await seenAs(workspace, companyId, domain)).toEqual([200, 200, 200, 200, 200, 202]);
  });

  it('OP-56 shows the company once something else names it', async () => {
    const workspace = await workspaceOf(1);
    const [domain, other] = [newDomain(), newDomain()];
    const companyId = await refusedLate(workspace, domain);
    await workspace.command('credits.grant', { credits: 1, reason: 'more' });
    const handleLater = await refusedLate(workspace, other);
    await workspace.command('detection.add', { signal_type: 'newJob', company_domain: domain });
    expect((await workspace.call(`GET /api/v2/companies/${companyId}`)).status).toBe(200);
    // Also by its handle, which was unknown when it was registered by its domain.
    await service.ingest([{ kind: 'company', ref: `c:${other}`, handle: 'late-handle', domains: [other] }]);
    await workspace.command('credits.grant', { credits: 1, reason: 'more' });
    const linked = await service.eventsOf(() => callLate(workspace, { network_handle: 'late-handle' }));
    expect(linked).toContain('IdentityLinked');
    expect((await workspace.call(`GET /api/v2/companies/${handleLater}`)).status).toBe(404);
    await workspace.topAccounts('late-handle');
    const { status: shown, body } = await workspace.call(`GET /api/v2/companies/${handleLater}`);
    expect([shown, body.network_handle]).toEqual([200, 'late-handle']);
  });
});
