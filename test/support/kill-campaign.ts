import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_WAIT_MS } from './event-stores.js';
import { seededRandom } from './seeded-random.js';
import { soon } from './event-stores.js';
import { startReadyService, startServiceProcess, type Reply } from './service-process.js';
import { removeStores } from './stores-under-test.js';

export const TRAFFIC = ['ingest', 'signal runs', 'ledger'] as const;
export type Traffic = (typeof TRAFFIC)[number];

/** One kill and the findings after the restart. */
export type KillReport = {
  readonly kill: number;
  readonly seed: number;
  readonly traffic: Traffic;
  readonly acknowledged: number;
  /** Calls without an answer, and runs that were unfinished when the service was back. */
  readonly unfinished: number;
  readonly restartMs: number;
};

const GRANTED = 1_000_000;
const PRICE = 10;
const SIGNALS = 60;
const POSTS_AN_INGEST = 1_500;
const CLIENTS = 5;
const HELD = 3;
const GIFT = 7;

/**
 * Kills the service again and again in the middle of traffic, starts it on the same files, repeats unanswered calls,
 * and checks that nothing acknowledged is lost, nothing is charged twice and nothing hangs.
 */
export async function killCampaign(
  kills: number,
  firstSeed: number,
  onKill: (report: KillReport) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  let service = await startReadyService(folder);
  const ops = (command: string, input: string | object): Promise<Reply> => service.ops(command, input);

  async function must(answer: Promise<Reply>, ...statuses: readonly number[]) {
    const reply = await answer;
    if (reply === null || !statuses.includes(reply.status))
      throw new Error(`expected ${statuses.join(' or ')}: ${JSON.stringify(reply)}`);
    return reply;
  }
  async function newWorkspace() {
    const { body } = await must(ops('workspace.create', { name: 'Kills', credits: GRANTED }), 200);
    const [id, apiKey]: [number, string] = [body.workspace_id, body.api_key];
    const call = (route: string, input?: object): Promise<Reply> => service.call(apiKey, route, input);
    return { id, call };
  }
  const balanceOf = async (workspace: Workspace) =>
    (await must(workspace.call('GET /api/v3/credits/balance'), 200)).body.data;
  async function verify(workspace: Workspace): Promise<void> {
    const { body } = await must(ops('ledger.verify', { workspace_id: workspace.id }), 200);
    expect(body).toMatchObject({ ok: true, differences: [] });
  }
  type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

  /** Lets traffic run, kills the service in the middle of it, and starts it again. */
  async function killDuring(working: Promise<unknown>, moment: Promise<unknown>): Promise<number> {
    await Promise.race([moment, working]);
    await service.kill();
    await working;
    const startedAt = performance.now();
    service = await startServiceProcess(folder);
    const restartMs = Math.round(performance.now() - startedAt);
    await soon('its read models', service.ready());
    return restartMs;
  }

  const posts = (name: string, count: number, word: string): string =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        kind: 'post',
        ref: `post:${name}-${index}`,
        rev: 1,
        author_ref: null,
        url: `https://www.network.example/${name}-${index}`,
        text: `Something about ${word}, number ${index}.`,
        published_at: new Date(Date.now() - 3_600_000 - index * 1_000).toISOString(),
      }),
    ).join('\n');

  // Money.
  const charges = new Map<string, 'held' | 'captured' | 'released'>();
  let gifts = 0;
  type Charge = {
    readonly command: string;
    readonly input: object;
    readonly acknowledge: (reply: Reply) => void;
  };

  async function ledgerTraffic(kill: number, random: () => number, bank: Workspace) {
    const movements = new Map<string, number>();
    const unknown: Charge[] = [];
    const fatalAnswer = 10 + Math.floor(random() * 120);
    let answers = 0;
    let reached = (): void => undefined;
    const moment = new Promise<void>((resolve) => (reached = resolve));

    async function charge(made: Charge): Promise<boolean> {
      const reply = await ops(made.command, made.input);
      if (reply === null) {
        unknown.push(made);
        return false;
      }
      made.acknowledge(reply);
      answers += 1;
      if (answers === fatalAnswer) reached();
      return true;
    }
    const posting = (command: string, key: string, status: 'held' | 'captured' | 'released'): Charge => ({
      command,
      input: {
        workspace_id: bank.id,
        key,
        ...(status === 'held' ? { credits: HELD, product: 'match' } : {}),
      },
      acknowledge: (reply) => {
        expect(reply).toMatchObject({ status: 200, body: { status } });
        const known = movements.get(key);
        if (known !== undefined) expect(reply?.body.movement_id).toBe(known);
        movements.set(key, reply?.body.movement_id);
        charges.set(key, status);
      },
    });
    async function client(name: number): Promise<void> {
      for (let index = 0; ; index += 1) {
        const key = `${kill}-${name}-${index}`;
        const gift: Charge = {
          command: 'credits.grant',
          input: { workspace_id: bank.id, credits: GIFT, reason: 'gift', grant_key: key },
          acknowledge: (reply) => {
            expect(reply?.status).toBe(200);
            gifts += 1;
          },
        };
        const choice = random();
        if (choice < 0.15) {
          if (!(await charge(gift))) return;
          continue;
        }
        if (!(await charge(posting('credits.hold', key, 'held')))) return;
        if (choice < 0.5 && !(await charge(posting('credits.capture', key, 'captured')))) return;
        if (choice > 0.8 && !(await charge(posting('credits.release', key, 'released')))) return;
      }
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
    const restartMs = await killDuring(clients, moment);

    for (const { command, input, acknowledge } of unknown) acknowledge(await ops(command, input));
    for (const key of movements.keys()) {
      const { body } = await must(
        ops('credits.hold', { workspace_id: bank.id, key, credits: HELD, product: 'match' }),
        200,
      );
      expect(body).toMatchObject({
        movement_id: movements.get(key),
        status: charges.get(key),
        replayed: true,
      });
    }
    const count = (status: string): number => [...charges.values()].filter((is) => is === status).length;
    expect(await balanceOf(bank)).toMatchObject({
      granted: GRANTED + gifts * GIFT,
      held: count('held') * HELD,
      captured: count('captured') * HELD,
      balance: GRANTED + gifts * GIFT - (count('held') + count('captured')) * HELD,
    });
    await verify(bank);
    return { acknowledged: answers, unfinished: unknown.length, restartMs };
  }

  // The network.
  async function ingestTraffic(kill: number, random: () => number) {
    const lines = posts(`ingest-${kill}`, POSTS_AN_INGEST, `topic${kill}`);
    const ingesting = ops('network.ingest', lines);
    const restartMs = await killDuring(ingesting, delay(1 + random() * 60));
    const reply = await ingesting;
    const { body } = await must(ops('network.ingest', lines), 200);
    expect(body.rejected_total).toBe(0);
    expect(body.accepted + body.unchanged).toBe(POSTS_AN_INGEST);
    if (reply !== null) expect(body.accepted).toBe(0);
    const again = await must(ops('network.ingest', lines), 200);
    expect(again.body).toMatchObject({ accepted: 0, unchanged: POSTS_AN_INGEST });
    return { acknowledged: reply === null ? 0 : 1, unfinished: reply === null ? 1 : 0, restartMs };
  }

  // Signal runs.
  let agents = 0;
  async function ended(finder: Workspace, runId: number) {
    const deadline = Date.now() + LONGEST_WAIT_MS;
    for (;;) {
      const { body } = await must(finder.call(`GET /api/v2/workspace/signal-runs/${runId}`), 200);
      if (body.stage !== 'running') return body;
      if (Date.now() > deadline) throw new Error(`run ${runId} hangs`);
      await delay(20);
    }
  }
  async function runTraffic(random: () => number, finder: Workspace) {
    const created = await must(
      finder.call('POST /api/v2/agents', {
        type: 'keyword_post_search',
        parameters: { tracking_keywords: ['signalling'] },
      }),
      201,
    );
    const launch = { agent_id: created.body.data.id };
    agents += 1;
    const launching = finder.call('POST /api/v2/workspace/signal-runs', launch);
    const restartMs = await killDuring(
      launching.then((reply) => (reply === null ? null : delay(400))),
      delay(random() * 400),
    );
    const first = await launching;
    const runs: number[] = first === null ? [] : [first.body[0].signal_request_id];
    const matches: number[] = [];
    let interrupted = first === null;
    for (const runId of runs) {
      const { body } = await must(finder.call(`GET /api/v2/workspace/signal-runs/${runId}`), 200);
      interrupted ||= body.stage === 'running';
      matches.push((await ended(finder, runId)).matches_found);
    }
    // Launched again: refused while the launch without an answer runs, and without finds after it.
    const deadline = Date.now() + LONGEST_WAIT_MS;
    for (;;) {
      const again = await must(finder.call('POST /api/v2/workspace/signal-runs', launch), 202, 409);
      if (again.status === 202) {
        matches.push((await ended(finder, again.body[0].signal_request_id)).matches_found);
        break;
      }
      if (Date.now() > deadline) throw new Error('a run hangs: the agent cannot be launched again');
      await delay(20);
    }
    if (first !== null) expect(matches).toEqual([SIGNALS, 0]);
    const counted = await must(finder.call('POST /api/v2/workspace/signals/count', {}), 200);
    expect(counted.body.data.count).toBe(agents * SIGNALS);
    expect(await balanceOf(finder)).toMatchObject({ held: 0, captured: agents * SIGNALS * PRICE });
    await verify(finder);
    return { acknowledged: runs.length, unfinished: interrupted ? 1 : 0, restartMs };
  }

  try {
    const [bank, finder] = [await newWorkspace(), await newWorkspace()];
    await must(ops('network.ingest', posts('signal', SIGNALS, 'signalling')), 200);
    for (let kill = 0; kill < kills; kill += 1) {
      const seed = firstSeed + kill;
      const random = seededRandom(seed);
      const traffic = TRAFFIC[kill % TRAFFIC.length] ?? 'ledger';
      try {
        const found =
          traffic === 'ingest'
            ? await ingestTraffic(kill, random)
            : traffic === 'ledger'
              ? await ledgerTraffic(kill, random, bank)
              : await runTraffic(random, finder);
        onKill({ kill, seed, traffic, ...found });
      } catch (error) {
        throw new Error(`kill ${kill} during ${traffic}, seed ${seed}`, { cause: error });
      }
    }
    expect(await service.stop()).toBe(0);
  } finally {
    await service.kill();
    await removeStores(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}
