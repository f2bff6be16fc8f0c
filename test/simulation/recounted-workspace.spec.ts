import { toJsonNumber } from '#kernel/values/credits.js';
import { diagnostic } from '#test/support/diagnostic.js';
import {
  employed,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { pickerOf, seededRandom } from '#test/support/seeded-random.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';
import type { Answer } from '#test/support/service.js';
import { recountedLog, type RecountedCharge } from './recounted-log.js';

// Random work of one workspace over HTTP, then a count of all of it from the events alone. SIMULATION_SEED gives the same
// steps again. Background work runs between them, at other moments each time.
const SEED = Number(process.env['SIMULATION_SEED'] ?? 4);
const STEPS = 50;

const COMPANIES = ['acme', 'bolt', 'crane', 'rival'];
const PEOPLE = ['ana', 'bo', 'cy', 'seller', 'di', 'ed', 'fay', 'gus', 'hal', 'ivy', 'jo', 'kim'];

describe(`${STEPS} random steps of one workspace in which every feature spends`, () => {
  const random = seededRandom(SEED);
  const pick = pickerOf(random);
  let made = 0;

  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      ...COMPANIES.map((handle) => observedCompany(handle)),
      ...PEOPLE.map((name, index) =>
        observedPerson(name, {
          ...employed(
            COMPANIES[index % COMPANIES.length] ?? '',
            name === 'seller' ? 'Account Executive' : 'VP Sales',
          ),
          geo: { country: 'France', country_code: 'FR' },
        }),
      ),
    ],
  });

  /** Posts about the keyword, and a comment of the competitor's seller and one on a post of the seller. */
  async function happenings(): Promise<void> {
    const at = service.now();
    const [one, other] = [(made += 1), (made += 1)];
    await service.ingest([
      observedPost(`post-${one}`, pick(PEOPLE), 'a crm', at),
      observedPost(`post-${other}`, 'seller', 'another crm', at),
      observedComment(`to-${one}`, 'seller', `post-${one}`, 'We can help', at),
      observedComment(`to-${other}`, pick(PEOPLE), `post-${other}`, 'Does it run here?', at),
    ]);
  }

  /** A workspace with an agent, a competitor agent, a setup, monitored customers and a cap; its random steps. */
  async function furnished(): Promise<{
    readonly workspace: SceneWorkspace;
    readonly steps: readonly (() => Promise<unknown>)[];
  }> {
    const workspace = await service.workspace({ credits: 400 });
    const persona = await workspace.persona({ job_title: ['Sales'], location: ['France'] });
    const customers = await workspace.list('customer', ['acme']);
    const rivals = await workspace.list('competitor', ['rival']);
    const keywords = await workspace.agent('keyword_post_search', {
      parameters: { tracking_keywords: ['crm'] },
    });
    const discovery = await workspace.agent('competitor', {
      watchlist_id: rivals.id,
      parameters: { mode: 'lead_discovery', target_group: 'all' },
    });
    const setup = await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    const launch = async (limit: object = {}): Promise<Answer> =>
      workspace.call('POST /api/v2/workspace/signal-runs', {
        agent_id: pick([keywords, discovery, setup]),
        ...limit,
      });
    const quoted = async (): Promise<unknown> => {
      const agent_id = pick([keywords, discovery, setup]);
      const quote = await workspace.call('POST /api/v2/workspace/signal-runs/quote', { agent_id });
      const { quote_id } = quote.body;
      return workspace.call('POST /api/v2/workspace/signal-runs', { agent_id, quote_id });
    };
    const price = (item: string, amounts: readonly number[]) => (): Promise<unknown> =>
      service.command('prices.set', { item, credits: pick(amounts) });
    const cap = { scope: 'workspace', period: 'day' };
    const steps = [
      happenings,
      happenings,
      happenings,
      launch,
      launch,
      launch,
      launch,
      () => launch({ max_credits: pick([15, 25, 45]) }),
      () => launch({ agent_id: discovery, max_credits: 60 }),
      quoted,
      service.drain,
      () => service.advance(pick(['PT2H', 'P1D', 'P3D'])),
      () => service.advance(pick(['P1D', 'P31D'])),
      () => workspace.call('POST /api/v2/enrich-company-mapping', { network_handle: pick(COMPANIES) }),
      () => workspace.call(`PUT /api/v3/${customers.path}`, { signal_buckets: pick([['essential'], null]) }),
      () =>
        workspace.call(`POST /api/v2/${customers.path}/members`, {
          members: [{ network_handle: pick(COMPANIES) }],
        }),
      async () => {
        const [member] = await workspace.data(`GET /api/v2/${customers.path}/members`);
        return member && workspace.call(`DELETE /api/v2/${customers.path}/members/${member.id}`);
      },
      () =>
        workspace.call('POST /api/v2/top-account-list/accounts', {
          accounts: [{ domain: `${pick(COMPANIES)}.com` }],
        }),
      () => workspace.call(`PATCH /api/v2/personas/${persona}`, { archived: pick([true, false, false]) }),
      () => workspace.call('POST /api/v3/credits/caps', { ...cap, limit: pick([60, 100, 500]) }),
      () => workspace.command('credits.grant', { credits: pick([30, 120]), reason: `gift ${(made += 1)}` }),
      price('agent:keyword_post_search', [10, 2.5]),
      price('bucket:essential', [5, 12.5, 0]),
      price('profile', [1, 0]),
      () =>
        service.command('projections.rebuild', { name: pick(['detections', 'signal-runs', 'event-feed']) }),
    ];
    return { workspace, steps };
  }

  it('P13 P15 INV-01 INV-03 OP-37 every charge has one reason and its finding, and every answer agrees with the events', async () => {
    const { workspace, steps } = await furnished();
    for (let times = 0; times < 3; times += 1) await happenings();
    for (let step = 0; step < STEPS; step += 1) await pick(steps)();
    await service.drain();

    const { of, charges, balance } = await recountedLog(service.service.host.eventStore, workspace.id);
    const signals = of('SignalDetected').map(({ data }) => data);
    const captured = charges.filter(({ status }) => status === 'captured');
    diagnostic(
      `SIMULATION_SEED=${SEED}: ${signals.length} signals, ${captured.length} of ${charges.length} charges captured`,
    );
    expect(signals.length).toBeGreaterThan(5);

    // each charge and its finding
    expect(captured.filter(({ findings }) => findings === 0)).toEqual([]);
    expect(charges.filter(({ status, signals: paid }) => status !== 'captured' && paid.length > 0)).toEqual(
      [],
    );
    const subjects = signals.map(({ agentId, setupId, subject }) =>
      JSON.stringify([agentId ?? setupId, subject]),
    );
    expect(subjects).toHaveLength(new Set(subjects).size);
    for (const { id, kind, signals: paid } of captured) {
      const { origin } = await workspace.data(`GET /api/v3/credits/movements/${id}`);
      if (kind === 'signal') expect(paid).toContain(origin.signal.id);
    }

    // the money, by every way to read it
    const asOf = (await workspace.command('ledger.as_of')).balance;
    expect(asOf.balance).toBe(toJsonNumber(balance));
    expect(await workspace.balance()).toEqual(asOf);
    expect((await workspace.command('ledger.statement')).closing).toBe(asOf.balance);
    const shown = (rows: readonly Pick<RecountedCharge, 'id' | 'status'>[]): readonly string[] =>
      rows.map(({ id, status }) => `${id} ${status}`).sort();
    expect(shown(await workspace.movements())).toEqual(shown(charges));

    // the runs
    const spentBy = (paid: readonly RecountedCharge[]): number =>
      toJsonNumber(paid.reduce((sum, { amount }) => sum + amount, 0n));
    for (const run of await workspace.data('GET /api/v2/workspace/signal-runs?page_size=100')) {
      const { signal_request_id: id, max_credits } = run;
      const launched = of('RunLaunched').find(({ data }) =>
        JSON.stringify(data['runs']).includes(`"runId":${id},`),
      );
      const ofLaunch = captured.filter(({ launchId }) => launchId === launched?.data['launchId']);
      expect(run).toMatchObject({
        matches_found: signals.filter(({ runId }) => runId === id).length,
        credits_spent: spentBy(ofLaunch.filter(({ runId }) => runId === id)),
        credits_left: max_credits === null ? null : max_credits - spentBy(ofLaunch),
      });
    }

    // the signals, the feed, and the checks of the product
    const found = await workspace.detections({ signal_start_date: '2026-01-01T00:00:00Z' });
    expect(found.map(({ id }) => id).sort()).toEqual(signals.map(({ detectionId }) => detectionId).sort());
    const feed = await workspace.data('GET /api/v3/events?limit=100&type=signal.detected');
    const ids = signals.map(({ detectionId }) => detectionId);
    const from = Math.max(0, ids.indexOf(feed[0]?.data.id));
    expect(feed.map(({ data }: Answer['body']) => data.id)).toEqual(ids.slice(from, from + 100));
    for (const verify of ['ledger.verify', 'monitoring.verify'])
      expect(await workspace.command(verify)).toMatchObject({ ok: true });
    expect(await service.command('projections.verify')).toMatchObject({ ok: true });
  });
});
