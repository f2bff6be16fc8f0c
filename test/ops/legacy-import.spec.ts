import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endedCli, onData } from '../support/cli.js';
import { scene, sharedWorkspace } from '../support/scene.js';
import { NDJSON, type Answer } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('legacy.import', () => {
  const service = scene({ at: '2026-01-05T10:00:00.000Z' });
  const workspace = sharedWorkspace(service);
  const other = sharedWorkspace(service);

  beforeAll(async () => {
    await service.ingest([
      { kind: 'company', ref: 'c:acme', handle: 'acme', domains: ['acme.com'], name: 'Acme' },
      { kind: 'company', ref: 'c:twin-1', handle: 'twin-1', domains: ['twin.example'] },
      { kind: 'company', ref: 'c:twin-2', handle: 'twin-2', domains: ['twin.example'] },
    ]);
  });

  /** The answer, and the types of the events that the import added. */
  async function imported(lines: readonly (object | string)[]) {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const answer = await service.recorded(() => service.ops('legacy.import', text, NDJSON));
    return { status: answer.status, body: answer.body, events: answer.added.toSorted() };
  }
  const agentRow = (legacyId: string, more: object = {}) => ({
    kind: 'agent',
    workspace_id: workspace.id,
    legacy_id: legacyId,
    type: 'keyword_post_search',
    ...more,
  });
  const mappingRow = (legacyId: string, more: object = {}) => ({
    kind: 'mapping',
    workspace_id: workspace.id,
    legacy_id: legacyId,
    ...more,
  });
  const agentOf = async (id: number): Promise<Answer['body']> =>
    (await workspace.call(`GET /api/v2/agents/${id}`)).body.data;

  it('OPS-16 AG-23 imports agents that lack parameters, and they are listed', async () => {
    const { status, body, events } = await imported([
      agentRow('a-1'),
      '',
      agentRow('a-2', {
        type: 'keyword_detection',
        name: 'Old words',
        enabled: false,
        parameters: { start_date: '2024-01-01', tracking_keywords: null },
        created_at: '2024-02-03',
      }),
      agentRow('a-3', { type: 'champion_tracking', parameters: { author_roles: ['CEO'] } }),
    ]);
    expect([status, events]).toEqual([
      200,
      [...Array(3).fill('LegacyAgentImported'), ...Array(3).fill('RequestClaimed')],
    ]);
    const [first, second, third] = body.rows.map(({ id }: { id: number }) => id);
    expect(body).toEqual({
      imported: 3,
      existing: 0,
      rows: [
        { line: 1, kind: 'agent', legacy_id: 'a-1', id: expect.any(Number) },
        { line: 3, kind: 'agent', legacy_id: 'a-2', id: expect.any(Number) },
        { line: 4, kind: 'agent', legacy_id: 'a-3', id: expect.any(Number) },
      ],
      notes: [],
    });
    const unbound = { schedule: null, watchlist_kind: null, watchlist_id: null };
    const now = '2026-01-05T10:00:00.000Z';
    const sparse = {
      id: first,
      name: 'Keyword post search',
      type: 'keyword_post_search',
      enabled: true,
      schedulable: true,
      parameters: {},
      ...unbound,
      created_at: now,
      updated_at: now,
    };
    const disabled = {
      id: second,
      name: 'Old words',
      type: 'keyword_detection',
      enabled: false,
      schedulable: false,
      parameters: { start_date: '2024-01-01' },
      ...unbound,
      created_at: '2024-02-03T00:00:00.000Z',
      updated_at: now,
    };
    expect(await agentOf(first)).toEqual(sparse);
    expect(await agentOf(second)).toEqual(disabled);
    expect(await agentOf(third)).toMatchObject({ parameters: { author_roles: ['CEO'] } });
    const listed = await workspace.call('GET /api/v2/agents');
    expect([listed.status, listed.body.data]).toEqual([200, expect.arrayContaining([sparse, disabled])]);
    expect((await other.call('GET /api/v2/agents')).body.data).toEqual([]);
  });

  it('AG-23 imports a competitor agent with its list, and without one as unconfigured, with a note', async () => {
    const list = await workspace.call('POST /api/v2/lists', { type: 'competitor', name: 'Rivals' });
    const { status, body, events } = await imported([
      agentRow('c-1', { type: 'competitor', watchlist_id: list.body.data.id }),
      agentRow('c-2', { type: 'competitor', parameters: { mode: 'all' } }),
    ]);
    expect([status, events]).toEqual([
      200,
      ['AgentBound', 'LegacyAgentImported', 'LegacyAgentImported', 'RequestClaimed', 'RequestClaimed'],
    ]);
    const [bound, unbound] = body.rows.map(({ id }: { id: number }) => id);
    expect(await agentOf(bound)).toMatchObject({
      type: 'competitor',
      watchlist_id: list.body.data.id,
      parameters: { target_group: null, resolved_target_persona: expect.arrayContaining(['CEO']) },
    });
    expect(await agentOf(unbound)).toMatchObject({
      type: 'unconfigured',
      parameters: {},
      watchlist_id: null,
    });
    expect(body.notes).toEqual([
      {
        line: 2,
        message:
          'without watchlist_id the competitor agent is imported as unconfigured, and parameters.mode not kept',
      },
    ]);
  });

  it('OPS-16 an imported agent is launched, changed and enabled like others', async () => {
    const { body } = await imported([
      agentRow('l-1'),
      agentRow('l-2', { type: 'job_update', enabled: false }),
    ]);
    const [keyword, disabled] = body.rows.map(({ id }: { id: number }) => id);
    expect(await workspace.run(keyword)).toMatchObject({ stage: 'completed' });
    const parameters = { tracking_keywords: ['crm'] };
    const changed = await workspace.call(`PUT /api/v2/agents/${keyword}`, { parameters });
    expect([changed.status, changed.body.data.parameters]).toEqual([200, parameters]);
    const enabled = await workspace.call(`PUT /api/v2/agents/${disabled}`, { enabled: true });
    expect([enabled.status, enabled.body.data.enabled]).toEqual([200, true]);
  });

  it('MAP-41 MAP-45 OPS-16 imports mappings that name no persona, with null for unknown values', async () => {
    const { status, body, events } = await imported([
      mappingRow('m-1', {
        company_domain: 'acme.com',
        request_date: '2024-05-06',
        status: 'complete',
        version: 3,
        persona_id: null,
      }),
      mappingRow('m-2'),
    ]);
    expect([status, body.imported]).toEqual([200, 2]);
    expect(events.filter((type) => type.startsWith('Legacy'))).toEqual([
      'LegacyMappingImported',
      'LegacyMappingImported',
    ]);
    const [known, sparse] = body.rows.map(({ id }: { id: number }) => id);
    const full = {
      id: known,
      request_date: '2024-05-06',
      version: 3,
      status: 'complete',
      company: { id: expect.any(Number), name: 'Acme', domain: 'acme.com' },
      persona_id: null,
    };
    const bare = {
      id: sparse,
      request_date: null,
      version: null,
      status: null,
      company: null,
      persona_id: null,
    };
    const listed = await workspace.call('GET /api/v2/company-mappings');
    expect([listed.status, listed.body.data]).toEqual([200, [full, bare]]);
    for (const mapping of [full, bare]) {
      const shown = await workspace.call(`GET /api/v2/company-mappings/${mapping.id}`);
      expect([shown.status, shown.body.data]).toEqual([200, { ...mapping, profiles: [] }]);
    }
    const foreign = await other.call(`GET /api/v2/company-mappings/${known}`);
    expect(foreign.status).toBe(404);
    const again = await service.ops('mapping.rematerialize', {
      workspace_id: workspace.id,
      mapping_id: known,
    });
    expect(again).toMatchObject({ status: 200, body: { version: 4 } });
  });

  it('OPS-16 the same file again adds nothing and answers the same ids', async () => {
    const lines = [
      agentRow('r-1', { name: 'Once' }),
      mappingRow('r-1', { company_network_handle: 'acme', request_date: '2024-06-07' }),
    ];
    const first = await imported(lines);
    expect(first).toMatchObject({ status: 200, body: { imported: 2, existing: 0 } });
    const again = await imported(lines);
    expect(again).toEqual({
      status: 200,
      body: { imported: 0, existing: 2, rows: first.body.rows, notes: [] },
      events: [],
    });
  });

  it('OPS-16 a deleted agent stays deleted when its row is imported again', async () => {
    const first = await imported([agentRow('d-1')]);
    await workspace.call(`DELETE /api/v2/agents/${first.body.rows[0].id}`);
    expect(await imported([agentRow('d-1')])).toMatchObject({ body: { existing: 1 }, events: [] });
    expect((await workspace.call(`GET /api/v2/agents/${first.body.rows[0].id}`)).status).toBe(404);
  });

  it('OPS-16 counts a row once if two calls import it at the same time', async () => {
    const text = [agentRow('e-1'), mappingRow('e-2'), agentRow('e-3', { type: 'champion_tracking' })]
      .map((row) => JSON.stringify(row))
      .join('\n');
    const answers = await Promise.all([1, 2, 3].map(() => service.ops('legacy.import', text, NDJSON)));
    const sum = (of: 'imported' | 'existing'): number =>
      answers.reduce((total, { body }) => total + Number(body[of]), 0);
    expect([sum('imported'), sum('existing')]).toEqual([3, 6]);
    expect(answers.map(({ body }) => body.rows)).toEqual(Array(3).fill(answers[0]?.body.rows));
  });

  it('OPS-16 an invalid row is named by line and member, and no row of the file is imported', async () => {
    await imported([
      agentRow('x-1'),
      mappingRow('x-1', { company_domain: 'acme.com', request_date: '2024-08-01' }),
    ]);
    const cases: readonly (readonly [object | string, string, string])[] = [
      ['nonsense', 'line 2', 'is not valid JSON in UTF-8'],
      ['[]', 'line 2', 'must be an object'],
      [{ kind: 'setup' }, 'line 2 kind', 'must be one of agent, mapping'],
      [agentRow('y', { type: undefined }), 'line 2 type', 'is required'],
      [agentRow('y', { type: 'robot' }), 'line 2 type', expect.stringContaining('must be one of')],
      [agentRow('y', { colour: 'red' }), 'line 2 colour', 'is not a member of this kind of row'],
      [agentRow('y', { workspace_id: 999_999 }), 'line 2 workspace_id', expect.stringContaining('workspace')],
      [agentRow('y', { name: ' ' }), 'line 2 name', 'must not be blank'],
      [agentRow('y', { enabled: 'no' }), 'line 2 enabled', 'must be true or false'],
      [
        agentRow('y', { parameters: { mode: 'all' } }),
        'line 2 parameters.mode',
        'is not a parameter of keyword_post_search agents',
      ],
      [
        agentRow('y', { parameters: { tracking_keywords: [' '] } }),
        'line 2 parameters.tracking_keywords',
        'entry 1 must not be empty',
      ],
      [
        agentRow('y', { parameters: { tracking_keywords: 'crm' } }),
        'line 2 parameters.tracking_keywords',
        'must be a list',
      ],
      [
        agentRow('y', { parameters: { tracking_keywords: ['x'.repeat(201)] } }),
        'line 2 parameters.tracking_keywords',
        'has an entry of more than 200 characters',
      ],
      [agentRow('y', { watchlist_id: 1 }), 'line 2 watchlist_id', 'keyword_post_search agents watch no list'],
      [
        agentRow('y', { type: 'competitor', watchlist_id: 999_999 }),
        'line 2 watchlist_id',
        'does not exist in this workspace',
      ],
      [agentRow('y', { created_at: 'yesterday' }), 'line 2 created_at', 'must be a date or timestamp'],
      [agentRow('y', { created_at: '2026-01-06' }), 'line 2 created_at', 'must not be in the future'],
      [agentRow('x-1', { name: 'Another' }), 'line 2 legacy_id', 'was imported before with other members'],
      [agentRow('new'), 'line 2 legacy_id', 'is also in line 1'],
      [mappingRow('y', { persona_id: 4 }), 'line 2 persona_id', expect.stringContaining('null')],
      [mappingRow('y', { profiles: [] }), 'line 2 profiles', 'is not a member of this kind of row'],
      [mappingRow('y', { status: 'in_progress' }), 'line 2 status', 'must be one of complete'],
      [mappingRow('y', { version: 0 }), 'line 2 version', expect.stringContaining('1')],
      [mappingRow('y', { request_date: '2026-01-05' }), 'line 2 request_date', 'must be before today'],
      [mappingRow('y', { request_date: '2024-02-30' }), 'line 2 request_date', 'must be a date, YYYY-MM-DD'],
      [
        mappingRow('y', { company_domain: 'twin.example' }),
        'line 2 company_domain',
        'stands for several companies',
      ],
      [
        mappingRow('y', { company_domain: 'no domain' }),
        'line 2 company_domain',
        'is no identifier of the network',
      ],
      [
        mappingRow('y', { company_network_handle: 'acme', request_date: '2024-08-01' }),
        'line 2 request_date',
        'is a day for which the company already has an unattributed mapping',
      ],
    ];
    const refusals = [];
    for (const [row] of cases) {
      const { status, body, events } = await imported([agentRow('new'), row]);
      refusals.push([status, body.detail, body.errors, events]);
    }
    const detail = 'The file is not valid: nothing was imported.';
    expect(refusals).toEqual(cases.map(([, field, message]) => [422, detail, { [field]: [message] }, []]));
  });

  it('MAP-45 two rows of one company and day are refused', async () => {
    const day = { company_domain: 'nobody-knows.example', request_date: '2024-09-01' };
    expect(await imported([mappingRow('p', day), mappingRow('q', day)])).toMatchObject({
      status: 422,
      body: {
        errors: {
          'line 2 request_date': ['is a day for which the company already has an unattributed mapping'],
        },
      },
      events: [],
    });
  });

  it('MAP-45 a day without a named launcher of the company is refused', async () => {
    await other.call('POST /api/v2/personas', { job_title: ['CEO'], location: ['France'], tag: 'ceos' });
    const submitted = await other.call('POST /api/v2/top-account-list/accounts', {
      accounts: [{ domain: 'acme.com' }],
    });
    expect(submitted.status).toBe(202);
    await service.drain();
    await service.ops('clock.advance', { ms: 86_400_000 });
    const day = { workspace_id: other.id, company_domain: 'acme.com' };
    const taken = await imported([mappingRow('t', { ...day, request_date: '2026-01-05' })]);
    expect(taken).toMatchObject({
      status: 422,
      body: {
        errors: {
          'line 1 request_date': ['is a day for which the company already has an unattributed mapping'],
        },
      },
      events: [],
    });
    const free = await imported([mappingRow('t', { ...day, request_date: '2026-01-04' })]);
    expect(free).toMatchObject({ status: 200, body: { imported: 1 } });
  });
});

describe('legacy import at the command line', () => {
  const folder = temporaryFolder('legacy-import');

  it('OPS-16 ends with 1 for a file with faults, and names line and member', async () => {
    const file = join(folder, 'rows.jsonl');
    writeFileSync(file, '{"kind":"persona"}\n');
    const { code, errors } = await endedCli(['legacy', 'import', file], onData(join(folder, 'data')));
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('line 1 kind: must be one of agent, mapping'),
    ]);
  });
});
