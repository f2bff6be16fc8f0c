import type { Client } from '@modelcontextprotocol/client';
import { compileSchema } from '#http/json-schema.js';
import { heldCalls, includesType } from '#test/support/held-calls.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { balanceOf } from '#test/support/signal-runs.js';
import {
  answerOf,
  crmScene,
  crmSetup,
  ERAS,
  mcpClient,
  overHttp,
  problemOf,
  rawMcp,
} from '#test/support/mcp.js';
import { sharedWorkspace } from '#test/support/scene.js';

const READING = [
  'explain_signal',
  'find_signals',
  'get_balance',
  'get_forecast',
  'get_run',
  'list_signal_setups',
  'list_signal_templates',
  'list_top_accounts',
  'preview_keywords',
  'quote_run',
];

describe('the tools for assistants', () => {
  const held = heldCalls();
  const service = crmScene(5, { outside: held.outside });
  const workspace = sharedWorkspace(service);
  let agentId: number;
  beforeAll(async () => {
    agentId = await keywordAgent(workspace, 'crm');
  });

  const clients: Client[] = [];
  afterEach(async () => {
    held.release();
    for (const client of clients.splice(0)) await client.close();
  });
  async function connected(
    apiKey = workspace.apiKey,
    options: Parameters<typeof mcpClient>[1] = {},
  ): Promise<Client> {
    const client = await mcpClient(overHttp(service.url, apiKey), options);
    clients.push(client);
    return client;
  }

  describe.each(ERAS)('with the official client, revision %s', (era) => {
    it('MCP-01 MCP-03 lists the tools with schemas, correct hints and prices of the workspace', async () => {
      const client = await connected(undefined, { era });
      expect(client.getServerVersion()).toMatchObject({ name: 'signal-ledger' });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual([...READING, 'launch_run'].sort());
      for (const { name, description = '', annotations, inputSchema, outputSchema, _meta } of tools) {
        const spends = name === 'launch_run';
        expect([name, annotations?.readOnlyHint, annotations?.destructiveHint]).toEqual([
          name,
          !spends,
          spends,
        ]);
        expect([name, annotations?.idempotentHint, annotations?.openWorldHint]).toEqual([name, true, spends]);
        expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, 'object', 'object']);
        // Assistants refuse a choice at the root, and references.
        expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('$ref');
        expect(inputSchema).not.toHaveProperty('oneOf');
        expect(
          Object.values(inputSchema.properties ?? {}).map((each) => typeof Object(each).description),
        ).toEqual(Object.keys(inputSchema.properties ?? {}).map(() => 'string'));
        const price = _meta?.['signal-ledger/price'];
        if (spends) expect(price).toEqual({ free: false, per: 'signal', credits: [10, 20, 40] });
        else expect(price).toEqual({ free: true, credits: 0 });
        expect(description).toMatch(spends ? /Price: 10, 20 or 40 credits/ : / Free\.$/);
      }
    });

    it('MCP-02 MCP-04 MCP-05 quotes, launches within a limit, follows the run, finds and explains', async () => {
      const client = await connected(undefined, { era });
      const own = await service.workspace({ name: `Acme ${era}` });
      const setupId = await crmSetup(own);
      const ofOwn = await connected(own.apiKey, { era });
      const quote = await answerOf(ofOwn, 'quote_run', { signal_setup_id: setupId });
      expect(quote).toMatchObject({ priced: 5, unit_price: 10, credits_at_most: 50 });
      const asked = { signal_setup_id: setupId, max_credits: 20, idempotency_key: `launch-${era}` };
      held.hold((method, [, , events]) => method === 'append' && includesType(events, 'RunStarted'));
      const launched = await answerOf(ofOwn, 'launch_run', asked);
      held.release();
      expect(launched).toMatchObject({
        charged: 0,
        remaining: 1000,
        movement_id: null,
        replayed: false,
        runs: [{ stage: 'running', max_credits: 20 }],
      });
      const [{ signal_request_id: runId }] = launched.runs;
      await service.drain();
      expect(await answerOf(ofOwn, 'get_run', { signal_run_id: runId, wait_seconds: 20 })).toMatchObject({
        stage: 'completed_partial',
        credits_spent: 20,
      });
      // A repeated call is the same launch, with its cost so far.
      await service.expectSettledEvents([], async () => {
        expect(await answerOf(ofOwn, 'launch_run', { ...asked, wait_seconds: 1 })).toMatchObject({
          charged: 20,
          remaining: 980,
          movement_id: expect.any(Number),
          replayed: true,
        });
      });
      expect(await balanceOf(own)).toMatchObject({ balance: 980, held: 0 });
      const { data: signals } = await answerOf(ofOwn, 'find_signals', { signal_setup_id: setupId, limit: 1 });
      const explained = await answerOf(ofOwn, 'explain_signal', { signal_id: signals[0].id });
      expect(explained).toMatchObject({
        signal: {
          id: signals[0].id,
          credits: 10,
          details: { keywords: ['crm'] },
          source_url: expect.any(String),
        },
        charge: { kind: 'charge', status: 'captured', credits: 10, cause: { signal_setup_id: setupId } },
        signal_setup: { id: setupId, parameters: { tracking_keywords: ['crm'] } },
      });
      expect(await answerOf(ofOwn, 'get_balance')).toMatchObject({ data: { balance: 980, captured: 20 } });
      expect((await answerOf(ofOwn, 'get_forecast')).data.days).toHaveLength(90);
      expect((await answerOf(ofOwn, 'list_signal_setups')).data).toHaveLength(1);
      expect(
        (await answerOf(ofOwn, 'list_signal_templates', { page_size: 100 })).data.length,
      ).toBeGreaterThan(9);
      expect(await answerOf(ofOwn, 'preview_keywords', { keywords: ['crm'] })).toMatchObject({
        data: { posts: 5 },
      });
      expect(await answerOf(ofOwn, 'list_top_accounts')).toMatchObject({ data: [] });
      expect(await answerOf(client, 'list_signal_setups')).toMatchObject({ data: [] });
    });
  });

  it('MCP-02 explains a signal that was free: it has no charge', async () => {
    const partner = await service.workspace({ billing: 'exempt', credits: undefined });
    const setupId = await crmSetup(partner);
    const client = await connected(partner.apiKey);
    const asked = { signal_setup_id: setupId, max_credits: 100, idempotency_key: 'free' };
    const { runs } = await answerOf(client, 'launch_run', asked);
    await service.drain();
    expect(await answerOf(client, 'launch_run', asked)).toMatchObject({ charged: 0, movement_id: null });
    const { data } = await answerOf(client, 'find_signals', { signal_run_id: runs[0].signal_request_id });
    expect(data.length).toBeGreaterThan(0);
    expect(await answerOf(client, 'explain_signal', { signal_id: data[0].id })).toMatchObject({
      signal: { credits: 0, movement_id: null },
      charge: null,
      signal_setup: { id: setupId },
    });
  });

  it('MCP-02 names the wrong argument by its name in the tool, and changes nothing', async () => {
    const client = await connected();
    const wrong: readonly (readonly [string, object, string, string])[] = [
      ['get_run', { signal_run_id: 'abc' }, 'signal_run_id', 'must be an integer of at least 1'],
      ['get_run', {}, 'signal_run_id', 'must be an integer of at least 1'],
      ['get_run', { id: 1, signal_run_id: 1 }, 'id', 'is not known here'],
      ['get_run', { signal_run_id: 1, wait_seconds: 21 }, 'wait_seconds', 'must be an integer from 0 to 20'],
      ['get_balance', { workspace_id: 2 }, 'workspace_id', 'is not known here'],
      ['find_signals', { limit: 'x' }, 'limit', 'must be an integer'],
      ['find_signals', { limits: 1 }, 'limits', 'is not known here; limit is'],
      ['find_signals', { cities: [{ name: 'x', land: 'y' }] }, 'cities.0.land', 'is not known here'],
      ['find_signals', { ['__proto__x']: 1 }, '__proto__x', 'is not known here'],
      [
        'find_signals',
        { countries: ['a\u0000'] },
        'countries',
        'entry 1 must not contain NUL characters or lone surrogates',
      ],
      ['list_top_accounts', { page: -1 }, 'page', 'must be at least 1'],
      [
        'list_top_accounts',
        { monitoring_status: ['maybe'] },
        'monitoring_status',
        expect.stringMatching(/must be one of/),
      ],
      ['preview_keywords', {}, 'keywords', 'is required'],
      [
        'quote_run',
        { agent_id: agentId, parameters: { lookback_days: 0 } },
        'parameters.lookback_days',
        'must be at least 1',
      ],
      ['launch_run', { agent_id: agentId, max_credits: 10 }, 'idempotency_key', 'is required'],
      ['launch_run', { agent_id: agentId, idempotency_key: 'k' }, 'max_credits', 'is required'],
      [
        'launch_run',
        { agent_id: agentId, max_credits: 10, idempotency_key: 'a b' },
        'idempotency_key',
        'must be 1 to 255 visible characters',
      ],
      [
        'launch_run',
        { agent_id: agentId, max_credits: '10', idempotency_key: 'w1' },
        'max_credits',
        'must be a number',
      ],
      [
        'launch_run',
        { agent_id: agentId, max_credits: 0.0000001, idempotency_key: 'w2' },
        'max_credits',
        'must have at most six decimals',
      ],
      [
        'launch_run',
        { agent_id: agentId, max_credits: 9, idempotency_key: 'w3' },
        'max_credits',
        expect.stringMatching(/./),
      ],
      [
        'launch_run',
        { agent_id: agentId, signal_setup_id: 1, max_credits: 10, idempotency_key: 'w4' },
        'agent_id',
        'exactly one of agent_id, signal_setup_id is needed',
      ],
      [
        'launch_run',
        { agent_id: agentId, max_credit: 10, max_credits: 10, idempotency_key: 'w5' },
        'max_credit',
        'is not known here; max_credits is',
      ],
      [
        'launch_run',
        { agent_id: agentId, quote_id: 'x', max_credits: 10, idempotency_key: 'w6' },
        'quote_id',
        'is not a quote of this workspace',
      ],
    ];
    const events = await service.settledEventsOf(async () => {
      for (const [name, given, field, message] of wrong) {
        const problem = await problemOf(client, name, { ...given });
        expect([name, given, problem.errors]).toEqual([name, given, { [field]: [message] }]);
        expect(problem).toMatchObject({
          status: expect.any(Number),
          title: expect.any(String),
          instance: '/mcp',
        });
      }
    });
    // A used key stays used: only its claim and its answer are stored.
    expect(new Set(events)).toEqual(new Set(['RequestClaimed', 'RequestAnswered']));
    expect(await balanceOf(workspace)).toMatchObject({ balance: 1000, held: 0 });
  });

  it('MCP-02 describes a refusal in words, for an assistant that reads no structure', async () => {
    const client = await connected();
    const { content } = await client.callTool({ name: 'find_signals', arguments: { limit: 0 } });
    expect(content).toEqual([
      { type: 'text', text: 'Bad Request (400): The request body is not valid.\nlimit: must be at least 1' },
    ]);
  });

  it('MCP-03 answers errors that are valid by its output schema, for clients that check them', async () => {
    const client = await connected();
    const { tools } = await client.listTools();
    const problem = await problemOf(client, 'get_run', { signal_run_id: 'abc' });
    for (const { name, outputSchema } of tools) {
      const isValid = compileSchema({ ...outputSchema });
      expect([name, isValid(problem), isValid({}), isValid({ detail: 'x' })]).toEqual([
        name,
        true,
        false,
        false,
      ]);
    }
  });

  it('MCP-03 says which member of an answer is the id of a run, because it has another name there', async () => {
    const { tools } = await (await connected()).listTools();
    const described = tools.find(({ name }) => name === 'get_run')?.description;
    expect(described).toContain('`signal_run_id` is the `signal_request_id`');
  });

  it('MCP-02 treats an unknown tool name as a fault of the call', async () => {
    const client = await connected();
    await expect(client.callTool({ name: 'lunch_run', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('launch_run is one'),
    });
  });

  it('MCP-03 AUTH-10 shows no tool that spends to a read-only key, and refuses a call of one', async () => {
    const issued = await service.ops('apikey.issue', {
      workspace_id: workspace.id,
      label: 'eyes',
      read_only: true,
    });
    const client = await connected(issued.body.api_key, {
      ask: () => ({ action: 'accept', content: { launch: true } }),
    });
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(READING);
    expect(await answerOf(client, 'quote_run', { agent_id: agentId })).toMatchObject({ priced: 5 });
    const asked = { agent_id: agentId, max_credits: 50, idempotency_key: 'eyes' };
    await service.expectSettledEvents([], async () => {
      expect(await problemOf(client, 'launch_run', asked)).toMatchObject({
        status: 403,
        detail: 'This API key only reads.',
      });
    });
  });

  it('MCP-04 CAP-03 answers a refusal by a cap as an error with the cap, and no tool raises one', async () => {
    const capped = await service.workspace();
    const setupId = await crmSetup(capped);
    await capped.call('POST /api/v3/credits/caps', { scope: 'workspace', period: 'month', limit: 5 });
    const client = await connected(capped.apiKey);
    const problem = await problemOf(client, 'launch_run', {
      signal_setup_id: setupId,
      max_credits: 100,
      idempotency_key: 'capped',
    });
    expect(problem).toMatchObject({
      type: 'https://docs.example.test/errors/cap-reached',
      title: 'Cap reached',
      status: 402,
      cap: { scope: 'workspace', period: 'month', limit: 5, spent: 0 },
      credits_required: 10,
    });
    const { tools } = await client.listTools();
    const takers = tools.filter(({ inputSchema }) =>
      /limit_credits|cap_|"limit":\{"type":"number"/.test(JSON.stringify(inputSchema)),
    );
    expect(takers).toEqual([]);
    expect((await capped.call('GET /api/v3/credits/caps')).body.data).toMatchObject([{ limit: 5, spent: 0 }]);
    const poor = await service.workspace({ credits: 5 });
    const poorSetup = await crmSetup(poor);
    const poorClient = await connected(poor.apiKey);
    const refused = { signal_setup_id: poorSetup, max_credits: 100, idempotency_key: 'poor' };
    expect(await problemOf(poorClient, 'launch_run', refused)).toMatchObject({
      title: 'Insufficient credits',
      credits_available: 5,
    });
  });

  it('MCP-04 OP-66 shares its keys with the header of that name: one key is one request', async () => {
    const client = await connected();
    const key = { 'idempotency-key': 'shared' };
    const list = { type: 'competitor', name: 'Rivals' };
    expect((await workspace.call('POST /api/v2/lists', list, key)).status).toBe(201);
    const asked = { agent_id: agentId, max_credits: 10, idempotency_key: 'shared' };
    expect(await problemOf(client, 'launch_run', asked)).toMatchObject({
      status: 422,
      errors: { idempotency_key: ['was used for a different request'] },
    });
  });

  it('MCP-02 ISO-01 answers a request for an object of another workspace like one for an unknown object', async () => {
    const other = await service.workspace();
    const setupId = await crmSetup(other);
    const theirs = await connected(other.apiKey);
    const launched = await answerOf(theirs, 'launch_run', {
      signal_setup_id: setupId,
      max_credits: 10,
      idempotency_key: 'theirs',
    });
    await service.drain();
    const runId = launched.runs[0].signal_request_id;
    const { data } = await answerOf(theirs, 'find_signals');
    const mine = await connected();
    const never = 999_999;
    const pairs: readonly (readonly [string, (id: number) => Record<string, unknown>, number])[] = [
      ['get_run', (signal_run_id) => ({ signal_run_id }), runId],
      ['explain_signal', (signal_id) => ({ signal_id }), data[0].id],
      ['quote_run', (signal_setup_id) => ({ signal_setup_id }), setupId],
      [
        'launch_run',
        (signal_setup_id) => ({ signal_setup_id, max_credits: 10, idempotency_key: `i${signal_setup_id}` }),
        setupId,
      ],
    ];
    for (const [name, given, id] of pairs) {
      const [strange, nothing] = [
        await problemOf(mine, name, given(id)),
        await problemOf(mine, name, given(never)),
      ];
      expect([name, strange]).toEqual([name, nothing]);
      expect([name, strange.status]).toEqual([name, 404]);
    }
    expect(await answerOf(mine, 'find_signals', { signal_run_id: runId })).toMatchObject({ data: [] });
    expect(await answerOf(mine, 'find_signals', { signal_setup_id: setupId })).toMatchObject({ data: [] });
    // The same idempotency key is independent in another workspace.
    const own = await crmSetup(workspace);
    expect(
      await answerOf(mine, 'launch_run', {
        signal_setup_id: own,
        max_credits: 10,
        idempotency_key: 'theirs',
      }),
    ).toMatchObject({ replayed: false });
    await service.drain();
  });

  it('MCP-01 is answered at once and whole: a subscription ends, since no list changes', async () => {
    const raw = rawMcp(service.url, workspace.apiKey);
    const discovered = await raw('server/discover', {});
    expect(discovered.body.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: false } },
      instructions: expect.stringContaining('quote_run'),
    });
    const listed = await raw('tools/list', {});
    expect(listed.body.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
  });
});
