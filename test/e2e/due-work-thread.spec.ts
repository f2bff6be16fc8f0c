import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '#test/projections/engine-fixture.js';
import { employed, observedCompany, observedPerson, observedPost } from '../support/observed-network.js';
import { startOtlpCollector } from '../support/otlp-collector.js';
import { agentAbout } from '../support/process-runs.js';
import { scrape } from '../support/prometheus-text.js';
import {
  OPS_TOKEN,
  request,
  startServiceProcess,
  serviceFolder,
  type ServiceProcess,
} from '../support/service-process.js';

// On a server as event store or read store the due work stays on the event loop.
const { TEST_READ_STORE_URL: readServer, TEST_SERVICE_EVENT_STORE: eventServer } = process.env;
const onServers = Boolean(readServer ?? eventServer);

const RUNS = '/api/v2/workspace/signal-runs';
const POSTS = 230;
const PRICE = 10;
const CREDITS = 100_000;
const hook = import.meta.resolve('../support/mortal-due-work.js');

const folder = serviceFolder('due-work-thread');

(onServers ? describe.skip : describe)('the due work of a service that also answers requests', () => {
  const dies = join(folder, 'dies');
  let service: ServiceProcess;
  const start = (more: { readonly [variable: string]: string } = {}): Promise<ServiceProcess> =>
    startServiceProcess(folder, 'api,worker', {
      MONITORING_PASS: 'off',
      DUE_WORK_DIES: dies,
      NODE_OPTIONS: `--import=${hook}`,
      ...more,
    });
  beforeAll(async () => {
    service = await start();
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const people = Array.from({ length: POSTS }, (_, at) => [
      observedPerson(`ann-${at}`, employed('acme', 'CTO')),
      observedPost(`post-${at}`, `ann-${at}`, 'a crm for all', hourAgo),
    ]);
    const lines = [observedCompany('acme'), ...people.flat()].map((line) => JSON.stringify(line));
    await service.command('network.ingest', lines.join('\n'));
  });

  const ready = async () => (await request(`${service.opsUrl}/health/ready`, OPS_TOKEN))?.body;
  afterEach(() => rmSync(dies, { force: true }));

  /** A workspace with an agent that finds each post once. */
  async function workspace() {
    const named = { name: 'Thread', credits: CREDITS };
    const { workspace_id: id, api_key: key } = await service.command('workspace.create', named);
    const agent_id = await agentAbout('crm', service, key);
    const stateOf = async (run: number) => (await service.call(key, `GET ${RUNS}/${run}`))?.body;
    const balance = async () => (await service.call(key, 'GET /api/v3/credits/balance'))?.body.data;
    return {
      stateOf,
      /** Whether its first run has charged something. */
      isPaying: async () => (await balance()).balance < CREDITS,
      async launch(headers = {}): Promise<number> {
        const launched = await service.call(key, `POST ${RUNS}`, { agent_id }, headers);
        expect(launched?.status).toBe(202);
        return launched?.body[0].signal_request_id;
      },
      /** What the ended run and the ledger after it say. */
      async ended(run: number) {
        await eventually(async () => (await stateOf(run)).stage === 'completed');
        const { balance: left, held, captured } = await balance();
        const { ok } = await service.command('ledger.verify', { workspace_id: id });
        return { spent: (await stateOf(run)).credits_spent, left, held, captured, ok };
      },
    };
  }
  const PAID = {
    spent: POSTS * PRICE,
    left: CREDITS - POSTS * PRICE,
    held: 0,
    captured: POSTS * PRICE,
    ok: true,
  };

  it('ends with the results of a run, and its metrics are those of the process', async () => {
    const { launch, ended } = await workspace();
    const { samples: before } = await scrape(service.opsUrl, OPS_TOKEN);
    const run = await launch();
    await service.command('work.drain');
    expect(await ended(run)).toEqual(PAID);
    const { samples } = await scrape(service.opsUrl, OPS_TOKEN);
    const added = (name: string): number => (samples.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(added('events_appended_total{type="SignalDetected"}')).toBe(POSTS);
    expect(added('signal_runs_ended_total{outcome="completed"}')).toBe(1);
    expect(samples.get('event_store_commit_duration_seconds_count')).toBeGreaterThan(
      before.get('event_store_commit_duration_seconds_count') ?? 0,
    );
    await eventually(async () => (await ready()).degraded.length === 0);
  });

  it('continues on another thread after a thread has ended by an error, and charges nothing twice', async () => {
    const [begun, waiting] = [await workspace(), await workspace()];
    const first = await begun.launch();
    await eventually(begun.isPaying);
    writeFileSync(dies, '');
    await eventually(async () =>
      (await ready()).degraded.some((line: string) =>
        line.startsWith('background work: its thread ended (a test ends this thread)'),
      ),
    );
    // Requests are answered meanwhile, and due work stands still.
    const second = await waiting.launch();
    expect((await service.ops('work.drain'))?.status).toBe(503);
    expect((await request(`${service.opsUrl}/health/ready`, OPS_TOKEN))?.status).toBe(200);
    expect((await waiting.stateOf(second)).stage).toBe('running');
    await eventually(async () =>
      service.log.some((line) => line.includes('"what":"thread of background work"')),
    );
    rmSync(dies);
    expect(await waiting.ended(second)).toEqual(PAID);
    expect(await begun.ended(first)).toEqual(PAID);
    await eventually(async () => (await ready()).degraded.length === 0);
  });

  it('stops at its next step with the process, and the next process continues it', async () => {
    const { launch, ended, isPaying } = await workspace();
    const run = await launch();
    await eventually(isPaying);
    expect(await service.stop()).toBe(0);
    expect(service.log.filter((line) => line.includes('"what":"stop of the thread'))).toEqual([]);
    service = await start();
    expect(await ended(run)).toEqual(PAID);
  });

  it('survives a kill of the process', async () => {
    const { launch, ended, isPaying } = await workspace();
    const run = await launch();
    await eventually(isPaying);
    await service.kill();
    service = await start();
    expect(await ended(run)).toEqual(PAID);
  });

  it('is done also where the system refuses another priority', async () => {
    expect(await service.stop()).toBe(0);
    service = await start({ PRIORITY_IS_REFUSED: '1' });
    const { launch, ended } = await workspace();
    expect(await ended(await launch())).toEqual(PAID);
    expect(await ready()).toMatchObject({ degraded: [] });
    expect(service.log.filter((line) => line.includes('keeps the priority'))).toHaveLength(1);
  });

  it('is part of the trace of the request that launched it', async () => {
    const collector = await startOtlpCollector();
    expect(await service.stop()).toBe(0);
    service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    const { launch, ended } = await workspace();
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await ended(await launch({ traceparent: `00-${trace}-b7ad6b7169203331-01` }));
    expect(await service.stop()).toBe(0);
    const of = (name: string) =>
      collector.spans.filter((span) => span.traceId === trace && span.name === name);
    const [launched] = of(`POST ${RUNS}`);
    const [decided] = of('decide agent').filter(({ parentSpanId }) => parentSpanId === launched?.spanId);
    expect(decided).toBeDefined();
    // A run whose end the read models do not show in time is acted on once more, and changes nothing.
    const parents = of('execute-signal-run').map(({ parentSpanId }) => parentSpanId);
    expect([...new Set(parents)]).toEqual([decided?.spanId]);
    await collector.close();
  });
});
