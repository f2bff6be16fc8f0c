import { crmScene, crmSetup, rawMcp, type RawMcp } from '#test/support/mcp.js';
import { sharedWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const PAGE = 'https://app.example.com';
const ACCEPT = { accept: 'application/json, text/event-stream' };

describe('MCP-01 the endpoint for assistants', () => {
  const service = crmScene(5, {
    settings: { CORS_ORIGINS: PAGE, RATE_LIMIT_RPS: '1', RATE_LIMIT_BURST: '60' },
  });
  const workspace = sharedWorkspace(service);
  const raw: RawMcp = (...call) => rawMcp(service.url, workspace.apiKey)(...call);

  const send = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    workspace.call('POST /mcp', body, { ...ACCEPT, ...headers });
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };

  it('refuses calls without a key, before anything is read', async () => {
    for (const authorization of ['', 'Bearer wsk_live_0', `Basic ${workspace.apiKey}`]) {
      const answer = await service.call('POST /mcp', '{"broken', { authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.body).toMatchObject({ title: 'Unauthorized', instance: '/mcp' });
    }
  });

  it('answers other methods with 405: there are no sessions to open, to listen to or to end', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await workspace.call(`${method} /mcp`, undefined, { accept: 'text/event-stream' });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const { headers } = await send(list);
    expect(headers.get('mcp-session-id')).toBeNull();
  });

  it('refuses pages of other origins, and admits those of CORS_ORIGINS and programs', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:3000', `${PAGE}.evil.example`]) {
      const answer = await send(list, { origin });
      expect([origin, answer.status, answer.body.title]).toEqual([origin, 403, 'Forbidden']);
    }
    expect((await raw('tools/list', {}, { headers: { origin: PAGE } })).status).toBe(200);
    const preflight = await fetch(new URL('/mcp', service.url), {
      method: 'OPTIONS',
      headers: { origin: PAGE, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(
      /MCP-Protocol-Version, Mcp-Method, Mcp-Name/,
    );
  });

  it('refuses an invalid message, and says why', async () => {
    const problems: readonly (readonly [string, RegExp])[] = [
      ['{', /not valid JSON/],
      ['[]', /one message, not a batch/],
      [JSON.stringify([list, list]), /one message, not a batch/],
      ['"text"', /must be a JSON object/],
      ['5', /must be a JSON object/],
      ['null', /must be a JSON object/],
      [`{"a":${'['.repeat(250)}${']'.repeat(250)}}`, /nested deeper than 200/],
      [JSON.stringify({ ...list, params: { x: 'a'.repeat(1_100_000) } }), /too large/],
    ];
    await service.expectSettledEvents([], async () => {
      for (const [body, detail] of problems) {
        const answer = await send(body);
        expect([body.slice(0, 20), answer.status]).toEqual([body.slice(0, 20), 400]);
        expect(answer.body.detail).toMatch(detail);
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
      }
    });
  });

  it('answers messages that break the protocol with its own errors', async () => {
    const broken: readonly (readonly [object, number, number | null])[] = [
      [{}, 400, -32600],
      [{ jsonrpc: '1.0', id: 1, method: 'tools/list' }, 400, -32600],
      [{ jsonrpc: '2.0', id: {}, method: 'tools/list' }, 400, -32600],
      [{ jsonrpc: '2.0', id: 1, method: 5 }, 400, -32600],
    ];
    for (const [body, status] of broken) {
      const answer = await send(body);
      expect([body, answer.status]).toEqual([body, status]);
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    }
    const wrongVersion = await raw('tools/list', {}, { headers: { 'mcp-protocol-version': '2025-11-25' } });
    expect([wrongVersion.status, wrongVersion.body.error.code]).toEqual([400, -32020]);
    const wrongName = await raw(
      'tools/call',
      { name: 'launch_run', arguments: {} },
      { headers: { 'mcp-name': 'get_balance' } },
    );
    expect([wrongName.status, wrongName.body.error.code]).toEqual([400, -32020]);
    const nothing = await raw('tools/lost', {});
    expect([nothing.status, nothing.body.error.code]).toEqual([404, -32601]);
    for (const given of ['x', 5, [], null]) {
      const answer = await raw('tools/call', { name: 'get_balance', arguments: given });
      expect([given, answer.body.error?.code]).toEqual([given, -32602]);
    }
    for (const name of [5, null, '', '__proto__', 'constructor', 'x'.repeat(50_000)]) {
      const { body } = await raw('tools/call', { name, arguments: {} }, { headers: { 'mcp-name': 'x' } });
      expect([String(name).slice(0, 20), typeof body.error.code]).toEqual([
        String(name).slice(0, 20),
        'number',
      ]);
    }
  });

  it('accepts a notification with 202 and an empty body', async () => {
    const answer = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([answer.status, answer.body]).toEqual([202, null]);
    const sent = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { ...ACCEPT, authorization: `Bearer ${workspace.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    });
    // Not the text `null`, which is no message of the protocol.
    expect([sent.status, await sent.text()]).toEqual([202, '']);
  });

  it('counts each message once under the limit of its key', async () => {
    const issued = await service.ops('apikey.issue', { workspace_id: workspace.id, label: 'busy' });
    const busy = rawMcp(service.url, issued.body.api_key);
    const statuses: number[] = [];
    for (let sent = 0; sent < 62; sent += 1) {
      const answer = await busy('tools/call', { name: 'get_balance', arguments: {} });
      statuses.push(answer.status);
      if (answer.status === 429) {
        expect(answer.type).toBe('application/problem+json');
        break;
      }
    }
    // Real time passes meanwhile, at one request a second.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(60);
  });

  it('gives a blocked workspace no more than the API does', async () => {
    const blocked = await service.workspace();
    const setupId = await crmSetup(blocked);
    const block = await service.ops('workspace.block', { workspace_id: blocked.id, reason: 'unpaid' });
    expect(block.status).toBe(200);
    const message = {
      name: 'launch_run',
      arguments: { signal_setup_id: setupId, max_credits: 10, idempotency_key: 'b' },
    };
    const { body } = await rawMcp(service.url, blocked.apiKey)('tools/call', message, { asks: false });
    const overApi = await blocked.call('POST /api/v2/workspace/signal-runs', { signal_setup_id: setupId });
    expect(body.result.structuredContent.status).toBe(overApi.status);
    expect(overApi.status).toBe(403);
  });
});
