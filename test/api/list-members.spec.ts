import { answered, idsIn, refusal } from '#test/support/expected-answers.js';
import { employed, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

describe('members of lists', () => {
  const service = scene({
    network: [
      observedCompany('acme', { name: 'Acme GmbH', logo_url: 'https://acme.com/logo.png' }),
      observedCompany('acme-uk', { domains: ['acme.co.uk', 'group.com'] }),
      observedCompany('acme-us', { domains: ['acme.us', 'group.com'] }),
      observedPerson('ana', { ...employed('acme', 'VP Sales'), headline: 'VP at Acme' }),
      { kind: 'missing', ref: 'm:gone', domain: 'gone.example' },
    ],
  });
  const workspace = sharedWorkspace(service);

  const newList = async (type: string, more: object = {}): Promise<string> =>
    `/api/v2/${(await workspace.list(type, [], more)).path}`;
  const add = (list: string, ...members: unknown[]) => workspace.call(`POST ${list}/members`, { members });
  const members = async (list: string, query = ''): Promise<Answer['body']> =>
    (await workspace.call(`GET ${list}/members${query}`)).body;
  const countOf = async (list: string): Promise<number> => (await workspace.data(`GET ${list}`)).member_count;

  /** The call adds no event; its answer, which is returned, has this status and faults of these fields. */
  async function refused(
    call: () => Promise<Answer>,
    status: number,
    ...fields: string[]
  ): Promise<Answer['body']> {
    // Profiles of earlier members are looked up by then.
    await service.drain();
    const { body } = await service.refused(call);
    expect(body.status).toBe(status);
    if (fields.length > 0) expect(Object.keys(body.errors).sort()).toEqual(fields.sort());
    return body;
  }

  describe('POST /api/v2/lists/{kind}/{list_id}/members', () => {
    it('MEM-01 MEM-18 MEM-28 MEM-41 MEM-42 adds companies and returns them', async () => {
      const list = await newList('customer');
      await service.expectSettledEvents(['MembersAdded'], async () => {
        const acme = { network_url: 'https://www.network.example/company/acme' };
        const body = await answered(200, add(list, acme));
        expect(body).toEqual({
          data: [
            {
              id: body.data[0].id,
              network_handle: 'acme',
              network_url: 'https://www.network.example/company/acme',
              tracking_status: null,
              signal_bucket: null,
              domain: 'acme.com',
              name: 'Acme GmbH',
              logo_url: 'https://acme.com/logo.png',
            },
          ],
          errors: [],
        });
        expect((await members(list)).data).toEqual(body.data);
      });
      expect(await countOf(list)).toBe(1);
    });

    it('MEM-03 MEM-04 MEM-05 MEM-29 MEM-23 treats URL, handle and domain of one company as one member', async () => {
      const list = await newList('customer');
      expect((await add(list, { network_url: 'network.example/company/acme/' })).body.data).toHaveLength(1);
      for (const again of [
        { network_handle: '@ACME' },
        { domain: 'https://www.acme.com/about' },
        { network_url: 'fr.network.example/company/acme?x=1' },
      ]) {
        await service.expectSettledEvents([], async () => {
          expect(await answered(200, add(list, again))).toEqual({ data: [], errors: [] });
        });
      }
    });

    it('MEM-29 OP-10 knows a company of the network by a domain that was sent beside its handle', async () => {
      await service.ingest([observedCompany('no-domain', { domains: [] })]);
      const list = await newList('customer');
      const both = { network_handle: 'no-domain', domain: 'no-domain.example' };
      expect((await add(list, both)).body.data).toMatchObject([{ network_handle: 'no-domain' }]);
      await service.expectSettledEvents([], async () => {
        const again = add(list, { domain: 'no-domain.example' });
        expect(await answered(200, again)).toEqual({ data: [], errors: [] });
      });
    });

    it('MEM-23 shows a company that is known only by its domain with the domain', async () => {
      const list = await newList('customer');
      const { body } = await add(list, { domain: 'https://www.only-a-domain.example/about' });
      expect(body.data).toMatchObject([
        { network_handle: null, network_url: null, domain: 'only-a-domain.example', name: null },
      ]);
      expect((await members(list)).data).toEqual(body.data);
    });

    it('MEM-24 adds a member that is named twice in a request once, and keeps the order of the request', async () => {
      const list = await newList('customer');
      const { body } = await add(
        list,
        { domain: 'zeta.example' },
        { network_handle: 'acme' },
        { domain: 'zeta.example' },
        { domain: 'acme.com' },
        { network_handle: 'beta' },
      );
      expect(body.errors).toEqual([]);
      expect(body.data.map((member: { network_handle: string }) => member.network_handle)).toEqual([
        null,
        'acme',
        'beta',
      ]);
    });

    for (const [type, row, code] of [
      ['customer', { network_url: 'https://network.example/in/ana' }, 'wrong_entity_type'],
      ['customer', { network_handle: 'ana' }, 'wrong_entity_type'],
      ['customer', { domain: 'nodot' }, 'invalid_identifier'],
      ['customer', { network_url: 'https://network.example/company/' }, 'invalid_identifier'],
      ['customer', { domain: 'group.com' }, 'multiple_domain_matches'],
      ['customer', { domain: 'gone.example' }, 'lookup_failed'],
      ['customer', { domain: 'some.invalid' }, 'lookup_failed'],
      ['customer', { network_handle: 'missing-one' }, 'resolution_failed'],
      ['influencer', { network_url: 'https://network.example/company/acme' }, 'wrong_entity_type'],
      ['influencer', { network_handle: 'acme' }, 'wrong_entity_type'],
      ['influencer', { domain: 'acme.com' }, 'wrong_entity_type'],
    ] as const) {
      it(`MEM-07 MEM-08 MEM-09 MEM-10 MEM-11 MEM-12 MEM-14 MEM-15 MEM-16 MEM-17 MEM-25 answers ${code} to ${JSON.stringify(row)} on a ${type} list`, async () => {
        const list = await newList(type);
        const sent = { ...row, note: 'mine' };
        expect(await refused(() => add(list, sent), 422)).toMatchObject({
          type: 'https://docs.example.test/errors/unprocessable-entity',
          title: 'Unprocessable Entity',
          status: 422,
          data: [],
          errors: [{ input: sent, code, message: expect.any(String) }],
        });
      });
    }

    it('MEM-13 adds the others if some rows fail, and answers 200 if the others already were members', async () => {
      const list = await newList('customer');
      const wrong = { domain: 'nodot' };
      const body = await answered(200, add(list, wrong, { network_handle: 'acme' }, { domain: 'group.com' }));
      expect(body.data).toHaveLength(1);
      expect(body.errors.map(({ code }: { code: string }) => code)).toEqual([
        'invalid_identifier',
        'multiple_domain_matches',
      ]);
      const again = await answered(200, add(list, wrong, { network_handle: 'acme' }));
      expect(again.data).toEqual([]);
    });

    for (const [what, body, ...fields] of [
      ['no members', {}, 'members'],
      ['none', { members: [] }, 'members'],
      ['101', { members: Array.from({ length: 101 }, () => ({ domain: 'a.com' })) }, 'members'],
      ['a text', { members: ['acme.com'] }, 'members.0'],
      ['a row without an identifier', { members: [{ domain: 'a.com' }, { note: 'x' }] }, 'members.1'],
      ['nulls alone', { members: [{ domain: null, network_url: null }] }, 'members.0'],
      ['a number', { members: [{ domain: 5 }] }, 'members.0.domain'],
      ['an employer', { members: [{ domain: 'a.com', company: { name: 'A' } }] }, 'members.0.company'],
    ] as const) {
      it(`MEM-02 MEM-06 MEM-20 refuses the whole request for ${what}`, async () => {
        const list = await newList('customer');
        await refused(() => workspace.call(`POST ${list}/members`, body), 422, ...fields);
      });
    }

    it('MEM-06 OP-71 treats an empty handle as absent: a domain beside it counts, and alone it is no identifier', async () => {
      const list = await newList('customer');
      const body = await answered(200, add(list, { network_handle: '', domain: 'acme.com' }));
      expect(body.errors).toEqual([]);
      expect(body.data[0].network_handle).toBe('acme');
      await refused(() => add(list, { network_handle: '' }), 422, 'members.0');
      await refused(() => add(list, { network_handle: '', domain: null }), 422, 'members.0');
    });

    it('MEM-02 takes a hundred', async () => {
      const list = await newList('prospect');
      const rows = Array.from({ length: 100 }, (_, index) => ({ domain: `d${index}.example` }));
      expect((await add(list, ...rows)).body.data).toHaveLength(100);
      expect(await countOf(list)).toBe(100);
    });

    it('MEM-19 MEM-21 takes the employer of a champion, name or domain', async () => {
      const list = await newList('champion');
      const { body } = await add(
        list,
        { network_handle: 'bo', company: { name: 'Old Ltd' } },
        { network_handle: 'cy', company: { domain: 'old.example' } },
      );
      expect(body.data.map((member: { current_company: object }) => member.current_company)).toEqual([
        { name: 'Old Ltd', logo_url: null },
        { name: 'old.example', logo_url: null },
      ]);
      for (const company of [{}, { name: ' ' }, { name: 5 }, 'Old', { domain: 'nodot' }]) {
        const { errors } = await refused(() => add(list, { network_handle: 'di', company }), 422);
        expect(Object.keys(errors)[0]).toMatch(/^members\.0\.company/);
      }
    });

    it('MEM-26 ISO-05 refuses a foreign or deleted list, and one of the other kind', async () => {
      const list = await newList('customer');
      const stranger = await service.workspace();
      const body = { members: [{ domain: 'a.com' }] };
      await refused(() => stranger.call(`POST ${list}/members`, body), 404);
      await refused(() => workspace.call(`POST ${list.replace('company', 'profile')}/members`, body), 404);
      await workspace.call(`DELETE ${list}`);
      await refused(() => workspace.call(`POST ${list}/members`, body), 404);
      await refused(() => workspace.call(`GET ${list}/members`), 404);
    });

    it('LST-13 adds to and removes from the list of employees, and to an archived list', async () => {
      const employees = `/api/v2/lists/profile/${workspace.employeeListId}`;
      const [member] = (await add(employees, { network_handle: 'worker' })).body.data;
      expect((await workspace.call(`DELETE ${employees}/members/${member.id}`)).status).toBe(204);
      const list = await newList('customer');
      await workspace.call(`PUT ${list}`, { archived: true });
      expect((await add(list, { network_handle: 'acme' })).status).toBe(200);
    });

    it('INV-09 adds a member of concurrent requests to the list once', async () => {
      const list = await newList('customer');
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => add(list, { network_handle: 'acme' })),
      );
      expect(answers.flatMap(({ body }) => body.data)).toHaveLength(1);
      expect(await countOf(list)).toBe(1);
    });
  });

  describe('people on lists', () => {
    it('MEM-43 MEM-44 are shown as named, then with their profile on the network', async () => {
      const list = await newList('influencer');
      const enriched = ['MembersAdded', 'MemberEnrichmentStarted', 'MembersEnriched'];
      await service.expectSettledEvents(enriched, async () => {
        const { body } = await add(list, { network_handle: 'ana' }, { network_handle: 'nobody-knows' });
        expect(body.data[0]).toEqual({
          id: body.data[0].id,
          network_handle: 'ana',
          network_url: 'https://www.network.example/in/ana',
          tracking_status: null,
          signal_bucket: null,
          first_name: null,
          last_name: null,
          avatar_url: null,
          position: null,
          network_headline: null,
          enrichment_status: null,
          current_company: null,
        });
        await service.drain();
      });
      const [ana, nobody] = (await members(list)).data;
      expect(ana).toMatchObject({
        first_name: 'ana',
        last_name: 'Roy',
        position: 'VP Sales',
        network_headline: 'VP at Acme',
        enrichment_status: 'completed',
        current_company: { name: 'Acme GmbH', logo_url: 'https://acme.com/logo.png' },
      });
      // OP-71: the person was never observed, and is not known to be missing.
      expect(nobody).toMatchObject({ first_name: null, enrichment_status: 'pending', current_company: null });
    });
  });

  describe('GET /api/v2/lists/{kind}/{list_id}/members', () => {
    it('MEM-40 INV-04 pages by id: 25 by default, 100 at most', async () => {
      const list = await newList('prospect');
      const rows = Array.from({ length: 60 }, (_, index) => ({ network_handle: `p${index}` }));
      const ids = idsIn((await add(list, ...rows)).body.data);
      const first = await members(list);
      expect(first.meta.pagination).toEqual({ page: 1, page_size: 25, page_count: 3, total: 60 });
      const pages = await Promise.all([1, 2, 3, 4].map((page) => members(list, `?page=${page}`)));
      expect(pages.flatMap(({ data }) => idsIn(data))).toEqual(ids);
      expect((await members(list, '?page_size=100')).data).toHaveLength(60);
    });

    for (const query of [
      'page=0',
      'page=x',
      'page_size=101',
      'page_size=0',
      'response_format=full',
      `q=${'x'.repeat(256)}`,
    ]) {
      it(`MEM-47 MEM-49 MEM-51 PAG-08 PAG-12 refuses ?${query.slice(0, 30)} with 422`, async () => {
        const list = await newList('customer');
        await refusal(422, workspace.call(`GET ${list}/members?${query}`), query.split('=')[0] ?? '');
      });
    }

    it('MEM-45 MEM-46 has a concise format, and two names for the other', async () => {
      const list = await newList('customer');
      await add(list, { network_handle: 'acme' });
      const [detailed] = (await members(list, '?response_format=detailed')).data;
      expect((await members(list, '?response_format=normalized')).data).toEqual([detailed]);
      expect((await members(list)).data).toEqual([detailed]);
      const { id, network_handle, network_url } = detailed;
      expect((await members(list, '?response_format=concise')).data).toEqual([
        { id, network_handle, network_url },
      ]);
    });

    it('MEM-48 MEM-49 MEM-50 MEM-52 finds a part of name, handle or current company, in any case, literally', async () => {
      const companies = await newList('customer');
      await add(
        companies,
        { network_handle: 'acme' },
        { network_handle: 'acme-uk' },
        { network_handle: 'o_1' },
      );
      const people = await newList('influencer');
      await add(people, { network_handle: 'ana' }, { network_handle: 'bo' });
      await service.drain();
      const found = async (list: string, text: string): Promise<readonly string[]> => {
        const { data, meta } = await members(list, `?q=${encodeURIComponent(text)}`);
        expect(meta.pagination.total).toBe(data.length);
        return data.map((member: { network_handle: string }) => member.network_handle);
      };
      expect(await found(companies, 'ACME g')).toEqual(['acme']);
      expect(await found(companies, 'ME-U')).toEqual(['acme-uk']);
      expect(await found(companies, '')).toHaveLength(3);
      for (const [page, rows] of [
        [1, 1],
        [2, 1],
        [3, 0],
      ]) {
        const { data, meta } = await members(companies, `?q=acme&page_size=1&page=${page}`);
        expect({ rows: data.length, total: meta.pagination.total }).toEqual({ rows, total: 2 });
      }
      const { data, meta } = await members(companies, '?q=c&page_size=3&page=1');
      expect({ rows: data.length, total: meta.pagination.total }).toEqual({ rows: 2, total: 2 });
      await add(companies, { network_handle: 'acme-fr' });
      const lastPage = await members(companies, '?q=acme&page_size=2&page=2');
      expect({ rows: lastPage.data.length, total: lastPage.meta.pagination.total }).toEqual({
        rows: 1,
        total: 3,
      });
      expect(await found(companies, '%')).toEqual([]);
      expect(await found(companies, '_')).toEqual(['o_1']);
      expect(await found(people, 'gmbh')).toEqual(['ana']);
      expect(await found(people, 'a roy')).toEqual(['ana']);
      expect(await found(people, 'roy ana')).toEqual([]);
      expect(await found(people, 'x'.repeat(255))).toEqual([]);
    });
  });

  describe('one member', () => {
    it('MEM-60 MEM-61 LST-08 is removed: it is no longer in the list and not counted', async () => {
      const list = await newList('customer');
      const [member] = (await add(list, { network_handle: 'acme' }, { domain: 'b.example' })).body.data;
      await service.expectSettledEvents(['MembersRemoved'], async () => {
        expect(await workspace.call(`DELETE ${list}/members/${member.id}`)).toMatchObject({
          status: 204,
          body: null,
        });
      });
      expect((await members(list)).data).toHaveLength(1);
      expect(await countOf(list)).toBe(1);
      await refused(() => workspace.call(`DELETE ${list}/members/${member.id}`), 404);
      const [back] = (await add(list, { network_handle: 'acme' })).body.data;
      expect(back.id).not.toBe(member.id);
    });

    it('MEM-62 MEM-63 STM-06 is followed, not followed, or follows the setting of the list', async () => {
      const list = await newList('customer');
      const [member] = (await add(list, { network_handle: 'acme' })).body.data;
      for (const tracking_status of ['unfollowed', 'followed', null]) {
        await service.expectSettledEvents(['MemberTrackingSet'], async () => {
          const path = `PATCH ${list}/members/${member.id}/tracking-status`;
          expect(await answered(200, workspace.call(path, { tracking_status }))).toEqual({
            data: { ...member, tracking_status },
          });
        });
        expect((await members(list)).data).toEqual([{ ...member, tracking_status }]);
      }
    });

    it('MEM-65 LST-16 C-9 is labelled, and returns to the label of the list', async () => {
      const list = await newList('customer');
      const [member] = (await add(list, { network_handle: 'acme' })).body.data;
      for (const signal_bucket of ['bucket_1', 'bucket_2', 'bucket_3', null]) {
        const path = `PATCH ${list}/members/${member.id}/signal-bucket`;
        expect(await answered(200, workspace.call(path, { signal_bucket }))).toEqual({
          data: { ...member, signal_bucket },
        });
      }
    });

    for (const [path, field] of [
      ['tracking-status', 'tracking_status'],
      ['signal-bucket', 'signal_bucket'],
    ] as const) {
      it(`MEM-64 refuses another ${field}, or none, and an unknown member`, async () => {
        const list = await newList('customer');
        const [member] = (await add(list, { network_handle: 'acme' })).body.data;
        const patch = (id: number, body: object) =>
          workspace.call(`PATCH ${list}/members/${id}/${path}`, body);
        for (const body of [{}, { [field]: 'other' }, { [field]: 1 }])
          await refused(() => patch(member.id, body), 422, field);
        await refused(() => patch(999_999_999, { [field]: null }), 404);
      });
    }
  });

  it('MEM-66 LST-52 LST-56 the log lists additions and removals, newest first, and stays with a restored list', async () => {
    const list = await newList('customer');
    const [acme, other] = (await add(list, { network_handle: 'acme' }, { network_handle: 'other' })).body
      .data;
    await workspace.call(`DELETE ${list}/members/${acme.id}`);
    await workspace.call(`DELETE ${list}`);
    await refused(() => workspace.call(`GET ${list}/membership-logs`), 404);
    expect((await workspace.call(`POST ${list}/restore`)).body.data.member_count).toBe(1);
    const body = await answered(200, workspace.call(`GET ${list}/membership-logs?page_size=2`));
    expect(body.meta.pagination).toEqual({ page: 1, page_size: 2, page_count: 2, total: 3 });
    expect(
      body.data.map((entry: { action: string; member_id: number }) => [entry.action, entry.member_id]),
    ).toEqual([
      ['removed', acme.id],
      ['added', other.id],
    ]);
    expect(body.data[0]).toEqual({
      id: expect.any(Number),
      member_id: acme.id,
      action: 'removed',
      network_handle: 'acme',
      network_url: 'https://www.network.example/company/acme',
      domain: expect.any(String),
      name: 'Acme GmbH',
      source: 'api',
      occurred_at: expect.any(String),
    });
    const domain = 'known-by-this.example';
    await workspace.call(`POST ${list}/members`, { members: [{ domain }] });
    expect((await workspace.data(`GET ${list}/membership-logs?page_size=1`))[0]).toMatchObject({
      network_handle: null,
      name: null,
      domain,
    });
    const { body: bad } = await workspace.call(`GET ${list}/membership-logs?page=0`);
    expect({ status: bad.status, fields: Object.keys(bad.errors) }).toEqual({
      status: 400,
      fields: ['page'],
    });
  });
});

