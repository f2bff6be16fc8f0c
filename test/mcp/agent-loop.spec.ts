import { Random } from '#test/simulation/random.js';
import { crmScene, crmSetup, mcpClient, overHttp } from '#test/support/mcp.js';
import { observedPost } from '#test/support/observed-network.js';
import { sharedWorkspace } from '#test/support/scene.js';

const CALLS = Number(process.env['MCP_CALLS'] ?? 120);
const SEED = Number(process.env['MCP_SEED'] ?? 1);
/** The spending cap of the assistant's key. */
const CAP = 170;

type Given = Record<string, unknown>;

describe(`MCP-04 CAP-01 an assistant that calls tools at random, ${CALLS} times, seed ${SEED}`, () => {
  const service = crmScene(3);
  const workspace = sharedWorkspace(service);

  it('never spends past the cap of its key, nor a launch past its limit', async () => {
    const random = new Random(SEED);
    const setups = [await crmSetup(workspace), await crmSetup(workspace)];
    const cap = { scope: 'api_key', period: 'month', limit: CAP };
    const { keys } = (await service.ops('apikey.list', { workspace_id: workspace.id })).body;
    await workspace.command('caps.set', { ...cap, scope_id: keys[0].key_id });
    const client = await mcpClient(overHttp(service.url, workspace.apiKey), {
      ask: () =>
        random.happens(0.8) ? { action: 'accept', content: { launch: true } } : { action: 'decline' },
    });

    const runs: number[] = [];
    const launches: Given[] = [];
    const any = (): unknown =>
      random.oneOf([0, -1, 1.5, 1e300, 'x', '', null, [], {}, true, 'a\u0000', [1, 'b'], { id: 1 }]);
    const sometimes = <Value>(value: Value): Value | unknown => (random.happens(0.9) ? value : any());
    const launch = (): Given => {
      if (launches.length > 0 && random.happens(0.3)) return random.oneOf(launches);
      const made = {
        signal_setup_id: sometimes(random.oneOf([...setups, 999])),
        max_credits: sometimes(random.oneOf([5, 10, 20, 30, 1_000, 0.5])),
        idempotency_key: sometimes(`key-${random.below(CALLS)}`),
      };
      launches.push(made);
      return made;
    };
    const id = (): unknown => sometimes(random.oneOf([...runs, 1, 2, 3]));
    const tools: Record<string, () => Given> = {
      launch_run: launch,
      quote_run: () => ({ signal_setup_id: sometimes(random.oneOf(setups)), max_credits: sometimes(50) }),
      get_run: () => ({ signal_run_id: id() }),
      find_signals: () => ({ limit: sometimes(5), signal_run_id: id() }),
      explain_signal: () => ({ signal_id: id() }),
      preview_keywords: () => ({ keywords: sometimes(['crm']) }),
      list_signal_setups: () => ({ page: sometimes(1) }),
      list_signal_templates: () => ({ page_size: sometimes(3) }),
      list_top_accounts: () => ({ persona_id: any() }),
      get_balance: () => (random.happens(0.5) ? {} : { limit: 5 }),
      get_forecast: () => ({}),
    };
    const names = [...Object.keys(tools), 'launch_run', 'launch_run', 'launch_run', 'raise_cap'];

    let posts = 100;
    let charged = 0;
    const outcomes = new Map<string, number>();
    for (let calls = 0; calls < CALLS; calls += 1) {
      const name = random.oneOf(names);
      const given = tools[name]?.() ?? {};
      const result = await client
        .callTool({ name, arguments: given })
        .catch((error: { readonly code?: number }) => ({
          code: error.code,
          isError: true,
          structuredContent: {},
        }));
      const received: Given = Object(result.structuredContent);
      const outcome = result.isError === true ? String(received['status'] ?? 'protocol') : 'answer';
      outcomes.set(`${name} ${outcome}`, (outcomes.get(`${name} ${outcome}`) ?? 0) + 1);
      // Any unforeseen outcome fails.
      expect([name, given, outcome]).not.toEqual([name, given, '500']);
      if (name === 'launch_run' && outcome === 'answer') {
        const launched = received as {
          runs: { signal_request_id: number }[];
          charged: number;
          remaining: number;
        };
        runs.push(...launched.runs.map(({ signal_request_id: run }) => run));
        expect(launched.charged).toBeLessThanOrEqual(Number(given['max_credits']));
      }
      if (random.happens(0.25)) {
        // New posts keep coming: there is always something to find and pay.
        posts += 1;
        await service.ingest([
          observedPost(
            `post-${posts}`,
            'author',
            'a crm',
            `2026-05-02T${String(posts % 24).padStart(2, '0')}:00:00Z`,
          ),
        ]);
      }
      if (random.happens(0.3)) await service.drain();
      if (calls % 10 === 9) charged = await spent();
    }
    await service.drain();
    charged = await spent();
    // The cap was reached, or the test would prove nothing: less than the price of a signal is left.
    expect(charged).toBeGreaterThan(CAP - 10);
    expect([...outcomes.keys()]).toEqual(
      expect.arrayContaining(['launch_run answer', 'launch_run 402', 'raise_cap protocol']),
    );
    for (const run of new Set(runs)) {
      const { body } = await workspace.call(`GET /api/v2/workspace/signal-runs/${run}`);
      expect(body.credits_spent).toBeLessThanOrEqual(body.max_credits);
    }
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
    await client.close();

    /** The held and captured credits in the ledger; never past the cap. */
    async function spent(): Promise<number> {
      const { data } = (await workspace.call('GET /api/v3/credits/balance')).body;
      const [capped] = (await workspace.call('GET /api/v3/credits/caps')).body.data;
      expect(data.held + data.captured).toBeLessThanOrEqual(CAP);
      expect(capped.spent).toBe(data.held + data.captured);
      return data.captured;
    }
  });
});
