import { observedCompany, observedPerson } from '#test/support/observed-network.js';
import { scene, type SceneList, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const FRANCE = { city: 'Paris', region: null, country: 'France', country_code: 'FR' };
const SALES = { job_title: ['sales'], exclude_job_title: ['assistant'], location: ['France'] };

/** An employee of a company, in France by default. */
const works = (handle: string, company: string, title: string, facts: object = {}): object =>
  observedPerson(handle, {
    geo: FRANCE,
    experiences: [
      {
        title,
        company_ref: `c:${company}`,
        company_name: company,
        start_date: '2024-03',
        end_date: null,
        department: 'sales',
        seniority: 'vp',
      },
    ],
    ...facts,
  });

describe('the mapping of a company', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  let companies = 0;

  /** A new company on the network, with two salespeople in France and others; returns its handle. */
  async function company(): Promise<string> {
    const handle = `acme${(companies += 1)}`;
    await service.ingest([
      observedCompany(handle),
      works(`${handle}-ana`, handle, 'VP Sales', {
        about: 'Sells.',
        email: 'ana@acme.com',
        headline: 'Sales!',
      }),
      works(`${handle}-luc`, handle, 'Sales Manager'),
      works(`${handle}-eve`, handle, 'Sales Assistant'),
      works(`${handle}-tom`, handle, 'CTO'),
      works(`${handle}-sue`, handle, 'VP Sales', { geo: { country: 'Spain', country_code: 'ES' } }),
    ]);
    return handle;
  }

  const enrich = (workspace: SceneWorkspace, body: object): Promise<Answer> =>
    workspace.call('POST /api/v2/enrich-company-mapping', body);

  const stageOf = async (workspace: SceneWorkspace, requestId: number): Promise<Answer['body']> =>
    (await workspace.call(`GET /api/v2/account-mapping/${requestId}/stage`)).body;

  /** Enriches and waits for all requests. */
  async function seeThrough(workspace: SceneWorkspace, body: object): Promise<Answer['body']> {
    const { status, body: accepted } = await enrich(workspace, body);
    if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(accepted)}`);
    await service.drain();
    return accepted;
  }

  const balance = async (workspace: SceneWorkspace): Promise<object> => {
    const { balance: left, held, captured } = await workspace.balance();
    return { left, held, captured };
  };

  it('PER-17 MAP-01 MAP-06 MAP-08 MAP-20 MAP-26 MAP-28 OP-57 SUP-16 MAP-40 MAP-41 MAP-42 MAP-43 MAP-44 MAP-47 MAP-51 finds people who match the persona, for one credit and one per profile', async () => {
    const handle = await company();
    const workspace = await service.workspace({ credits: 10 });
    const personaId = await workspace.persona(SALES);

    const accepted = await seeThrough(workspace, { domain: `${handle}.com` });
    const requestId = accepted.request_id;
    expect(accepted).toEqual({
      status: 'accepted',
      request_id: expect.any(Number),
      stage: 'account_mapping_ready',
      launches: [{ persona_id: personaId, request_id: requestId, status: 'launched', credits: 1 }],
    });

    const stage = await stageOf(workspace, requestId);
    expect(stage).toEqual({
      request_id: requestId,
      stage: 'completed',
      failed_reason: null,
      company_id: expect.any(Number),
      persona_id: personaId,
      mapping_id: expect.any(Number),
      updated_at: expect.any(String),
    });
    const mapping = {
      id: stage.mapping_id,
      request_date: '2026-06-01',
      version: 1,
      status: 'complete',
      company: { id: stage.company_id, name: handle, domain: `${handle}.com` },
      persona_id: personaId,
    };
    const listed = await workspace.call('GET /api/v2/company-mappings');
    expect(listed.body).toEqual({
      data: [mapping],
      meta: { pagination: { page: 1, page_size: 25, page_count: 1, total: 1 } },
    });
    const read = await workspace.data(`GET /api/v2/company-mappings/${stage.mapping_id}`);
    const { profiles } = read;
    expect(read).toEqual({ ...mapping, profiles });
    expect(profiles.map(({ first_name }: { first_name: string }) => first_name)).toEqual([
      `${handle}-ana`,
      `${handle}-luc`,
    ]);
    expect(profiles[0]).toEqual({
      id: expect.any(Number),
      network_url: `https://www.network.example/in/${handle}-ana`,
      avatar_url: null,
      network_about: 'Sells.',
      position: 'VP Sales',
      position_start_date: '2024-03-01',
      first_name: `${handle}-ana`,
      last_name: 'Roy',
      email: 'ana@acme.com',
      phone_number: null,
      network_headline: 'Sales!',
      location: { city: 'Paris', region: null, country: 'France' },
      seniority: 'vp',
      department: 'sales',
    });
    expect(profiles.map(({ id }: { id: number }) => id)).toEqual(
      profiles.map(({ id }: { id: number }) => id).toSorted((one: number, other: number) => one - other),
    );
    expect(await balance(workspace)).toEqual({ left: 7, held: 0, captured: 3 });
  });

  it('MAP-21 CR-18 CR-03 releases the credit if no person is found', async () => {
    const workspace = await service.workspace({ credits: 10 });
    await workspace.persona(SALES);
    const { request_id } = await seeThrough(workspace, { network_handle: 'nobody-knows' });
    expect(await stageOf(workspace, request_id)).toMatchObject({
      stage: 'account_mapping_failed',
      failed_reason: 'no_employee_resolved',
      mapping_id: null,
    });
    expect(await balance(workspace)).toEqual({ left: 10, held: 0, captured: 0 });
    expect(await workspace.data('GET /api/v2/company-mappings')).toEqual([]);
  });

  describe('POST /api/v2/enrich-company-mapping', () => {
    let handle: string;
    beforeAll(async () => {
      handle = await company();
    });

    /** The call is refused with this answer and adds no event. */
    async function refused(workspace: SceneWorkspace, body: unknown, expected: object): Promise<void> {
      const added = await service.settledEventsOf(async () => {
        const answer = await workspace.call('POST /api/v2/enrich-company-mapping', body);
        expect([body, answer.body]).toEqual([body, expect.objectContaining(expected)]);
      });
      expect([body, added]).toEqual([body, []]);
    }

    it('MAP-02 MAP-04 MAP-05 MAP-25 MAP-27 OP-71 takes exactly one identifier, and integer ids', async () => {
      const workspace = await service.workspace();
      const personaId = await workspace.persona(SALES);
      const domain = `${handle}.com`;
      for (const [body, fault] of [
        [{}, 'domain'],
        [{ domain, company_id: 1 }, 'domain'],
        [{ domain, network_handle: handle }, 'domain'],
        [{ network_handle: handle, company_id: 1 }, 'domain'],
        [{ domain, persona_ids: [] }, 'persona_ids'],
        [{ domain, persona_ids: ['4'] }, 'persona_ids'],
        [{ domain, persona_ids: [1.5] }, 'persona_ids'],
        [{ domain: 'nodot' }, 'domain'],
        [{ domain: '' }, 'domain'],
        [{ network_url: 'https://www.network.example/in/ana' }, 'network_url'],
        [{ network_url: 'https://www.network.example/jobs/1' }, 'network_url'],
        [{ network_handle: `${handle}-ana` }, 'network_handle'],
        [{ network_handle: 'two words' }, 'network_handle'],
        [{ company_id: 0 }, 'company_id'],
        [{ company_id: '1' }, 'company_id'],
      ] as const)
        await refused(workspace, body, {
          status: 400,
          errors: expect.objectContaining({ [fault]: [expect.any(String)] }),
        });
      const { status, headers, body } = await enrich(workspace, {
        domain,
        persona_ids: [personaId],
        more: 1,
      });
      expect([status, body.launches.length]).toEqual([202, 1]);
      expect(headers.get('x-request-id')).toMatch(/./);
      expect(headers.get('x-response-time')).toMatch(/ms$/);
    });

    it('MAP-03 MAP-24 ISO-12 refuses an unknown company and one of another workspace', async () => {
      const workspace = await service.workspace();
      await workspace.persona(SALES);
      const other = await service.workspace();
      await other.persona(SALES);
      const { request_id } = await seeThrough(other, { domain: `${handle}.com` });
      const { company_id } = await stageOf(other, request_id);
      for (const id of [company_id, 9_999_999])
        await refused(
          workspace,
          { company_id: id },
          { status: 404, type: expect.stringMatching(/not-found$/) },
        );
      expect((await workspace.call(`GET /api/v2/account-mapping/${request_id}/stage`)).status).toBe(404);
    });

    it('MAP-10 MAP-11 SUP-21 launches a persona once a day for a company', async () => {
      const workspace = await service.workspace({ credits: 10 });
      const personaId = await workspace.persona(SALES);
      const first = await seeThrough(workspace, { domain: `${handle}.com` });
      const spent = await balance(workspace);
      const { company_id } = await stageOf(workspace, first.request_id);
      for (const again of [{ domain: `${handle}.com` }, { network_handle: handle }, { company_id }]) {
        const { body } = await enrich(workspace, again);
        expect(body).toEqual({
          status: 'accepted',
          request_id: first.request_id,
          stage: 'completed',
          launches: [
            {
              persona_id: personaId,
              request_id: first.request_id,
              status: 'already_requested',
              credits: 0,
            },
          ],
        });
      }
      expect(await balance(workspace)).toEqual(spent);
      await service.advance('P1D');
      const next = await seeThrough(workspace, { company_id });
      expect(next.launches).toEqual([
        { persona_id: personaId, request_id: next.request_id, status: 'launched', credits: 1 },
      ]);
      expect(next.request_id).not.toBe(first.request_id);
      expect(await balance(workspace)).toEqual({ left: 4, held: 0, captured: 6 });
      const mappings = await workspace.data('GET /api/v2/company-mappings');
      expect(mappings.map((row: { request_date: string }) => row.request_date)).toEqual([
        '2026-06-02',
        '2026-06-01',
      ]);
    });

    it('MAP-12 MAP-13 MAP-14 MAP-15 uses the personas of the lists, every active one, or the named ones', async () => {
      const workspace = await service.workspace();
      const [sales, support, archived] = [
        await workspace.persona(SALES),
        await workspace.persona(SALES),
        await workspace.persona(SALES),
      ];
      await workspace.data(`PATCH /api/v2/personas/${archived}`, { archived: true });
      const considered = async (body: object): Promise<readonly number[]> => {
        const { launches } = (await enrich(workspace, body)).body;
        return launches.map(({ persona_id }: { persona_id: number }) => persona_id);
      };
      const domain = `${handle}.com`;
      expect(await considered({ domain })).toEqual([sales, support]);
      const list = (persona_ids: readonly number[]): Promise<SceneList> =>
        workspace.list('customer', [{ domain }], { persona_ids });
      await list([support]);
      expect(await considered({ domain })).toEqual([support]);
      expect(await considered({ domain, persona_ids: [sales] })).toEqual([sales]);
      expect(await considered({ domain, persona_ids: [support, sales, support] })).toEqual([support, sales]);
      const all = await list([]);
      expect(await considered({ domain })).toEqual([sales, support]);
      await workspace.data(`PUT /api/v2/${all.path}`, { archived: true });
      expect(await considered({ network_handle: handle })).toEqual([support]);
    });

    it('MAP-13 OP-10 uses the personas of the lists that have the company under another name that the workspace knows', async () => {
      const workspace = await service.workspace();
      const [sales] = [await workspace.persona(SALES), await workspace.persona(SALES)];
      await workspace.list('customer', ['two-names'], { persona_ids: [sales] });
      const network_url = 'https://www.network.example/company/two-names';
      const accounts = [{ network_url, domain: 'two-names.example' }];
      await workspace.call('POST /api/v2/top-account-list/accounts', { accounts });
      await service.drain();
      for (const body of [{ network_handle: 'two-names' }, { domain: 'two-names.example' }]) {
        const { launches } = (await enrich(workspace, body)).body;
        expect(launches).toMatchObject([{ persona_id: sales }]);
      }
    });

    it('MAP-11 MAP-13 OP-10 uses the personas of the lists that have any domain of the company, also for its id', async () => {
      const workspace = await service.workspace();
      const [sales] = [await workspace.persona(SALES), await workspace.persona(SALES)];
      await workspace.list('customer', [{ domain: 'two-domains.io' }], { persona_ids: [sales] });
      await service.ingest([
        observedCompany('two-domains', { domains: ['two-domains.com', 'two-domains.io'] }),
      ]);
      const first = await seeThrough(workspace, { domain: 'two-domains.com' });
      expect(first.launches).toMatchObject([{ persona_id: sales }]);
      const { company_id } = await stageOf(workspace, first.request_id);
      await service.advance('P1D');
      const next = await seeThrough(workspace, { company_id });
      expect(next.launches).toMatchObject([{ persona_id: sales, status: 'launched' }]);
    });

    it('MAP-16 refuses a persona that is not active, and launches nothing', async () => {
      const workspace = await service.workspace();
      const [active, archived] = [await workspace.persona(SALES), await workspace.persona(SALES)];
      await workspace.data(`PATCH /api/v2/personas/${archived}`, { archived: true });
      const foreign = await (await service.workspace()).persona(SALES);
      for (const id of [archived, foreign, 9_999_999])
        await refused(
          workspace,
          { domain: `${handle}.com`, persona_ids: [active, id] },
          { status: 422, errors: { persona_ids: [`${id}: no active persona of this workspace`] } },
        );
    });

    it('MAP-07 MAP-09 MAP-17 MAP-18 skips a persona without a place or without titles, and refuses a call of skips alone', async () => {
      const workspace = await service.workspace();
      const whole = await workspace.persona(SALES);
      const nowhere = await workspace.persona({ job_title: ['sales'] });
      const untitled = await workspace.persona({ job_title: [], location: ['France'] });
      const neither = await workspace.persona({});
      const { body } = await enrich(workspace, { domain: `${handle}.com` });
      const skips = [
        { persona_id: nowhere, request_id: null, status: 'skipped_no_location', credits: 0 },
        { persona_id: untitled, request_id: null, status: 'skipped_no_job_titles', credits: 0 },
        { persona_id: neither, request_id: null, status: 'skipped_no_location', credits: 0 },
      ];
      expect(body.launches).toEqual([
        { persona_id: whole, request_id: body.request_id, status: 'launched', credits: 1 },
        ...skips,
      ]);
      const personaIds = [nowhere, untitled, neither];
      await refused(
        workspace,
        { domain: 'never-heard-of.example', persona_ids: personaIds },
        { status: 422, type: expect.stringMatching(/no-persona-launchable$/), launches: skips },
      );
      await refused(await service.workspace(), { domain: 'x.example' }, { status: 422, launches: [] });
    });

    it('STM-10 MAP-07 a persona’s launch is launched, already requested, or skipped for one of two reasons', async () => {
      const workspace = await service.workspace();
      const facts = [SALES, SALES, { job_title: ['sales'] }, { location: ['France'] }];
      const personaIds: number[] = [];
      for (const each of facts) personaIds.push(await workspace.persona(each));
      await enrich(workspace, { domain: `${handle}.com`, persona_ids: personaIds.slice(1, 2) });
      const { body } = await enrich(workspace, { domain: `${handle}.com`, persona_ids: personaIds });
      expect(
        body.launches.map(({ persona_id, status }: { persona_id: number; status: string }) => [
          persona_id,
          status,
        ]),
      ).toEqual([
        [personaIds[0], 'launched'],
        [personaIds[1], 'already_requested'],
        [personaIds[2], 'skipped_no_location'],
        [personaIds[3], 'skipped_no_job_titles'],
      ]);
    });

    it('MAP-19 refuses the whole call if the balance does not cover it, and leaves nothing behind', async () => {
      const workspace = await service.workspace({ credits: 1 });
      await workspace.persona(SALES);
      await workspace.persona(SALES);
      await refused(
        workspace,
        { domain: `${handle}.com` },
        { status: 402, credits_required: 2, credits_available: 1, credits_held: 0 },
      );
    });

    it('CAP-03 MAP-19 the same if a cap does not allow it, although the balance covers it', async () => {
      const workspace = await service.workspace({ credits: 10 });
      await workspace.persona(SALES);
      await workspace.persona(SALES);
      await workspace.command('caps.set', { scope: 'workspace', period: 'day', limit: 1 });
      await refused(workspace, { domain: `${handle}.com` }, { status: 402, credits_required: 2 });
    });

    it('MAP-23 OP-10 refuses an identifier of several companies, and one that the network knows not to exist', async () => {
      const workspace = await service.workspace();
      await workspace.persona(SALES);
      await service.ingest([
        {
          kind: 'alias',
          ref: `a:${handle}`,
          domain: `${handle}-group.com`,
          company_refs: [`c:${handle}`, 'c:x'],
        },
      ]);
      await refused(workspace, { domain: `${handle}-group.com` }, { status: 409 });
      await refused(workspace, { domain: 'gone.invalid' }, { status: 404 });
    });

    it('MAP-22 MAP-49 SUP-05 is 403 without the feature, before any other check', async () => {
      const workspace = await service.workspace({ account_mapping: false });
      for (const body of [{ domain: `${handle}.com` }, {}, '{'])
        await refused(workspace, body, { status: 403, type: expect.stringMatching(/forbidden$/) });
      for (const path of ['company-mappings', 'company-mappings/1', 'account-mapping/1/stage'])
        expect((await workspace.call(`GET /api/v2/${path}`)).status).toBe(403);
      expect((await workspace.call('GET /api/v2/content-requests')).status).toBe(200);
    });

    it('OP-52 is 403 in a blocked workspace, whose requests wait until it is unblocked', async () => {
      const workspace = await service.workspace({ credits: 10 });
      await workspace.persona(SALES);
      const { body } = await enrich(workspace, { domain: `${handle}.com` });
      await workspace.command('workspace.block', { reason: 'unpaid' });
      await refused(workspace, { domain: `${handle}.com` }, { status: 403 });
      await workspace.command('workspace.unblock', { reason: 'paid' });
      await service.drain();
      expect(await stageOf(workspace, body.request_id)).toMatchObject({ stage: 'completed' });
    });

    it('OP-25 OP-56 costs an exempt workspace nothing, and a partner its negotiated price', async () => {
      const exempt = await service.workspace({ billing: 'exempt', credits: undefined });
      await exempt.persona(SALES);
      const free = await seeThrough(exempt, { domain: `${handle}.com` });
      expect(free.launches).toMatchObject([{ status: 'launched', credits: 0 }]);
      expect(await stageOf(exempt, free.request_id)).toMatchObject({ stage: 'completed' });
      expect(await exempt.movements()).toEqual([]);

      const paid = await service.partnerWorkspace({ launch: 3 });
      await paid.persona(SALES);
      const { launches } = await seeThrough(paid, { domain: `${handle}.com` });
      expect(launches).toMatchObject([{ status: 'launched', credits: 3 }]);
      expect(await paid.movements()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ product: 'account_mapping', credits: 3, status: 'captured' }),
          expect.objectContaining({ product: 'profile_analysis', credits: 1, status: 'captured' }),
        ]),
      );
      expect(await balance(paid)).toMatchObject({ held: 0 });
    });

    it('MAP-29 INV-09 launches and charges once for concurrent calls', async () => {
      const workspace = await service.workspace({ credits: 100 });
      await workspace.persona(SALES);
      await workspace.persona(SALES);
      const { request_id } = await seeThrough(workspace, { network_handle: handle, persona_ids: undefined });
      const { company_id } = await stageOf(workspace, request_id);
      await service.advance('P1D');
      const before = await balance(workspace);
      const answers = await Promise.all(Array.from({ length: 20 }, () => enrich(workspace, { company_id })));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
      const launches = answers.flatMap(({ body }) => body.launches);
      expect(launches.filter(({ status }) => status === 'launched')).toHaveLength(2);
      expect(new Set(launches.map((launch) => launch.request_id)).size).toBe(2);
      await service.drain();
      const after = await balance(workspace);
      expect([before, after]).toEqual([
        { left: 96, held: 0, captured: 4 },
        { left: 92, held: 0, captured: 8 },
      ]);
      const { body } = await workspace.call('GET /api/v2/company-mappings');
      expect(body.meta.pagination.total).toBe(4);
    });

    it('MAP-23 MAP-29 INV-09 gives an unknown company one record for concurrent calls', async () => {
      const workspace = await service.workspace({ credits: 100 });
      const personaId = await workspace.persona(SALES);
      const unknown = await company();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          enrich(workspace, index % 2 === 0 ? { domain: `${unknown}.com` } : { network_handle: unknown }),
        ),
      );
      // A call that lost the claim to another one is refused; a later call finds the launch.
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 202 && status !== 409)).toEqual([]);
      const launches = answers.flatMap(({ status, body }) => (status === 202 ? body.launches : []));
      expect(launches.filter(({ status }) => status === 'launched')).toHaveLength(1);
      expect(new Set(launches.map((launch) => launch.request_id)).size).toBe(1);
      await service.drain();
      expect(await balance(workspace)).toEqual({ left: 97, held: 0, captured: 3 });
      expect(await workspace.data('GET /api/v2/company-mappings')).toMatchObject([
        { persona_id: personaId, status: 'complete' },
      ]);
    });

    it('OP-66 finds its launch under an Idempotency-Key', async () => {
      const workspace = await service.workspace({ credits: 10 });
      await workspace.persona(SALES);
      const call = () =>
        workspace.call(
          'POST /api/v2/enrich-company-mapping',
          { domain: `${handle}.com` },
          { 'Idempotency-Key': 'map-once' },
        );
      const first = await call();
      await service.drain();
      const again = await call();
      expect([again.status, again.body]).toEqual([202, first.body]);
      expect(first.body.launches).toMatchObject([{ status: 'launched', credits: 1 }]);
      expect(await balance(workspace)).toEqual({ left: 7, held: 0, captured: 3 });
    });
  });

  it('USE-19 OP-59 OP-71 MAP-45 pays for each persona once, and for a person once a day, for any request', async () => {
    const handle = await company();
    const workspace = await service.workspace({ credits: 10 });
    const [sales, both] = [
      await workspace.persona(SALES),
      await workspace.persona({ job_title: ['sales', 'CTO'], location: ['France'] }),
    ];
    await seeThrough(workspace, { domain: `${handle}.com` });
    const mappings = await workspace.data('GET /api/v2/company-mappings');
    expect(mappings).toMatchObject([{ persona_id: both }, { persona_id: sales }]);
    // two launches, and each of the four matching people of sales and technology in France once
    expect(await balance(workspace)).toEqual({ left: 4, held: 0, captured: 6 });
    const launches = (await workspace.movements()).filter(({ product }) => product === 'account_mapping');
    expect(launches).toMatchObject([
      { credits: 1, status: 'captured' },
      { credits: 1, status: 'captured' },
    ]);
  });

  it('OP-56 OP-59 OP-71 keeps paid profiles, releases the launch, and continues with a repeated call', async () => {
    const handle = await company();
    const workspace = await service.workspace({ credits: 2 });
    const personaId = await workspace.persona(SALES);
    const first = await seeThrough(workspace, { domain: `${handle}.com` });
    const failed = await stageOf(workspace, first.request_id);
    expect(failed).toMatchObject({
      stage: 'account_mapping_failed',
      failed_reason: 'insufficient_credits',
      mapping_id: expect.any(Number),
    });
    expect(await balance(workspace)).toEqual({ left: 1, held: 0, captured: 1 });
    const mapping = `GET /api/v2/company-mappings/${failed.mapping_id}`;
    const kept = await workspace.data(mapping);
    expect(kept).toMatchObject({ status: null, version: 1 });
    expect(kept.profiles).toHaveLength(1);

    await workspace.command('credits.grant', { credits: 1, reason: 'more' });
    const second = await seeThrough(workspace, { domain: `${handle}.com` });
    expect(second.launches).toMatchObject([{ persona_id: personaId, status: 'launched', credits: 1 }]);
    expect(second.request_id).not.toBe(first.request_id);
    const done = await workspace.data(mapping);
    expect(done).toMatchObject({ id: failed.mapping_id, status: 'complete', version: 2 });
    expect(done.profiles).toHaveLength(2);
    expect(done.profiles[0]).toEqual(kept.profiles[0]);
    expect(await balance(workspace)).toEqual({ left: 0, held: 0, captured: 3 });
  });

  it('OP-57 OP-59 names the mapping that a repeated call completes, if everyone in it was analysed before', async () => {
    const handle = await company();
    const workspace = await service.workspace({ credits: 2 });
    const personaId = await workspace.persona(SALES);
    const first = await seeThrough(workspace, { domain: `${handle}.com` });
    const failed = await stageOf(workspace, first.request_id);
    expect(failed).toMatchObject({ failed_reason: 'insufficient_credits', mapping_id: expect.any(Number) });
    const { profiles } = await workspace.data(`GET /api/v2/company-mappings/${failed.mapping_id}`);
    expect(profiles).toHaveLength(1);
    await workspace.data(`PATCH /api/v2/personas/${personaId}`, { job_title: [profiles[0].position] });
    const second = await seeThrough(workspace, { domain: `${handle}.com` });
    expect(second.request_id).not.toBe(first.request_id);
    expect(await stageOf(workspace, second.request_id)).toMatchObject({
      stage: 'completed',
      mapping_id: failed.mapping_id,
    });
    expect(await balance(workspace)).toEqual({ left: 0, held: 0, captured: 2 });
  });

  it('OP-58 CR-03 shows why a mapping failed, and stays failed if the same day cannot change the result', async () => {
    const handle = await company();
    const workspace = await service.workspace({ credits: 10 });
    const nobody = await workspace.persona({ job_title: ['astronaut'], location: ['France'] });
    const why = async (body: object): Promise<readonly unknown[]> => {
      const { launches } = await seeThrough(workspace, body);
      const stage = await stageOf(workspace, launches[0].request_id);
      return [launches[0].status, stage.stage, stage.failed_reason];
    };
    for (const [body, reason] of [
      [{ domain: 'never-heard-of.example' }, 'missing_network_target'],
      [{ network_handle: 'never-heard-of' }, 'no_employee_resolved'],
      [{ domain: `${handle}.com`, persona_ids: [nobody] }, 'no_employee_resolved'],
    ] as const) {
      expect(await why(body)).toEqual(['launched', 'account_mapping_failed', reason]);
      expect(await why(body)).toEqual(['already_requested', 'account_mapping_failed', reason]);
    }
    expect(await balance(workspace)).toEqual({ left: 10, held: 0, captured: 0 });
  });

  it('OPS-15 MAP-46 is read again by operators: newer facts, a new version, no new people and no charge', async () => {
    const handle = await company();
    const workspace = await service.workspace({ credits: 10 });
    await workspace.persona(SALES);
    const { request_id } = await seeThrough(workspace, { domain: `${handle}.com` });
    const { mapping_id } = await stageOf(workspace, request_id);
    const before = await balance(workspace);
    await service.ingest([
      works(`${handle}-ana`, handle, 'Chief Revenue Officer', { rev: 2, headline: 'Promoted' }),
      works(`${handle}-new`, handle, 'Sales Lead'),
    ]);
    const input = { workspace_id: workspace.id, mapping_id };
    const answer = await service.ops('mapping.rematerialize', input);
    expect(answer.body).toEqual({ mapping_id, version: 2 });
    const read = await workspace.data(`GET /api/v2/company-mappings/${mapping_id}`);
    expect(read).toMatchObject({ status: 'complete', version: 2 });
    expect(read.profiles).toMatchObject([
      { position: 'Chief Revenue Officer', network_headline: 'Promoted' },
      { position: 'Sales Manager' },
    ]);
    expect(await balance(workspace)).toEqual(before);
    const other = await service.workspace();
    for (const strange of [
      { ...input, workspace_id: other.id },
      { ...input, mapping_id: 9_999_999 },
    ])
      expect((await service.ops('mapping.rematerialize', strange)).status).toBe(404);
  });

  it('MAP-48 MAP-50 answers 404 for an invalid id, and 400 for an invalid page', async () => {
    const workspace = await service.workspace();
    for (const id of ['0', '-1', 'x', '1.5', '9999999'])
      expect((await workspace.call(`GET /api/v2/company-mappings/${id}`)).status).toBe(404);
    for (const page of ['page=0', 'page_size=0', 'page_size=101'])
      expect((await workspace.call(`GET /api/v2/company-mappings?${page}`)).status).toBe(400);
  });
});
