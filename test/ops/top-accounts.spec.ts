import { employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { detectionsOf } from '#test/support/signal-runs.js';
import { foundTopAccount } from '#test/support/top-accounts.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';
import {
  topAccounts,
  type TopAccountDocument,
} from '#projections/accounts/top-accounts/top-accounts.projection.js';

const NOW = '2026-06-01T10:00:00.000Z';

describe('top accounts and detections by operators', () => {
  const service = scene({ at: NOW });
  const workspace = sharedWorkspace(service);
  const other = sharedWorkspace(service);

  beforeAll(async () => {
    await service.ingest([
      observedCompany('acme', { name: 'Acme' }),
      observedPerson('ana', { ...employed('acme', 'VP Sales'), geo: { city: 'Paris', country: 'France' } }),
      { kind: 'missing', ref: 'x:gone', domain: 'gone.example' },
      { kind: 'alias', ref: 'a:group', domain: 'group.example', company_refs: ['c:acme', 'c:acme-uk'] },
    ]);
  });

  const run = (command: string, input: object) => service.recorded(() => service.ops(command, input));

  describe('OPS-12 topaccount', () => {
    let account: { readonly workspace_id: number; readonly account_id: number };
    let companyId: number;
    beforeAll(async () => {
      const found = await foundTopAccount(service, workspace, 'acme');
      account = { workspace_id: workspace.id, account_id: found.accountId };
      companyId = found.companyId;
    });
    const stored = (): Promise<TopAccountDocument | null> =>
      service.service.host.readModels.get(topAccounts, String(account.account_id));

    it('assigns an account to a persona of its workspace, and to all of them again', async () => {
      const { body: persona } = await workspace.call('POST /api/v2/personas', {});
      const { body: foreign } = await other.call('POST /api/v2/personas', {});
      const assign = (persona_id: unknown) => run('topaccount.assign', { ...account, persona_id });
      const { id } = persona.data;
      expect(await assign(id)).toMatchObject({
        status: 200,
        body: { account_id: account.account_id, persona_id: id },
        added: ['TopAccountAssigned'],
      });
      expect(await assign(id)).toMatchObject({ status: 200, added: [] });
      expect((await stored())?.personaId).toBe(id);
      expect(await assign(foreign.data.id)).toMatchObject({ status: 404, added: [] });
      expect(await assign('x')).toMatchObject({ status: 422, added: [] });
      expect(await assign(null)).toMatchObject({ status: 200, added: ['TopAccountAssigned'] });
      expect((await stored())?.personaId).toBeNull();
    });

    it('sets the tier of a CRM, and removes it', async () => {
      const tier = (value: unknown) => run('topaccount.crm_tier', { ...account, tier: value });
      expect(await tier('Tier 2')).toMatchObject({ status: 200, added: ['TopAccountTierSet'] });
      expect((await stored())?.tier).toBe('Tier 2');
      expect(await tier('Tier 2')).toMatchObject({ status: 200, added: [] });
      expect(await tier('Tier 4')).toMatchObject({ status: 422, added: [] });
      expect(await tier(null)).toMatchObject({ status: 200, added: ['TopAccountTierSet'] });
    });

    it('does not find an account of another workspace', async () => {
      const foreign = { workspace_id: other.id, account_id: account.account_id };
      for (const [command, more] of [
        ['topaccount.assign', { persona_id: null }],
        ['topaccount.crm_tier', { tier: null }],
        ['topaccount.remove', {}],
      ] as const) {
        expect(await run(command, { ...foreign, ...more })).toMatchObject({ status: 404, added: [] });
        const unknown = { workspace_id: workspace.id, account_id: 999_999 };
        expect(await run(command, { ...unknown, ...more })).toMatchObject({ status: 404, added: [] });
      }
    });

    it('removes an account: its company is no longer a top account', async () => {
      const isTop = async (): Promise<unknown> => {
        const [detection] = await detectionsOf(workspace, { company_id: companyId });
        return detection !== undefined;
      };
      await workspace.command('detection.add', { signal_type: 'deepSearch', company_network_handle: 'acme' });
      expect(await isTop()).toBe(true);
      expect(await run('topaccount.remove', account)).toMatchObject({
        status: 200,
        body: { account_id: account.account_id, removed: true },
        added: ['TopAccountRemoved', 'ChargesStopped'],
      });
      expect(await isTop()).toBe(false);
      expect(await stored()).toBeNull();
      expect(await run('topaccount.remove', account)).toMatchObject({ status: 404, added: [] });
    });
  });

  describe('OPS-14 detection.add', () => {
    const add = (input: object) =>
      run('detection.add', { workspace_id: other.id, signal_type: 'newJob', ...input });

    it('OP-39 SIG-14 adds a detection without an agent that the query returns', async () => {
      const { status, body, added } = await add({
        signal_date: '2026-05-30',
        source_url: 'https://www.network.example/x',
        company_network_handle: '@Acme',
        person_network_handle: 'ana',
        data: { change: 'promotion' },
      });
      expect([status, added]).toEqual([200, ['CompanyRegistered', 'LeadRegistered', 'SignalDetected']]);
      const [detection] = await detectionsOf(other, { type: ['newJob'] });
      expect(detection).toEqual({
        id: body.detection_id,
        provenance: [],
        signal_type: 'newJob',
        data: { change: 'promotion' },
        detected_at: NOW,
        signal_date: '2026-05-30T00:00:00.000Z',
        lead_id: expect.any(Number),
        company_id: expect.any(Number),
        agent_id: null,
        source_url: 'https://www.network.example/x',
        author: {
          full_name: 'ana Roy',
          headline: null,
          network_url: 'https://www.network.example/in/ana',
        },
        excerpt: null,
        credits: 0,
        movement_id: null,
      });
      expect(await detectionsOf(other, { countries: ['France'] })).toHaveLength(1);
      const { body: lead } = await other.call(`GET /api/v2/leads/${detection.lead_id}`);
      expect(lead.data.company).toMatchObject({ id: detection.company_id, name: 'Acme' });
      expect(await detectionsOf(workspace, { type: ['newJob'] })).toEqual([]);
    });

    it('OP-71 keeps any JSON as its data, and takes shortcuts from an object alone', async () => {
      const post = { url: 'https://www.network.example/posts/9', extract: 'We are hiring' };
      for (const [data, link] of [
        [null, null],
        ['as it came', null],
        [0, null],
        [false, null],
        [[{ post }, null], null],
        [{}, null],
        [{ post }, post.url],
      ] as const) {
        const { status, body } = await add({ data });
        expect([data, status]).toEqual([data, 200]);
        const [detection] = (await detectionsOf(other)).filter(({ id }) => id === body.detection_id);
        expect([detection.data, detection.source_url, detection.excerpt]).toEqual([
          data,
          link,
          link === null ? null : post.extract,
        ]);
      }
    });

    it('takes only its own type, and makes no record twice', async () => {
      expect(await add({})).toMatchObject({ status: 200, added: ['SignalDetected'] });
      expect(await add({ person_network_handle: 'ana' })).toMatchObject({ added: ['SignalDetected'] });
    });

    it('OP-10 makes a stub of an unobserved company, which is filled once the company is observed', async () => {
      const detect = async (): Promise<number> => {
        const { body } = await add({ company_domain: 'https://www.New.example/about' });
        const detections = await detectionsOf(other);
        return detections.find(({ id }) => id === body.detection_id).company_id;
      };
      const stub = await detect();
      const company = async (): Promise<Answer['body']> =>
        (await other.call(`GET /api/v2/companies/${stub}`)).body;
      expect(await company()).toMatchObject({ domain: 'new.example', name: null, network_handle: null });
      await service.ingest([observedCompany('new', { domains: ['new.example'], name: 'New' })]);
      expect(await detect()).toBe(stub);
      expect(await company()).toMatchObject({ name: 'New', network_handle: 'new' });
      expect(await detect()).toBe(stub);
      expect(await add({ person_network_handle: 'stranger' })).toMatchObject({
        added: ['LeadRegistered', 'SignalDetected'],
      });
    });

    it('refuses invalid input, and adds nothing', async () => {
      for (const [input, field] of [
        [{ signal_date: '2026-06-01T10:00:00.001Z' }, 'signal_date'],
        [{ signal_date: '2026-06-02', company_domain: 'fresh.example' }, 'signal_date'],
        [{ signal_date: 'yesterday' }, 'signal_date'],
        [{ signal_type: 'rumour' }, 'signal_type'],
        [{ company_domain: 'no domain' }, 'company_domain'],
        [{ company_domain: 'gone.example' }, 'company_domain'],
        [{ company_domain: 'group.example' }, 'company_domain'],
        [{ company_network_handle: 'ana' }, 'company_network_handle'],
        [{ person_network_handle: 'acme' }, 'person_network_handle'],
        [{ person_network_handle: 'missing-one' }, 'person_network_handle'],
      ] as const) {
        const { status, body, added } = await add(input);
        expect([input, status, Object.keys(body.errors ?? {}), added]).toEqual([input, 422, [field], []]);
      }
      expect(await add({ workspace_id: 999_999 })).toMatchObject({ status: 404, added: [] });
      expect((await add({ signal_date: NOW })).status).toBe(200);
    });
  });
});
