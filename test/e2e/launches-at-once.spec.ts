import { eventually } from '#test/projections/engine-fixture.js';
import { observedPost } from '#test/support/observed-network.js';
import { agentAbout } from '#test/support/process-runs.js';
import {
  startReadyService,
  serviceFolder,
  type Reply,
  type ServiceProcess,
} from '#test/support/service-process.js';

const PROCESSES = 4;
const LAUNCHES = 20;
const PRICE = 10;
const POSTS = 3;
const RUNS = '/api/v2/workspace/signal-runs';
const LAUNCH = `POST ${RUNS}`;

const folder = serviceFolder('launches-at-once');

describe(`${LAUNCHES} launches at once over ${PROCESSES} processes on the same stores`, () => {
  const services: ServiceProcess[] = [];
  beforeAll(async () => {
    for (let process = 0; process < PROCESSES; process += 1)
      services.push(await startReadyService(folder, 'api,worker', { MONITORING_PASS: 'off' }));
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const posts = Array.from({ length: POSTS }, (_, at) =>
      observedPost(`post-${at}`, 'author', 'a crm', hourAgo),
    );
    await of(0).command('network.ingest', posts.map((post) => JSON.stringify(post)).join('\n'));
  });

  const of = (index: number): ServiceProcess => {
    const service = services[index % services.length];
    if (service === undefined) throw new Error('no service');
    return service;
  };
  const funded = async () => {
    const { workspace_id, api_key } = await of(0).command('workspace.create', {
      name: 'At once',
      credits: 1_000,
    });
    const call = (index: number, route: string, body?: object): Promise<Reply> =>
      of(index).call(api_key, route, body);
    const agent = (index: number): Promise<number> => agentAbout('crm', of(index), api_key);
    /** The total spend of all runs by the ledger, once every one of them has ended. */
    const spent = async (runs: readonly number[]) => {
      const ended = [];
      for (const [index, run] of runs.entries()) {
        const polled = async () => (await call(index, `GET ${RUNS}/${run}`))?.body;
        await eventually(async () => ((await polled())?.stage ?? 'running') !== 'running');
        ended.push(await polled());
      }
      const { balance, held, captured } = (await call(1, 'GET /api/v3/credits/balance'))?.body.data ?? {};
      const { ok } = await of(0).command('ledger.verify', { workspace_id });
      const shown = ended.reduce((sum, { credits_spent }) => sum + credits_spent, 0);
      return { ended, shown, balance, held, captured, ok };
    };
    return { call, agent, spent };
  };
  const idOf = (reply: Reply): number => reply?.body[0].signal_request_id;

  it('CAP-01 together spend what one cap allows, and no more', async () => {
    const { call, agent, spent } = await funded();
    const limit = 14 * PRICE + 5;
    await call(0, 'POST /api/v3/credits/caps', { scope: 'workspace', period: 'month', limit });
    const agents: number[] = [];
    for (let index = 0; index < LAUNCHES; index += 1) agents.push(await agent(index));
    const replies = await Promise.all(agents.map((agent_id, index) => call(index, LAUNCH, { agent_id })));
    const launched = replies.filter((reply) => reply?.status === 202);
    // A launch with nothing left is refused.
    expect(replies.map((reply) => reply?.status)).toEqual(
      replies.map((reply) => (launched.includes(reply) ? 202 : 402)),
    );
    const { ended, ...money } = await spent(launched.map(idOf));
    expect(money).toEqual({
      shown: 14 * PRICE,
      balance: 1_000 - 14 * PRICE,
      held: 0,
      captured: 14 * PRICE,
      ok: true,
    });
    expect(ended.some(({ stage }) => stage === 'completed_partial')).toBe(true);
  });

  it('P23 QUO-01 QUO-02 use one quote once, and spend no more than it says', async () => {
    const { call, agent, spent } = await funded();
    const agent_id = await agent(0);
    const quoted = (await call(1, `${LAUNCH}/quote`, { agent_id }))?.body;
    expect(quoted).toMatchObject({ credits_at_most: POSTS * PRICE, exact: true });
    const body = { agent_id, quote_id: quoted.quote_id };
    const replies = await Promise.all(
      Array.from({ length: LAUNCHES }, (_, index) => call(index, LAUNCH, body)),
    );
    const launched = replies.filter((reply) => reply?.status === 202);
    expect(launched).toHaveLength(1);
    for (const reply of replies.filter((each) => !launched.includes(each)))
      expect([reply?.status, reply?.body.signal_request_ids]).toEqual([409, launched.map(idOf)]);
    const { ended: _, ...money } = await spent(launched.map(idOf));
    expect(money).toEqual({ shown: 30, balance: 970, held: 0, captured: 30, ok: true });
    // A later launch is refused too, in each process.
    for (let index = 0; index < PROCESSES; index += 1)
      expect((await call(index, LAUNCH, body))?.status).toBe(409);
  });
});
