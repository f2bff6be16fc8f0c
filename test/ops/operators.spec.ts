import { operatorCommands, streamCommands } from '#runtime/operator-commands.js';
import { keywordAgent, observedPerson, observedPost } from '#test/support/observed-network.js';
import { balanceOf, launchRun, movementsOf, pollRun } from '#test/support/signal-runs.js';
import { scene } from '#test/support/scene.js';
import { startTestService, type Answer } from '#test/support/service.js';

const KEY = /^wsk_[a-z]+_[0-9A-Za-z]{43}$/;

describe('the operator listener', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  let opsUrl: string;

  beforeAll(async () => {
    opsUrl = service.service.opsUrl ?? '';
  });

  const works = async (apiKey: string): Promise<number> =>
    (await service.call('GET /api/v2/agents', undefined, { authorization: `Bearer ${apiKey}` })).status;

  /** The command adds no event and is refused with a problem document of this status. */
  async function refused(command: string, input: unknown, status: number): Promise<Answer['body']> {
    const { added, ...answer } = await service.recorded(() => service.ops(command, input));
    expect([command, input, answer.status, added]).toEqual([command, input, status, []]);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({
      type: expect.stringContaining('/errors/'),
      title: expect.any(String),
      status,
      detail: expect.any(String),
      instance: `/ops/${command}`,
    });
    return answer.body;
  }

  describe('as an entry point', () => {
    it('accepts only the operator token, before it looks at the command', async () => {
      const ask = (path: string, authorization?: string): Promise<Response> =>
        fetch(`${opsUrl}${path}`, {
          method: path === '/metrics' ? 'GET' : 'POST',
          headers: authorization === undefined ? {} : { authorization },
        });
      const { apiKey } = await service.workspace();
      const added = await service.eventsOf(async () => {
        for (const path of ['/ops/workspace.create', '/ops/no.such', '/metrics', '/ops/network.ingest']) {
          for (const wrong of [
            undefined,
            'Bearer wrong',
            `Bearer ${apiKey}`,
            `Basic ${service.token}`,
            service.token,
            `Bearer ${service.token}x`,
          ]) {
            const answer = await ask(path, wrong);
            expect([path, wrong, answer.status]).toEqual([path, wrong, 401]);
            expect(answer.headers.get('content-type')).toContain('application/problem+json');
          }
        }
      });
      expect(added).toEqual([]);
    });

    it('answers an unknown command with 404', async () => {
      await refused('no.such', {}, 404);
      await refused('workspace', {}, 404);
    });

    it('refuses an option that the command does not have, naming it, for every command', async () => {
      for (const { name } of operatorCommands) {
        const { errors } = await refused(name, { no_such_option: 1 }, 422);
        expect([name, errors.no_such_option]).toEqual([name, ['is not an option of this command']]);
      }
    });

    it('names every required field that is missing, for every command', async () => {
      let named = 0;
      for (const { name, input } of operatorCommands) {
        const required: readonly string[] = input.required ?? [];
        if (required.length === 0) continue;
        const { errors } = await refused(name, {}, 422);
        expect([name, Object.keys(errors).sort()]).toEqual([name, required.toSorted()]);
        named += required.length;
      }
      expect(named).toBeGreaterThan(20);
    });

    it('refuses a body that is no JSON object, for every command', async () => {
      for (const { name } of operatorCommands) {
        expect([name, (await refused(name, '{"broken', 400)).status]).toEqual([name, 400]);
        for (const wrong of ['[]', '5', 'null']) await refused(name, wrong, 422);
      }
    });

    it('serves the metrics, which the public port does not know', async () => {
      const answer = await fetch(`${opsUrl}/metrics`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await answer.text()).toMatch(/^process_cpu_seconds_total /m);
      const operator = { authorization: `Bearer ${service.token}` };
      for (const route of [
        'GET /metrics',
        'POST /metrics',
        ...[...operatorCommands, ...streamCommands].map(({ name }) => `POST /ops/${name}`),
      ]) {
        const { status } = await service.call(route, undefined, operator);
        expect([route, status]).toEqual([route, 404]);
      }
      expect(new URL(opsUrl).hostname).toBe('127.0.0.1');
    });
  });

  describe('workspace.create', () => {
    it('OPS-01 opens a complete workspace and shows its key once', async () => {
      const input = { name: 'Acme', billing: 'self', credits: '12.5' };
      const { body: answer, added } = await service.recorded(() => service.ops('workspace.create', input));
      expect(answer).toEqual({
        workspace_id: expect.any(Number),
        api_key: expect.stringMatching(KEY),
        key_id: expect.any(Number),
        tal_id: expect.any(Number),
        employee_list_id: expect.any(Number),
      });
      expect(added[0]).toBe('WorkspaceProvisioned');
      expect(added.at(-1)).toBe('ApiKeyIssued');
      expect(added).toEqual(
        expect.arrayContaining(['BillingModeSet', 'CreditsGranted', 'ListCreated', 'TopAccountListCreated']),
      );
      const key = { authorization: `Bearer ${answer.api_key}` };
      const { body: employees } = await service.call(
        `GET /api/v2/lists/profile/${answer.employee_list_id}`,
        undefined,
        key,
      );
      expect(employees.data).toMatchObject({ name: 'All my employees', type: 'employee' });
      const { body: balance } = await service.call('GET /api/v3/credits/balance', undefined, key);
      expect(balance.data).toMatchObject({ balance: 12.5, granted: 12.5, billing: 'self' });
    });

    it('OPS-01 finds the same workspace by its create_key and replaces the undelivered key', async () => {
      const input = { name: 'Lost', credits: 100, create_key: 'order-17' };
      const first = (await service.ops('workspace.create', input)).body;
      const { body: second, added } = await service.recorded(() => service.ops('workspace.create', input));
      expect(added).toEqual(['RequestIdsAllocated', 'ApiKeyRevoked', 'ApiKeyIssued']);
      expect({ ...second, api_key: null, key_id: null }).toEqual({ ...first, api_key: null, key_id: null });
      expect([await works(first.api_key), await works(second.api_key)]).toEqual([401, 200]);
      const { body } = await service.call('GET /api/v3/credits/balance', undefined, {
        authorization: `Bearer ${second.api_key}`,
      });
      expect(body.data.granted).toBe(100);
    });

    it('OPS-01 refuses to replace a key that was ever used, and names apikey.issue', async () => {
      const input = { name: 'Delivered', create_key: 'order-21' };
      const { workspace_id, key_id, api_key } = (await service.ops('workspace.create', input)).body;
      expect(await works(api_key)).toBe(200);
      expect((await refused('workspace.create', input, 409)).detail).toContain('apikey.issue');
      expect(await works(api_key)).toBe(200);
      // a key that was used and then revoked gets no replacement either
      await service.ops('apikey.revoke', { workspace_id, key_id });
      await refused('workspace.create', input, 409);
    });

    it('OPS-01 keeps keys that were issued by name when it replaces the first one', async () => {
      const input = { name: 'Lost', create_key: 'order-19' };
      const { workspace_id } = (await service.ops('workspace.create', input)).body;
      const named = (await service.ops('apikey.issue', { workspace_id, label: 'robot' })).body;
      await service.ops('workspace.create', input);
      expect(await works(named.api_key)).toBe(200);
    });

    it('OPS-01 a key of a user with the label of the first one is neither replaced nor a reason to refuse', async () => {
      const input = { name: 'Labels', create_key: 'order-22' };
      const { workspace_id, api_key } = (await service.ops('workspace.create', input)).body;
      const issued = { workspace_id, label: 'first key' };
      const unused = (await service.ops('apikey.issue', issued)).body;
      const used = (await service.ops('apikey.issue', issued)).body;
      expect(await works(used.api_key)).toBe(200);
      const again = await service.ops('workspace.create', input);
      expect([again.status, await works(api_key), await works(again.body.api_key)]).toEqual([200, 401, 200]);
      expect(await works(unused.api_key)).toBe(200);
    });

    it('OPS-01 refuses a create_key that was used for something else', async () => {
      const input = { name: 'One', create_key: 'order-18' };
      await service.ops('workspace.create', input);
      for (const other of [
        { ...input, name: 'Two' },
        { ...input, credits: 5 },
        { ...input, billing: 'exempt' },
      ]) {
        const { errors } = await refused('workspace.create', other, 422);
        expect(Object.keys(errors)).toEqual(['create_key']);
      }
    });

    it('OPS-01 makes one workspace for concurrent calls with the same create_key', async () => {
      const input = { name: 'Twice', credits: 7, create_key: 'order-20' };
      const answers = await Promise.all([1, 2, 3, 4].map(() => service.ops('workspace.create', input)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.workspace_id)).size).toBe(1);
      const last = (await service.ops('workspace.create', input)).body;
      const key = { authorization: `Bearer ${last.api_key}` };
      expect((await service.call('GET /api/v3/credits/balance', undefined, key)).body.data.granted).toBe(7);
      const lists = await service.call('GET /api/v2/lists', undefined, key);
      expect(lists.body.meta.pagination.total).toBe(1);
      // the last key replaces all that were handed out before
      for (const { body } of answers) expect(await works(body.api_key)).toBe(401);
    });

    it('OPS-01 refuses wrong input, naming the field, and opens nothing', async () => {
      for (const [wrong, field] of [
        [{ name: '' }, 'name'],
        [{ name: ' ' }, 'name'],
        [{ name: 'x', billing: 'free' }, 'billing'],
        [{ name: 'x', billing: 'partner' }, 'partner_id'],
        [{ name: 'x', billing: 'partner', partner_id: 999_999 }, 'partner_id'],
        [{ name: 'x', billing: 'self', partner_id: 1 }, 'partner_id'],
        [{ name: 'x', credits: -1 }, 'credits'],
        [{ name: 'x', credits: '0.0000001' }, 'credits'],
        [{ name: 'x', trial_quota: -1 }, 'trial_quota'],
        [{ name: 'x', account_mapping: 'yes' }, 'account_mapping'],
      ] as const) {
        const { body, added } = await service.recorded(() => service.ops('workspace.create', wrong));
        expect([wrong, Object.keys(body.errors ?? {}), added]).toEqual([wrong, [field], []]);
        expect([404, 422]).toContain(body.status);
      }
    });
  });

  describe('API keys', () => {
    it('OPS-02 issues further keys; a revoked one stops at once, the others stay valid', async () => {
      const workspace = await service.workspace();
      const issued = await service.ops('apikey.issue', { workspace_id: workspace.id, label: 'robot' });
      expect(issued.body).toEqual({ key_id: expect.any(Number), api_key: expect.stringMatching(KEY) });
      expect(await works(issued.body.api_key)).toBe(200);
      const key = { workspace_id: workspace.id, key_id: issued.body.key_id };
      expect((await service.ops('apikey.revoke', key)).body).toEqual({ key_id: key.key_id, revoked: true });
      expect([await works(issued.body.api_key), await works(workspace.apiKey)]).toEqual([401, 200]);
      const again = await service.eventsOf(() => service.ops('apikey.revoke', key));
      expect(again).toEqual([]);
    });

    it('OPS-02 refuses unknown workspaces and keys of other workspaces', async () => {
      const workspace = await service.workspace();
      const other = await service.workspace();
      const { key_id } = (await service.ops('apikey.issue', { workspace_id: other.id, label: 'x' })).body;
      await refused('apikey.issue', { workspace_id: 999_999, label: 'x' }, 404);
      await refused('apikey.revoke', { workspace_id: workspace.id, key_id }, 404);
      await refused('apikey.revoke', { workspace_id: workspace.id, key_id: 999_999 }, 404);
    });
  });

  describe('credits', () => {
    it('OPS-03 grants once for a grant_key and withdraws free credits', async () => {
      const workspace = await service.workspace({ credits: 10 });
      const input = { workspace_id: workspace.id, credits: '2.5', reason: 'contract', grant_key: 'june' };
      expect((await service.ops('credits.grant', input)).body).toMatchObject({
        replayed: false,
        balance: { balance: 12.5 },
      });
      expect((await service.ops('credits.grant', input)).body).toMatchObject({
        replayed: true,
        balance: { balance: 12.5 },
      });
      await refused('credits.withdraw', { workspace_id: workspace.id, credits: 13, reason: 'x' }, 402);
      await service.ops('credits.withdraw', { workspace_id: workspace.id, credits: 12, reason: 'x' });
      expect(await balanceOf(workspace)).toMatchObject({ balance: 0.5, granted: 0.5 });
    });

    it('OPS-21 holds, captures and releases work that is done elsewhere, once for a key', async () => {
      const workspace = await service.workspace({ credits: 10 });
      const held = { workspace_id: workspace.id, key: 'order-1', credits: 4, product: 'elsewhere' };
      const first = (await service.ops('credits.hold', held)).body;
      expect(first).toMatchObject({ status: 'held', replayed: false, balance: { balance: 6, held: 4 } });
      expect((await service.ops('credits.hold', held)).body).toMatchObject({
        movement_id: first.movement_id,
        replayed: true,
      });
      const { errors } = await refused('credits.hold', { ...held, credits: 5 }, 409);
      expect(Object.keys(errors ?? {})).toEqual(['credits']);
      await refused('credits.hold', { ...held, key: 'order-2', credits: 7 }, 402);
      const captured = await service.ops('credits.capture', { workspace_id: workspace.id, key: 'order-1' });
      expect(captured.body).toMatchObject({
        movement_id: first.movement_id,
        status: 'captured',
        balance: { captured: 4 },
      });
      await refused('credits.release', { workspace_id: workspace.id, movement_id: first.movement_id }, 409);
      await refused('credits.capture', { workspace_id: workspace.id, key: 'never' }, 404);
      expect(await movementsOf(workspace)).toMatchObject([
        { id: first.movement_id, status: 'captured', product: 'elsewhere' },
      ]);
    });

    it('OPS-22 corrects up and down, never below the spent amount', async () => {
      const workspace = await service.workspace({ credits: 10 });
      const input = { workspace_id: workspace.id, credits: '-2.5', reason: 'too much', adjust_key: 'fix' };
      expect((await service.ops('credits.adjust', input)).body).toMatchObject({
        replayed: false,
        balance: { balance: 7.5 },
      });
      expect((await service.ops('credits.adjust', input)).body).toMatchObject({
        replayed: true,
        balance: { balance: 7.5 },
      });
      await refused('credits.adjust', { workspace_id: workspace.id, credits: -8, reason: 'x' }, 402);
      await refused('credits.adjust', { workspace_id: workspace.id, credits: 0, reason: 'x' }, 422);
    });
  });

  describe('commands that need a workspace', () => {
    it('OPS-03 OPS-04 OPS-21 OPS-22 refuse one that does not exist with 404', async () => {
      const nowhere = { workspace_id: 999_999 };
      await refused('workspace.block', { ...nowhere, reason: 'x' }, 404);
      await refused('workspace.unblock', { ...nowhere, reason: 'x' }, 404);
      await refused('credits.grant', { ...nowhere, credits: 1, reason: 'x' }, 404);
      await refused('credits.hold', { ...nowhere, key: 'k', credits: 1, product: 'p' }, 404);
      await refused('credits.adjust', { ...nowhere, credits: 1, reason: 'x' }, 404);
    });

    it('refuse one that does not exist with 404, also where only a list is asked for', async () => {
      // Here a workspace is a filter.
      const filters = ['audit.list', 'log.list'];
      const further: { readonly [command: string]: object } = {
        'credits.capture': { key: 'k' },
        'credits.release': { key: 'k' },
        'ledger.movements': { launch_id: 1 },
        'workspace.features': { account_mapping: true },
      };
      let asked = 0;
      for (const { name, input } of operatorCommands) {
        const needed: readonly string[] = input.required ?? [];
        if (filters.includes(name) || needed.some((field) => field !== 'workspace_id')) continue;
        if (!needed.includes('workspace_id')) continue;
        const { status } = await service.ops(name, { workspace_id: 999_999, ...further[name] });
        expect([name, status]).toEqual([name, 404]);
        asked += 1;
      }
      expect(asked).toBeGreaterThan(15);
    });

    it('OPS-04 blocks once and unblocks once', async () => {
      const { id } = await service.workspace();
      const input = { workspace_id: id, reason: 'unpaid' };
      const twice = async (command: string): Promise<void> => {
        await service.ops(command, input);
        await service.ops(command, input);
      };
      expect(await service.eventsOf(() => twice('workspace.block'))).toEqual([
        'WorkspaceBlocked',
        'ChargesStopped',
      ]);
      expect(await service.eventsOf(() => twice('workspace.unblock'))).toEqual(['WorkspaceUnblocked']);
    });
  });

  describe('prices, partners and the catalogue', () => {
    it('OPS-06 OPS-07 charges the list price as set, and the rate of the partner', async () => {
      const { partner_id } = (await service.ops('partner.create', { name: 'Reseller' })).body;
      const item = 'agent:keyword_post_search';
      expect((await service.ops('prices.set', { item, credits: '3.25' })).body).toEqual({
        item,
        credits: '3.25',
      });
      await service.ops('partner.rate', { partner_id, item, credits: 2 });
      await service.ingest([
        observedPerson('ana'),
        observedPost('1', 'ana', 'pricing', '2026-05-31T09:00:00Z'),
      ]);
      const own = await service.workspace();
      const partnered = await service.workspace({ billing: 'partner', partner_id });
      for (const [workspace, credits] of [
        [own, 3.25],
        [partnered, 2],
      ] as const) {
        await launchRun(workspace, await keywordAgent(workspace, 'pricing'));
        await service.drain();
        expect(await movementsOf(workspace)).toMatchObject([{ credits, status: 'captured' }]);
      }
      await service.ops('partner.rate', { partner_id, item, credits: null });
      await launchRun(partnered, await keywordAgent(partnered, 'pricing'));
      await service.drain();
      expect(await movementsOf(partnered)).toMatchObject([{ credits: 3.25 }, { credits: 2 }]);
      await refused('partner.rate', { partner_id: 999_999, item, credits: 1 }, 404);
    });

    it('OPS-08 OPS-09 syncs the shipped catalogue without an event, and takes one status or retirement at a time', async () => {
      expect(await service.eventsOf(() => service.ops('catalogue.sync'))).toEqual([]);
      const key = 'tender-published';
      const change = (input: object) =>
        service.eventsOf(() => service.ops('catalogue.status', { key, ...input }));
      expect(await change({ status: 'live' })).toEqual(['TemplateReleased']);
      expect(await change({ status: 'live' })).toEqual([]);
      expect(await change({ retired: true })).toEqual(['TemplateRetired']);
      // a sync keeps the decisions of an operator
      expect(await service.eventsOf(() => service.ops('catalogue.sync'))).toEqual([]);
      await refused('catalogue.status', { key }, 422);
      await refused('catalogue.status', { key, status: 'live', retired: true }, 422);
      await refused('catalogue.status', { key: 'no-such', status: 'live' }, 404);
      await refused('catalogue.sync', { file: '/no/such/file.json' }, 422);
    });
  });

  describe('network.ingest', () => {
    it('OPS-10 keeps valid lines, reports bad ones by number, and takes the same again as unchanged', async () => {
      const good = (ref: string): object => ({ kind: 'company', ref, handle: ref.slice(2) });
      const first = await service.ingest([good('c:one'), { kind: 'planet', ref: 'x' }, good('c:two')]);
      expect(first.status).toBe(200);
      expect(first.body).toMatchObject({
        accepted: 2,
        unchanged: 0,
        rejected: [{ line: 2 }],
        rejected_total: 1,
      });
      expect((await service.ingest([good('c:one'), good('c:two')])).body).toMatchObject({
        accepted: 0,
        unchanged: 2,
      });
      expect(await service.eventsOf(() => service.ingest([good('c:three')]))).toEqual([]);
    });

    it('OPS-10 takes newline-delimited JSON only', async () => {
      const { status, body } = await service.ops('network.ingest', { kind: 'company' });
      expect([status, body.detail]).toEqual([400, 'The body must be application/x-ndjson.']);
    });
  });

  describe('time and background work', () => {
    it('OPS-18 drains: launched work is finished when it answers, and then nothing is left', async () => {
      const workspace = await service.workspace();
      const launched = await launchRun(workspace, await keywordAgent(workspace, 'nothing of the kind'));
      expect((await service.ops('work.drain')).status).toBe(200);
      const run = await pollRun(workspace, launched.body[0].signal_request_id);
      expect(run.body).toMatchObject({ stage: 'completed', completed_at: expect.any(String) });
      expect((await service.ops('work.drain')).body).toEqual({ processed: 0 });
    });

    it('OPS-17 sets and advances the manual clock, and finishes due work before it answers', async () => {
      const workspace = await service.workspace();
      const launched = await launchRun(workspace, await keywordAgent(workspace, 'nothing of the kind'));
      const at = { now: '2026-06-02T10:00:00.000Z' };
      expect((await service.ops('clock.set', at)).body).toEqual(at);
      const run = await pollRun(workspace, launched.body[0].signal_request_id);
      expect(run.body).toMatchObject({ stage: 'completed', completed_at: '2026-06-01T10:00:00.000Z' });
      const advance = async (input: object): Promise<string> =>
        (await service.ops('clock.advance', input)).body.now;
      expect(await advance({ ms: 1500 })).toBe('2026-06-02T10:00:01.500Z');
      expect(await advance({ duration: 'P1DT2H3M4S' })).toBe('2026-06-03T12:03:05.500Z');
      expect(await advance({ duration: 'P1W' })).toBe('2026-06-10T12:03:05.500Z');
      const { body } = await workspace.call('POST /api/v2/personas', { tag: 'now' });
      expect(body.data.tag).toBe('now');
      expect(await service.eventsOf(() => service.ops('clock.advance', { ms: 1 }))).toEqual(['ClockSet']);
    });

    it('OPS-17 advances by the sum of calls at the same time, one after the other', async () => {
      const from = service.service.host.clock.now().getTime();
      const days = [2, 1, 3];
      const answers = await Promise.all(
        days.map((count) => service.ops('clock.advance', { duration: `P${count}D` })),
      );
      const after = [2, 3, 6].map((count) => new Date(from + count * 86_400_000).toISOString());
      expect(answers.map(({ body }) => body.now)).toEqual(after);
    });

    it('OPS-17 refuses an invalid time', async () => {
      for (const wrong of [
        {},
        { duration: 'P' },
        { duration: 'PT' },
        { duration: '1h' },
        { duration: 'P1M' },
        { ms: -1 },
        { ms: 1.5 },
        { ms: Number.MAX_SAFE_INTEGER },
        { ms: 252_000_000_000_000 },
        { duration: 'P420000W' },
        { duration: `PT${'9'.repeat(400)}S` },
      ]) {
        await refused('clock.advance', wrong, 422);
      }
      for (const now of [
        'yesterday',
        '2026-13-01T00:00:00Z',
        5,
        '9999-12-31T23:59:59-01:00',
        '0000-01-01T00:00:00+01:00',
      ])
        await refused('clock.set', { now }, 422);
    });
  });
});

describe('a service on the system clock', () => {
  it('OPS-17 refuses to be set', async () => {
    await using service = await startTestService();
    const before = Date.now();
    const { status, body } = await service.ops('clock.set', { now: '2999-01-01T00:00:00Z' });
    expect([status, body.status]).toEqual([409, 409]);
    expect((await service.ops('clock.advance', { ms: 1 })).status).toBe(409);
    const { now } = service.service.host.clock;
    expect(now().getTime()).toBeGreaterThanOrEqual(before);
    expect(now().getUTCFullYear()).toBeLessThan(2999);
  });
});
