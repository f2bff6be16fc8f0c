import { eventually } from '#test/projections/engine-fixture.js';
import { Random } from '#test/simulation/random.js';
import { watchingAgent } from '#test/support/list-agents.js';
import {
  employed,
  keywordAgent,
  observedComment,
  observedCompany,
  observedPerson,
  observedPost,
  observedReaction,
} from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE } from '#test/support/signal-runs.js';

const RUNS = 'POST /api/v2/workspace/signal-runs';
const NETWORKS = Number(process.env['QUOTED_NETWORKS'] ?? 6);
const FIRST_SEED = Number(process.env['QUOTED_FIRST_SEED'] ?? 1);
/** For a setup the buyer has top priority, the gardener is free, and of the third one too little is known. */
const AUTHORS = ['buyer', 'gardener', 'somebody'] as const;
const PERIODS = ['day', 'week', 'month'] as const;

const france = { geo: { city: null, region: null, country: 'France', country_code: 'FR' } };

describe('launches with a quote in random networks', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme'),
      observedPerson('buyer', { ...employed('acme', 'VP Sales'), ...france }),
      observedPerson('gardener', { ...employed('acme', 'Gardener'), ...france }),
      observedPerson('somebody'),
    ],
  });

  /** Waits until all work is done: on a busy machine one call may end earlier. */
  const drained = (): Promise<void> =>
    eventually(async () => (await service.ops('work.drain')).status === 200);

  type Network = { readonly seed: number; readonly random: Random; readonly workspace: SceneWorkspace };
  /** The source to launch, and a function that adds further observations that it may find. */
  type Source = { readonly asks: object; readonly more: (most: number) => Promise<unknown> };

  const dayOf = (random: Random): string => `2026-05-${String(1 + random.below(28)).padStart(2, '0')}`;

  /** Posts about keywords, for an agent or a setup. */
  async function keywords({ seed, random, workspace }: Network): Promise<Source> {
    let posts = 0;
    const more = (most: number): Promise<unknown> =>
      service.ingest(
        Array.from({ length: 1 + random.below(most) }, () => {
          const other = random.happens(0.3) ? ` and other${seed}` : '';
          const name = `${seed}-${(posts += 1)}`;
          const at = `${dayOf(random)}T09:00:00Z`;
          return observedPost(name, random.oneOf(AUTHORS), `on topic${seed}${other}`, at);
        }),
      );
    const tracking_keywords = random.happens(0.5) ? [`topic${seed}`] : [`topic${seed}`, `other${seed}`];
    if (random.happens(0.5))
      return { asks: { agent_id: await keywordAgent(workspace, ...tracking_keywords) }, more };
    await workspace.persona({ job_title: ['VP Sales'], location: ['France'] });
    return {
      asks: { signal_setup_id: await workspace.setup(KEYWORD_TEMPLATE, { tracking_keywords }) },
      more,
    };
  }

  /**
   * Comments and reactions between people of a competitor and others: two runs, in which a person is paid for once.
   */
  async function leads({ seed, random, workspace }: Network): Promise<Source> {
    const seller = `seller${seed}`;
    const lead = (number: number): string => `lead${seed}-${number}`;
    const people = 1 + random.below(12);
    await service.ingest([
      observedCompany(`rival${seed}`),
      observedPerson(seller, employed(`rival${seed}`, 'Account Executive')),
      observedPost(`of-${seller}`, seller, 'We sell', '2026-04-01T09:00:00Z'),
      ...Array.from({ length: people }, (_, number) => [
        observedPerson(lead(number), employed('acme', 'CTO')),
        observedPost(`of-${lead(number)}`, lead(number), 'We grow', '2026-04-01T09:00:00Z'),
      ]).flat(),
    ]);
    let interactions = 0;
    const more = (most: number): Promise<unknown> =>
      service.ingest(
        Array.from({ length: 1 + random.below(most) }, () => {
          const other = lead(random.below(people));
          const [who, whose] = random.happens(0.5) ? [other, seller] : [seller, other];
          const name = `${seed}-${(interactions += 1)}`;
          const at = `${dayOf(random)}T10:00:00Z`;
          return random.happens(0.5)
            ? observedComment(name, who, `of-${whose}`, 'Interesting', at)
            : observedReaction(name, who, `of-${whose}`, at);
        }),
      );
    const { id } = await workspace.list('competitor', [`rival${seed}`]);
    const parameters = { mode: 'lead_discovery' };
    return { asks: { agent_id: await watchingAgent(workspace, 'competitor', id, parameters) }, more };
  }

  /** Launches with a quote, and compares the spending with it. Returns whether the quote was exact. */
  async function launched(seed: number): Promise<boolean> {
    const random = new Random(seed);
    const workspace = await service.workspace({ credits: random.oneOf([10, 85, 1_000]) });
    const network = { seed, random, workspace };
    const { asks, more } = random.happens(0.7) ? await keywords(network) : await leads(network);
    await more(70);
    // An earlier launch has found some of it.
    if (random.happens(0.4)) {
      await workspace.call(RUNS, { ...asks, max_credits: 10 + random.below(200) });
      await drained();
      await more(20);
    }
    if (random.happens(0.3))
      await workspace.call('POST /api/v3/credits/caps', {
        scope: 'workspace',
        period: random.oneOf(PERIODS),
        limit: 10 + random.below(300),
      });
    const before = (await workspace.balance()).captured;
    const asked = { ...asks, ...(random.happens(0.3) ? { max_credits: 10 + random.below(300) } : {}) };
    const { status: answered, body: quote } = await workspace.call(`${RUNS}/quote`, asked);
    expect([seed, answered]).toEqual([seed, 200]);
    const { quote_id, credits_at_most, exact, inexact_because, limited_by } = quote;
    if (random.happens(0.5)) await more(20);
    const { status, body } = await workspace.call(RUNS, { ...asked, quote_id });
    await drained();
    const { captured, held } = await workspace.balance();
    const spent = captured - before;
    if (limited_by !== null && credits_at_most === 0) {
      expect([seed, status, spent]).toEqual([seed, 422, 0]);
      return exact;
    }
    expect([seed, status, held]).toEqual([seed, 202, 0]);
    const runs = await Promise.all(
      body.map(
        async (run: { signal_request_id: number }) => (await workspace.poll(run.signal_request_id)).body,
      ),
    );
    const shown = runs.reduce((sum, run) => sum + run.credits_spent, 0);
    expect([seed, shown, spent <= credits_at_most]).toEqual([seed, spent, true]);
    // Observations that arrive after an exact quote do not change the spending.
    if (exact) expect([seed, spent]).toEqual([seed, credits_at_most]);
    else expect([seed, inexact_because]).toEqual([seed, 'too_long']);
    return exact;
  }

  it(
    'QUO-01 QUO-02 P23 spend no more than quoted, and exactly that if the quote is exact',
    async () => {
      let exactOnes = 0;
      for (let seed = FIRST_SEED; seed < FIRST_SEED + NETWORKS; seed += 1)
        if (await launched(seed)) exactOnes += 1;
      expect(exactOnes).toBeGreaterThan(0);
    },
    Math.max(600_000, NETWORKS * 10_000),
  );
});
