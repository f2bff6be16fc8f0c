import { diagnostic } from '#test/support/diagnostic.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { noFaults } from '#test/servers/eventstoredb/faults.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import { soon } from '#test/support/event-stores.js';
import { killStride } from '#test/support/killed-points.js';
import { observedPost } from '#test/support/observed-network.js';
import { startReadyService, serviceFolder, type ServiceProcess } from '#test/support/service-process.js';

const SIGNALS = 4;
const PRICE = 10;
const HELD_UP = 1_000_000;
/** The distance between appends at which the process is killed. */
const STRIDE = killStride(2);

describe('a process that is killed with kill -9 in the middle of a request with an Idempotency-Key', () => {
  const folder = serviceFolder('keyed-kill');
  let server: EventStoreDbServer;
  let service: ServiceProcess;
  let apiKey: string;
  let kills = 0;
  let keys = 0;

  const start = (): Promise<ServiceProcess> =>
    startReadyService(folder, 'api,worker', {
      EVENT_STORE_URL: server.url,
      CURSOR_SECRET: 'the same for all of them',
      NODE_ENV: 'test',
    });
  const ops = (command: string, input: string | object) => service.command(command, input);
  const call = (route: string, body?: object) => service.call(apiKey, route, body);

  const recorded = (type: string) => server.log.all.filter((event) => event.type === type);

  /** null if the process died before it answered. */
  async function post(path: string, key: string, body: object) {
    try {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      });
      const replayed = response.headers.get('idempotency-replayed');
      return { status: response.status, text: await response.text(), replayed };
    } catch (error) {
      if (error instanceof TypeError) return null;
      throw error;
    }
  }

  /**
   * Kills the process when append number `after` of the request is written and not acknowledged, sends the request
   * again with the key, and returns that answer; null if the request had fewer appends.
   */
  async function killedAfter(after: number, path: string, body: object): Promise<string | null> {
    const key = `key-${(keys += 1)}`;
    const seen = server.seenAppends.length;
    Object.assign(server.faults, {
      append: 'silence after the write',
      appendAfter: after,
      appendTimes: HELD_UP,
    });
    let isAnswered = false;
    const asking = post(path, key, body).finally(() => (isAnswered = true));
    await soon(
      'the append',
      eventually(() => isAnswered || server.seenAppends.length > seen + after),
    );
    if (isAnswered) {
      Object.assign(server.faults, noFaults());
      const answer = await asking;
      expect([answer?.replayed, answer?.text]).toEqual([
        null,
        expect.stringMatching(/"(signal_request_)?id":\d+/),
      ]);
      return null;
    }
    await service.kill();
    kills += 1;
    expect(await asking).toBeNull();
    Object.assign(server.faults, noFaults());
    service = await start();
    const first = await post(path, key, body);
    // Its own first answer may have been stored before the kill; then it is that.
    const again = await post(path, key, body);
    expect(again).toEqual({ ...first, replayed: 'true' });
    expect([first?.status, first?.text]).toEqual([expect.any(Number), expect.any(String)]);
    expect(first?.status).toBeLessThan(300);
    return first?.text ?? '';
  }

  beforeAll(async () => {
    server = await startEventStoreDbServer();
    service = await start();
    apiKey = (await ops('workspace.create', { name: 'Keyed', credits: 1_000 })).api_key;
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const posts = Array.from({ length: SIGNALS }, (_, index) =>
      JSON.stringify(observedPost(`keyed-${index}`, 'ana', 'about keys', hourAgo)),
    );
    expect((await ops('network.ingest', posts.join('\n'))).rejected_total).toBe(0);
  });
  afterAll(() => server.stop());

  it('OP-66 has made one resource and one charge when it is sent again with the key', async () => {
    const agents: number[] = [];
    const agent = { type: 'keyword_post_search', parameters: { tracking_keywords: ['keys'] } };
    let isWhole = false;
    for (let at = 0; !isWhole; at += 1) {
      const text = await killedAfter(at * STRIDE, '/api/v2/agents', agent);
      isWhole = text === null;
      const listed = (await call('GET /api/v2/agents?page_size=25'))?.body.data;
      expect([at, listed.length]).toEqual([at, agents.length + 1]);
      const made = listed.map(({ id }: { readonly id: number }) => id);
      const [added] = made.filter((id: number) => !agents.includes(id));
      if (text !== null) expect(JSON.parse(text).data.id).toBe(added);
      agents.push(added);
    }
    const killsOfAgents = kills;
    expect(killsOfAgents).toBeGreaterThan(2);

    const runs: number[] = [];
    isWhole = false;
    for (let at = 0; !isWhole; at += 1) {
      const finder = await call('POST /api/v2/agents', agent);
      const launch = { agent_id: finder?.body.data.id };
      const text = await killedAfter(at * STRIDE, '/api/v2/workspace/signal-runs', launch);
      isWhole = text === null;
      if (text !== null) runs.push(JSON.parse(text)[0].signal_request_id);
      // Work of the run that met the silence waits for its time-out first.
      await soon(
        'the end of the run',
        eventually(() => recorded('RunEnded').length > at),
      );
      expect([recorded('RunLaunched').length, recorded('RunEnded').length]).toEqual([at + 1, at + 1]);
      for (const runId of runs) {
        const polled = async () => (await call(`GET /api/v2/workspace/signal-runs/${runId}`))?.body;
        await soon(
          'the polled end',
          eventually(async () => (await polled()).stage !== 'running'),
        );
        expect(await polled()).toMatchObject({ stage: 'completed', matches_found: SIGNALS });
      }
      expect((await call('GET /api/v3/credits/balance'))?.body.data).toMatchObject({
        held: 0,
        captured: (at + 1) * SIGNALS * PRICE,
      });
    }
    expect(new Set(runs).size).toBe(runs.length);
    expect(kills - killsOfAgents).toBeGreaterThan(1);
    diagnostic(JSON.stringify({ kills, agents: agents.length, runs: runs.length }));
  });
});