describe('people who were unknown to the network', () => {
  const service = scene();
  const workspace = sharedWorkspace(service);

  it('OP-71 are looked up again when it has learned more, and recorded only if the result is new', async () => {
    const missing = (handle: string) => ({ kind: 'missing', ref: `m:${handle}`, handle });
    const handles = ['late', 'gone', 'back', 'stranger', 'left'];
    const { path, memberIds } = await workspace.list('champion', handles);
    await service.drain();
    await workspace.call(`DELETE /api/v2/${path}/members/${memberIds.at(-1)}`);
    const statuses = async (): Promise<unknown> =>
      (await workspace.data(`GET /api/v2/${path}/members`)).map((member: Record<string, unknown>) => [
        member['network_handle'],
        member['enrichment_status'],
        member['first_name'],
      ]);
    /** The events of the list when the network learns something. */
    const learned = (observations: readonly object[]): Promise<readonly string[]> =>
      service.settledEventsOf(async () => {
        expect((await service.ingest(observations)).body).toMatchObject({ rejected_total: 0 });
        await Promise.all([service.drain(), service.drain()]);
      });
    const pending = (handle: string) => [handle, 'pending', null];
    const failed = (handle: string) => [handle, 'failed', null];
    const completed = (handle: string) => [handle, 'completed', handle];
    expect(await statuses()).toEqual(['late', 'gone', 'back', 'stranger'].map(pending));

    expect(await learned([missing('gone'), missing('back')])).toEqual(['MembersEnriched']);
    const before = [pending('late'), failed('gone'), failed('back'), pending('stranger')];
    expect(await statuses()).toEqual(before);

    expect(await learned([observedPerson('somebody-else')])).toEqual([]);
    expect(await statuses()).toEqual(before);

    const known = ['late', 'back', 'left'].map((handle) => observedPerson(handle));
    expect(await learned(known)).toEqual(['MembersEnriched']);
    const after = [completed('late'), failed('gone'), completed('back'), pending('stranger')];
    expect(await statuses()).toEqual(after);

    expect(await learned([observedPerson('another')])).toEqual([]);
    expect(await statuses()).toEqual(after);
  });
});

