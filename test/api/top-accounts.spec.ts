import { expectProblem } from '#test/support/every-route.js';
import { observedCompany, observedPerson } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const NOW = '2026-06-01T10:00:00.000Z';
const ADD = 'POST /api/v2/top-account-list/accounts';
const LIST = 'GET /api/v2/top-account-list/accounts';
const MISSED = 'GET /api/v2/top-account-list/not-found-accounts';
const STATUS = 'GET /api/v2/top-account-list/ingestion-status';
const urlOf = (handle: string): string => `https://www.network.example/company/${handle}`;
const domains = (from: number, count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ domain: `company-${from + index}.example` }));

describe('the top account list', () => {
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme', { name: 'Acme', logo_url: 'https://acme.com/logo.png' }),
      observedCompany('globex', { domains: ['globex.com', 'globex.example'] }),
      observedCompany('group-uk'),
      observedCompany('group-us'),
      observedPerson('ana', { geo: { city: 'Bielsk', country: 'Poland', country_code: 'PL' } }),
      { kind: 'alias', ref: 'a:group', domain: 'group.example', company_refs: ['c:group-uk', 'c:group-us'] },
      { kind: 'missing', ref: 'x:gone', domain: 'gone.example' },
    ],
  });

  /** A workspace that may add accounts: it has a persona in France. */
  async function located(options: object = {}): Promise<SceneWorkspace> {
    const workspace = await service.workspace(options);
    await workspace.persona({ location: ['France'] });
    return workspace;
  }
  const add = (workspace: SceneWorkspace, ...accounts: readonly unknown[]): Promise<Answer> =>
    workspace.call(ADD, { accounts });
  const rowsOf = (workspace: SceneWorkspace, route = LIST): Promise<Answer['body']> =>
    workspace.data(`${route}?page_size=100`);
  const named = (rows: Answer['body']): readonly (string | null)[] =>
    rows.map(({ company }: Answer['body']) => company.network_handle ?? company.domain);
  const statusOf = (workspace: SceneWorkspace): Promise<Answer['body']> => workspace.data(STATUS);

  describe('POST', () => {
    it('TAL-01 TAL-02 TAL-16 TAL-20 accepts accounts, repeats what was sent and charges nothing', async () => {
      const workspace = await located();
      const accounts = [
        { network_url: urlOf('acme') },
        { network_url: urlOf('acme') },
        { domain: 'new.example', tier: 'Tier 1', note: 'from the fair' },
      ];
      const { status, body } = await workspace.call(ADD, { accounts });
      expect({ status, body }).toEqual({
        status: 202,
        body: {
          tal_id: workspace.talId,
          accounts,
          message: '3 accounts accepted; they are being added to your top account list.',
          warnings: ['The list will hold 2 accounts; 5 to 20 are recommended.'],
        },
      });
      expect(await workspace.balance()).toMatchObject({ balance: 1000, held: 0, captured: 0 });
      expect((await add(workspace, { domain: 'one.example' })).body).toMatchObject({
        tal_id: workspace.talId,
        message: '1 account accepted; it is being added to your top account list.',
      });
    });

    it('TAL-03 TAL-04 TAL-05 TAL-06 OP-52 refuses invalid entries, naming the entry, and adds nothing', async () => {
      const workspace = await located();
      const long = 'a'.repeat(2_049);
      const good = { domain: 'good.example' };
      await service.expectSettledEvents([], async () => {
        for (const [accounts, field] of [
          [undefined, 'accounts'],
          [null, 'accounts'],
          ['acme.com', 'accounts'],
          [{ domain: 'acme.com' }, 'accounts'],
          [[], 'accounts'],
          [Array.from({ length: 10_001 }, () => good), 'accounts'],
          [[good, null], 'accounts.1'],
          [[good, 'acme.com'], 'accounts.1'],
          [[good, ['acme.com']], 'accounts.1'],
          [[good, {}], 'accounts.1'],
          [[good, { domain: '' }], 'accounts.1'],
          [[good, { domain: null, network_url: ' ' }], 'accounts.1'],
          [[good, { tier: 'Tier 1' }], 'accounts.1'],
          [[{ domain: 5 }], 'accounts.0.domain'],
          [[{ network_url: true, domain: 'acme.com' }], 'accounts.0.network_url'],
          [[{ domain: long }], 'accounts.0.domain'],
          [[{ network_url: long }], 'accounts.0.network_url'],
          [[good, { ...good, tier: null }], 'accounts.1.tier'],
          [[good, { ...good, tier: 'tier 1' }], 'accounts.1.tier'],
          [[good, { ...good, tier: 1 }], 'accounts.1.tier'],
        ] as const) {
          const answer = await workspace.call(ADD, { accounts });
          expect([field, answer.status, Object.keys(answer.body.errors)]).toEqual([field, 400, [field]]);
          expectProblem(ADD, answer);
        }
      });
      expect(await rowsOf(workspace)).toEqual([]);
    });

    it('TAL-10 TAL-11 PER-15 requires an active persona with a location in a known country', async () => {
      const workspace = await service.workspace();
      const refused = async (): Promise<void> => {
        await service.drain();
        const answer = await service.refused(() => add(workspace, { domain: 'acme.com' }));
        expect([answer.status, answer.body.type, answer.body.title]).toEqual([
          422,
          'https://docs.example.test/errors/persona-incomplete',
          'Persona incomplete',
        ]);
      };
      await refused();
      const persona = `PATCH /api/v2/personas/${await workspace.persona({ location: null })}`;
      await refused();
      for (const location of [[], ['Atlantis'], ['Remote', 'Atlantis']]) {
        await workspace.call(persona, { location });
        await refused();
      }
      for (const location of [['Atlantis', 'DACH'], ['Bielsk']]) {
        await workspace.call(persona, { location });
        expect((await add(workspace, { domain: 'acme.com' })).status).toBe(202);
      }
      await workspace.call(persona, { archived: true });
      await refused();
    });

    it('OP-52 refuses an invalid body before an incomplete persona, and that before the quota', async () => {
      const workspace = await service.workspace({ trial_quota: 0 });
      expect((await add(workspace, {})).status).toBe(400);
      expect((await add(workspace, { domain: 'acme.com' })).status).toBe(422);
      await workspace.persona({ location: ['France'] });
      expect((await add(workspace, { domain: 'acme.com' })).status).toBe(403);
    });

    it('TAL-12 TAL-13 TAL-14 TAL-15 counts new accounts against the quota, permanently', async () => {
      const workspace = await located({ trial_quota: 3 });
      const exceeded = async (...accounts: readonly object[]): Promise<void> => {
        await service.drain();
        const answer = await service.refused(() => add(workspace, ...accounts));
        expect([answer.status, answer.body.type, answer.body.title]).toEqual([
          403,
          'https://docs.example.test/errors/top-account-quota-exceeded',
          'Top account quota exceeded',
        ]);
      };
      await exceeded(...domains(1, 4));
      expect((await add(workspace, ...domains(1, 2), ...domains(1, 2))).status).toBe(202);
      await exceeded(...domains(3, 2));
      // A key with an alias is one account, and known by either of them afterwards.
      const both = { network_url: urlOf('third'), domain: 'third.example' };
      expect((await add(workspace, ...domains(1, 2), both)).status).toBe(202);
      expect((await add(workspace, { domain: 'third.example' })).status).toBe(202);
      expect((await add(workspace, { network_url: `${urlOf('THIRD')}/about?x=1` })).status).toBe(202);
      await exceeded({ domain: 'fourth.example' });
      await service.drain();
      const [first] = await rowsOf(workspace);
      await workspace.command('topaccount.remove', { account_id: first.id });
      await exceeded({ domain: 'fourth.example' });
      expect((await add(workspace, ...domains(1, 1))).status).toBe(202);
      await workspace.command('workspace.features', { trial_quota: 4 });
      expect((await add(workspace, { domain: 'fourth.example' })).status).toBe(202);
    });

    it('TAL-12 stays within the quota for twenty concurrent requests', async () => {
      const workspace = await located({ trial_quota: 100 });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => add(workspace, ...domains(index * 9, 9))),
      );
      const accepted = answers.filter(({ status }) => status === 202);
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(20 - accepted.length);
      expect(accepted).toHaveLength(11);
      await service.drain();
      expect((await statusOf(workspace)).found).toBe(99);
    });

    it('TAL-09 warns of a list that will be shorter than 5 or longer than 20', async () => {
      const workspace = await located();
      const warned = async (from: number, count: number) =>
        (await add(workspace, ...domains(from, count))).body.warnings;
      expect(await warned(1, 1)).toEqual(['The list will hold 1 account; 5 to 20 are recommended.']);
      expect(await warned(1, 4)).toEqual(['The list will hold 4 accounts; 5 to 20 are recommended.']);
      expect(await warned(5, 1)).toBeUndefined();
      await service.drain();
      expect(await warned(6, 15)).toBeUndefined();
      expect(await warned(1, 21)).toEqual(['The list will hold 21 accounts; 5 to 20 are recommended.']);
    });

    it('TAL-09 OP-52 counts removed accounts that are added again, which are not new, and no others twice', async () => {
      const workspace = await located();
      await add(workspace, { network_url: urlOf('acme') }, ...domains(1, 4));
      await service.drain();
      const [acme, first, second] = await rowsOf(workspace);
      for (const { id } of [acme, first, second])
        await workspace.command('topaccount.remove', { account_id: id });
      const warned = async (...accounts: readonly object[]) =>
        (await add(workspace, ...accounts)).body.warnings;
      const holds = (size: number) => [`The list will hold ${size} accounts; 5 to 20 are recommended.`];
      expect(await warned(...domains(3, 2))).toEqual(holds(2));
      expect(await warned(...domains(1, 1), ...domains(4, 1))).toEqual(holds(3));
      await service.drain();
      expect(await warned({ network_url: urlOf('acme') })).toEqual(holds(4));
      await service.drain();
      expect(await warned(...domains(2, 1))).toBeUndefined();
    });

    it('TAL-19 is refused without a key, and shows no other workspace', async () => {
      expect((await service.call(ADD, { accounts: domains(1, 1) })).status).toBe(401);
      const [mine, other] = [await located(), await located()];
      await add(mine, { network_url: urlOf('acme') });
      await service.drain();
      expect(await rowsOf(other)).toEqual([]);
      expect(await statusOf(other)).toMatchObject({ found: 0, last_submitted_at: null });
    });

    it('OP-66 executes a repeated request with an Idempotency-Key once', async () => {
      const workspace = await located({ trial_quota: 2 });
      const headers = { 'idempotency-key': 'accounts-1' };
      const accounts = domains(1, 2);
      const first = await workspace.call(ADD, { accounts }, headers);
      await service.expectSettledEvents([], async () => {
        const again = await workspace.call(ADD, { accounts }, headers);
        expect([again.status, again.body]).toEqual([202, first.body]);
        expect(again.headers.get('idempotency-replayed')).toBe('true');
      });
    });
  });

  describe('the results', () => {
    it('TAL-07 TAL-08 TAL-30 TAL-31 TAL-33 OP-71 are one account per company, found, for any submitted identifier', async () => {
      const workspace = await located();
      await add(workspace, { network_url: urlOf('acme'), tier: 'Tier 2' }, { domain: 'acme.com' });
      await service.drain();
      await add(
        workspace,
        { domain: 'globex.example' },
        { network_url: urlOf('globex') },
        { domain: 'nobody-told-us.example' },
        { domain: 'nope.invalid' },
      );
      await service.drain();
      const { status, body, headers } = await workspace.call(LIST);
      expect([status, headers.get('x-total-count'), headers.get('x-page-size')]).toEqual([200, '3', '25']);
      expect(named(body.data)).toEqual(['acme', 'globex', 'nobody-told-us.example']);
      expect(body.data[0]).toEqual({
        id: expect.any(Number),
        company_id: expect.any(Number),
        company: {
          name: 'Acme',
          domain: 'acme.com',
          network_url: urlOf('acme'),
          network_handle: 'acme',
          logo_url: 'https://acme.com/logo.png',
          status: 'found',
        },
        tier: 'Tier 2',
        imported_at: NOW,
        observed_at: null,
      });
      expect(body.data[2].company).toMatchObject({ name: null, network_url: null });
      const { body: company } = await workspace.call(`GET /api/v2/companies/${body.data[0].company_id}`);
      expect(company).toMatchObject({ name: 'Acme', network_handle: 'acme' });
    });

    it('OP-52 TAL-08 are one account for a handle and the domain that was sent beside it', async () => {
      const workspace = await located();
      const [one, two] = [urlOf('unseen-one'), urlOf('unseen-two')];
      await add(workspace, { network_url: one, domain: 'unseen-one.example' });
      await service.drain();
      await add(
        workspace,
        { domain: 'unseen-one.example', tier: 'Tier 1' },
        { domain: 'unseen-two.example' },
      );
      await add(workspace, { network_url: two }, { network_url: two, domain: 'unseen-two.example' });
      const beside = [{ network_url: urlOf('acme'), domain: 'unseen-acme.example' }];
      await add(workspace, ...beside, { domain: 'unseen-acme.example' });
      await service.drain();
      const rows = await rowsOf(workspace);
      expect(rows.map(({ company, tier }: Answer['body']) => [company.domain, tier])).toEqual([
        ['unseen-one.example', 'Tier 1'],
        ['unseen-two.example', null],
        ['acme.com', null],
      ]);
    });

    it('OP-09 are one company for every domain, however late the network learns of them', async () => {
      const workspace = await located();
      const [shown, late] = ['learned.example', 'learned-too.example'];
      await workspace.monitor(await workspace.list('customer', [{ domain: late }]));
      await service.ingest([observedCompany('learned', { domains: [shown, late] })]);
      await service.drain();
      await add(workspace, { domain: shown });
      await service.drain();
      await workspace.monitor(await workspace.list('prospect', ['learned']));
      await service.drain();
      const [row, ...others] = await workspace.data('GET /api/v3/top-account-list/accounts');
      expect(others).toEqual([]);
      expect([row.company.domain, row.monitoring.status]).toEqual([shown, 'monitored']);
      const months = (await workspace.movements()).filter(({ product }) => product === 'account_monitoring');
      expect(months).toHaveLength(1);
    });

    it('OP-09 keeps companies apart that share a domain under which the workspace knew one', async () => {
      const workspace = await located();
      const shared = 'shared.example';
      await add(workspace, { domain: shared });
      await service.drain();
      await service.ingest([
        observedCompany('shared-uk', { domains: [shared] }),
        observedCompany('shared-us', { domains: [shared] }),
      ]);
      await add(workspace, { network_url: urlOf('shared-uk') }, { network_url: urlOf('shared-us') });
      await service.drain();
      const rows = await rowsOf(workspace);
      expect(new Set(rows.map(({ company_id }: Answer['body']) => company_id)).size).toBe(3);
    });

    it('SIG-35 CR-12 OP-10 are named in filters by every identifier that the network has of them', async () => {
      const workspace = await located();
      await add(workspace, { domain: 'globex.example' }, { domain: 'stub.example' });
      await service.drain();
      const [{ company_id: globex }] = await rowsOf(workspace);
      const filter = { company_domain: ['globex.example'] };
      expect((await workspace.call('POST /api/v2/workspace/signals/query', filter)).status).toBe(200);
      const nobody = { company_domain: ['globex.invalid'] };
      expect((await workspace.call('POST /api/v2/workspace/signals/query', nobody)).status).toBe(404);
      const resolved = async (filters: string): Promise<Answer['body']> =>
        (await workspace.call(`GET /api/v2/content-requests?${filters}`)).body.meta.resolved_companies;
      expect(await resolved('company_domain=stub.example,globex.example,globex.com')).toEqual([
        { company_id: expect.any(Number), matched_by: 'domain', identifier: 'stub.example' },
        { company_id: globex, matched_by: 'domain', identifier: 'globex.example' },
      ]);
      // The workspace has a record without the handle, which the network learned later.
      await service.ingest([observedCompany('stub', { domains: ['stub.example'] })]);
      expect(await resolved('company_network_handle=stub')).toMatchObject([{ identifier: 'stub' }]);
    });

    it('SIG-35 CR-12 OP-10 are named in filters by a domain that was sent beside the URL', async () => {
      const workspace = await located();
      await add(workspace, { network_url: urlOf('acme'), domain: 'acme-group.example' });
      await service.drain();
      const [{ company_id, company }] = await rowsOf(workspace);
      expect(company.domain).toBe('acme.com');
      const sent = 'company_domain=acme-group.example,acme.com';
      const { body } = await workspace.call(`GET /api/v2/content-requests?${sent}`);
      expect(body.meta.resolved_companies).toEqual([
        { company_id, matched_by: 'domain', identifier: 'acme-group.example' },
      ]);
      const filter = { company_domain: ['acme-group.example'] };
      expect((await workspace.call('POST /api/v2/workspace/signals/query', filter)).status).toBe(200);
      const other = await located();
      expect((await other.call('POST /api/v2/workspace/signals/query', filter)).status).toBe(404);
      await workspace.list('customer', [{ domain: 'acme-group.example' }], { tier: 2 });
      expect((await rowsOf(workspace))[0].tier).toBe('Tier 2');
    });

    it('OP-10 OP-58 OP-71 show a URL that was sent beside the domain under which they were added', async () => {
      const workspace = await located();
      await workspace.persona({ job_title: ['sales'], location: ['France'] });
      await add(workspace, { domain: 'late-url.example' });
      await service.drain();
      await add(workspace, { network_url: urlOf('late-url'), domain: 'late-url.example' });
      await service.drain();
      const rows = await rowsOf(workspace);
      expect(rows).toMatchObject([
        {
          company: {
            domain: 'late-url.example',
            network_url: urlOf('late-url'),
            network_handle: 'late-url',
          },
        },
      ]);
      const { body } = await workspace.call(
        'GET /api/v2/content-requests?company_network_handle=late-url&type=account_mapping',
      );
      expect(body.meta.resolved_companies).toMatchObject([{ company_id: rows[0].company_id }]);
      expect(body.data[0].failed_reason).toBe('no_employee_resolved');
    });

    it('OP-54 TAL-36 show why an account was not found', async () => {
      const workspace = await located();
      const accounts = [
        { domain: 'gone.example', tier: 'Tier 3' },
        { domain: 'nope.invalid' },
        { domain: 'group.example' },
        { network_url: urlOf('missing-one') },
        { network_url: 'https://www.network.example/in/ana' },
        { network_url: 'https://www.network.example/feed' },
        { domain: 'no dot' },
      ];
      await add(workspace, ...accounts);
      await service.drain();
      const rows = await rowsOf(workspace, MISSED);
      expect(rows.map(({ reason }: Answer['body']) => reason)).toEqual([
        'lookup_failed',
        'lookup_failed',
        'multiple_domain_matches',
        'resolution_failed',
        'wrong_entity_type',
        'invalid_identifier',
        'invalid_identifier',
      ]);
      expect(rows[0]).toEqual({
        id: expect.any(Number),
        network_url: null,
        domain: 'gone.example',
        tier: 'Tier 3',
        reason: 'lookup_failed',
        submitted_at: NOW,
      });
      expect(await rowsOf(workspace)).toEqual([]);
    });

    it('OP-71 change when an account that was not found is sent again', async () => {
      const workspace = await located();
      await service.ingest([{ kind: 'missing', ref: 'x:late', domain: 'late.example' }]);
      await add(workspace, { domain: 'late.example' }, { domain: 'nope.invalid' });
      await service.drain();
      const [late, nope] = await rowsOf(workspace, MISSED);
      await service.advance('PT1M');
      await add(workspace, { domain: 'nope.invalid' });
      await service.drain();
      const later = new Date(Date.parse(NOW) + 60_000).toISOString();
      expect(await rowsOf(workspace, MISSED)).toEqual([late, { ...nope, submitted_at: later }]);
      await service.ingest([observedCompany('late', { domains: ['late.example'] })]);
      await add(workspace, { domain: 'late.example' });
      await service.drain();
      expect(named(await rowsOf(workspace))).toEqual(['late']);
      expect(await rowsOf(workspace, MISSED)).toEqual([{ ...nope, submitted_at: later }]);
    });

    it('TAL-18 TAL-32 OP-52 have the submitted tier, until a CRM or a later submission replaces it', async () => {
      const workspace = await located();
      const tierAfter = async (account: object): Promise<unknown> => {
        await add(workspace, account);
        await service.drain();
        return (await rowsOf(workspace))[0].tier;
      };
      expect(await tierAfter({ domain: 'acme.com' })).toBeNull();
      expect(await tierAfter({ network_url: urlOf('acme'), tier: 'Tier 3' })).toBe('Tier 3');
      expect(await tierAfter({ domain: 'acme.com' })).toBe('Tier 3');
      const [{ id }] = await rowsOf(workspace);
      const account = { workspace_id: workspace.id, account_id: id };
      await service.command('topaccount.crm_tier', { ...account, tier: 'Tier 1' });
      expect((await rowsOf(workspace))[0].tier).toBe('Tier 1');
      expect(await tierAfter({ domain: 'acme.com', tier: 'Tier 2' })).toBe('Tier 2');
    });

    it('LST-14 OP-63 OP-48 have the highest tier of the active lists if the account has none', async () => {
      const workspace = await located();
      await add(workspace, { domain: 'acme.com' }, { domain: 'globex.com', tier: 'Tier 3' });
      await service.drain();
      const tiers = async () => (await rowsOf(workspace)).map(({ tier }: Answer['body']) => tier);
      expect(await tiers()).toEqual([null, 'Tier 3']);
      await workspace.list('customer', ['acme'], { tier: 3 });
      const second = await workspace.list('prospect', [{ domain: 'acme.com' }], { tier: 2 });
      await workspace.list('prospect', [{ domain: 'globex.com' }], { tier: 1 });
      expect(await tiers()).toEqual(['Tier 2', 'Tier 3']);
      await workspace.call(`PUT /api/v2/${second.path}`, { archived: true });
      expect(await tiers()).toEqual(['Tier 3', 'Tier 3']);
    });

    it('LST-14 OP-63 MEM-29 have the tier of a list that has another domain of the company', async () => {
      const workspace = await located();
      await workspace.list('customer', [{ domain: 'multi.example' }], { tier: 1 });
      await service.ingest([observedCompany('multi', { domains: ['multi.com', 'multi.example'] })]);
      await add(workspace, { domain: 'multi.com' });
      await service.drain();
      expect((await rowsOf(workspace)).map(({ tier }: Answer['body']) => tier)).toEqual(['Tier 1']);
    });

    it('TAL-34 OP-55 show a persona its own accounts and those without a persona', async () => {
      const workspace = await located();
      const [other, third] = [await workspace.persona({}), await workspace.persona({})];
      await add(workspace, { domain: 'acme.com' }, { domain: 'globex.com' });
      await service.drain();
      const [acme] = await rowsOf(workspace);
      const account = { workspace_id: workspace.id, account_id: acme.id };
      const seenBy = async (persona: unknown, version = 'v2'): Promise<unknown> =>
        named(await workspace.data(`GET /api/${version}/top-account-list/accounts?persona_id=${persona}`));
      expect(await seenBy(other)).toEqual(['acme', 'globex']);
      await service.command('topaccount.assign', { ...account, persona_id: other });
      expect(await seenBy(other)).toEqual(['acme', 'globex']);
      expect(await seenBy(third)).toEqual(['globex']);
      expect(await seenBy(third, 'v3')).toEqual(['globex']);
      expect(named(await rowsOf(workspace))).toEqual(['acme', 'globex']);
      for (const [query, v2, v3] of [
        ['persona_id=9999999', 404, 422],
        ['persona_id=x', 400, 400],
        ['persona_id=', 400, 400],
        ['page=0', 400, 400],
        ['page_size=101', 400, 400],
      ] as const) {
        const asked = [`${LIST}?${query}`, `${LIST.replace('v2', 'v3')}?${query}`];
        const answers = await Promise.all(asked.map((route) => workspace.call(route)));
        expect([query, ...answers.map(({ status }) => status)]).toEqual([query, v2, v3]);
      }
    });

    it('TAL-35 MON-40 MON-41 show in v3 whether an account is monitored, and are filtered by it', async () => {
      const workspace = await located();
      await add(workspace, { domain: 'acme.com' });
      await service.drain();
      const asked = async (query: string): Promise<Answer> =>
        workspace.call(`GET /api/v3/top-account-list/accounts${query}`);
      const monitoring = {
        status: 'not_monitored',
        covered_until: null,
        not_covered_since: null,
        not_covered_reason: null,
      };
      const [account] = await rowsOf(workspace);
      expect((await asked('')).body.data).toEqual([{ ...account, monitoring }]);
      const both = '?monitoring_status=monitored&monitoring_status=not_monitored';
      expect((await asked(both)).body.data).toHaveLength(1);
      const monitored = await asked('?monitoring_status=monitored');
      expect([monitored.body.data, monitored.headers.get('x-total-count')]).toEqual([[], '0']);
      expect((await asked('?monitoring_status=watched')).status).toBe(400);
    });

    it('TAL-37 LEAD-04 follow the list: a removed account is gone, and found again it is another account', async () => {
      const workspace = await located();
      await add(workspace, { domain: 'acme.com' });
      await service.drain();
      const [{ id, company_id }] = await rowsOf(workspace);
      const isTop = async (): Promise<boolean> => {
        const route = 'POST /api/v2/workspace/signals/query';
        return (await workspace.call(route, { company_domain: ['acme.com'] })).status === 200;
      };
      expect(await isTop()).toBe(true);
      await workspace.command('topaccount.remove', { account_id: id });
      expect([await isTop(), await rowsOf(workspace)]).toEqual([false, []]);
      await add(workspace, { domain: 'acme.com' });
      await service.drain();
      const [again] = await rowsOf(workspace);
      expect([again.company_id, again.id === id, await isTop()]).toEqual([company_id, false, true]);
    });

    it('OP-53 show the progress; a blocked workspace waits', async () => {
      const workspace = await located();
      expect(await statusOf(workspace)).toEqual({
        tal_id: workspace.talId,
        status: 'idle',
        pending: 0,
        found: 0,
        not_found: 0,
        mapping_in_progress: 0,
        paused_reason: null,
        credits_required: null,
        credits_available: null,
        last_submitted_at: null,
      });
      const terms = { workspace_id: workspace.id, reason: 'unpaid' };
      await service.command('workspace.block', terms);
      expect((await add(workspace, { domain: 'acme.com' }, { domain: 'nope.invalid' })).status).toBe(202);
      await service.drain();
      expect(await statusOf(workspace)).toMatchObject({ status: 'in_progress', pending: 2, found: 0 });
      await service.command('workspace.unblock', terms);
      await service.drain();
      expect(await statusOf(workspace)).toMatchObject({ status: 'idle', pending: 0, found: 1, not_found: 1 });
      expect((await statusOf(workspace)).last_submitted_at).toEqual(expect.any(String));
    });

    it('TAL-05 accept ten thousand accounts', async () => {
      const workspace = await located();
      // A benchmark processes this many; here they wait.
      await workspace.command('workspace.block', { reason: 'unpaid' });
      const { status, body } = await add(workspace, ...domains(0, 10_000));
      expect([status, body.accounts.length]).toEqual([202, 10_000]);
      expect(await statusOf(workspace)).toMatchObject({ status: 'in_progress', pending: 10_000, found: 0 });
    });
  });
});