describe('companies that were unknown to the network', () => {
  const service = scene();
  const workspace = sharedWorkspace(service);

  it('OP-71 MEM-42 MEM-48 get name and logo when it has learned them, and q finds them by name', async () => {
    const { path } = await workspace.list('customer', []);
    const added = [
      { network_handle: 'latecorp' },
      { domain: 'late.example' },
      { network_handle: 'nameless' },
      { network_handle: 'left' },
      { domain: 'stranger.example' },
    ];
    const { body } = await workspace.call(`POST /api/v2/${path}/members`, { members: added });
    const [late, , , left] = body.data;
    await workspace.call(`DELETE /api/v2/${path}/members/${left.id}`);
    const shown = async (version: 'v2' | 'v3', query = ''): Promise<unknown> =>
      (await workspace.data(`GET /api/${version}/${path}/members${query}`)).map(
        (member: Record<string, unknown>) => [
          member['network_handle'] ?? member['domain'],
          member['name'],
          member['logo_url'],
        ],
      );
    /** The events of the list when the network learns something. */
    const learned = (observations: readonly object[]): Promise<readonly string[]> =>
      service.settledEventsOf(async () => {
        expect((await service.ingest(observations)).body).toMatchObject({ rejected_total: 0 });
        await Promise.all([service.drain(), service.drain()]);
      });
    const unnamed = (identifier: string) => [identifier, null, null];
    const logo = 'https://late.example/logo.png';
    const nameless = observedCompany('nameless', { name: null });
    expect(await learned([observedCompany('somebody-else'), nameless])).toEqual([]);
    const before = ['latecorp', 'late.example', 'nameless', 'stranger.example'].map(unnamed);
    expect(await shown('v2')).toEqual(before);

    const known = [
      observedCompany('latecorp', { name: 'Late Corporation', logo_url: logo }),
      observedCompany('late-too', { name: 'Also Late', domains: ['late.example'] }),
      observedCompany('left'),
    ];
    expect(await learned(known)).toEqual(['MembersNamed']);
    const after = [
      ['latecorp', 'Late Corporation', logo],
      ['late-too', 'Also Late', null],
      unnamed('nameless'),
      unnamed('stranger.example'),
    ];
    expect(await shown('v2')).toEqual(after);
    expect(await shown('v3')).toEqual(after);
    expect(await shown('v2', '?q=corporation')).toEqual(after.slice(0, 1));
    expect(await shown('v2', '?q=also%20late')).toEqual(after.slice(1, 2));
    const page = 'https://www.network.example/company/late-too';
    expect(await workspace.data(`GET /api/v2/${path}/members?q=late-too&response_format=concise`)).toEqual([
      { id: body.data[1].id, network_handle: 'late-too', network_url: page },
    ]);

    expect(await learned([observedCompany('another')])).toEqual([]);
    expect(await learned([observedCompany('nameless', { rev: 2, name: 'Named Now' })])).toEqual([
      'MembersNamed',
    ]);
    expect(await shown('v2', '?q=named')).toEqual([['nameless', 'Named Now', null]]);
    await workspace.call(`DELETE /api/v2/${path}/members/${late.id}`);
    const log = await workspace.data(`GET /api/v2/${path}/membership-logs?page_size=1`);
    expect(log).toMatchObject([{ action: 'removed', name: 'Late Corporation' }]);
  });

  it('OP-71 SRC-04 get the observed name also if a source has created them by their domain', async () => {
    const made = (domain: string) => ({
      kind: 'company',
      ref: `domain:${domain}`,
      domains: [domain],
      name: domain,
    });
    const { path } = await workspace.list('customer', []);
    const names = async (): Promise<unknown> =>
      (await workspace.data(`GET /api/v2/${path}/members`)).map(({ name }: { name: unknown }) => name);
    await service.ingest([made('earlier.example')]);
    const added = [{ domain: 'earlier.example' }, { domain: 'later.example' }];
    await workspace.call(`POST /api/v2/${path}/members`, { members: added });
    await service.ingest([made('later.example')]);
    await service.drain();
    expect(await names()).toEqual(['earlier.example', null]);
    const observed = (name: string) =>
      observedCompany(name, { name: `${name} Ltd`, domains: [`${name}.example`] });
    await service.ingest([observed('earlier'), observed('later')]);
    await service.drain();
    expect(await names()).toEqual(['earlier Ltd', 'later Ltd']);
  });
});

describe('events of a list at one moment', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service);

  it('OP-46 are in the log with the last event first, on every page', async () => {
    const list = `/api/v2/${(await workspace.list('customer')).path}`;
    const add = async (network_handle: string): Promise<number> =>
      (await workspace.data(`POST ${list}/members`, { members: [{ network_handle }] }))[0].id;
    const first = await add('first');
    const second = await add('second');
    await workspace.call(`DELETE ${list}/members/${first}`);
    const third = await add('third');
    await workspace.call(`DELETE ${list}/members/${second}`);
    const log: unknown[] = [];
    for (const page of [1, 2, 3]) {
      log.push(...(await workspace.data(`GET ${list}/membership-logs?page=${page}&page_size=2`)));
    }
    expect(log).toMatchObject([
      { action: 'removed', member_id: second },
      { action: 'added', member_id: third },
      { action: 'removed', member_id: first },
      { action: 'added', member_id: second },
      { action: 'added', member_id: first },
    ]);
    const moments = new Set(log.map((entry) => Reflect.get(Object(entry), 'occurred_at')));
    expect(moments.size).toBe(1);
  });
});
