import { readSettings } from '#runtime/settings.js';
import { openStores } from '#runtime/stores.js';
import { startOtlpCollector, type OtlpCollector } from '../support/otlp-collector.js';
import { agentAbout } from '../support/process-runs.js';
import {
  serviceFolder,
  startReadyService,
  startServiceProcess,
  type ServiceProcess,
} from '../support/service-process.js';
import { storesUnderTest } from '../support/stores-under-test.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;
const LAUNCH = '/api/v2/workspace/signal-runs';

/** A workspace with an agent that can be launched. */
async function provision(service: ServiceProcess) {
  const { api_key: apiKey } = await service.command('workspace.create', { name: 'Test', credits: 100 });
  await service.call(apiKey, 'POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
  return { apiKey, agent_id: await agentAbout('crm', service, apiKey) };
}

/** Every event of the log with its `traceparent`. */
async function tracedEvents(folder: string): Promise<readonly { type: string; traceparent: string }[]> {
  const stores = await openStores(readSettings({ DATA_DIR: folder, ...(await storesUnderTest(folder)) }));
  const events: { type: string; traceparent: string }[] = [];
  for await (const batch of stores.events.readAll()) {
    for (const { type, metadata } of batch.events) {
      const { traceparent } = metadata;
      if (traceparent !== undefined) events.push({ type, traceparent });
    }
  }
  await stores.close();
  return events;
}

describe('an api and a worker, each in a separate process, that send spans to a collector', () => {
  const folder = serviceFolder('traces');
  let collector: OtlpCollector;
  let requestLine: { readonly trace_id?: string; readonly span_id?: string };
  let exits: readonly (number | null)[];
  let events: Awaited<ReturnType<typeof tracedEvents>>;

  beforeAll(async () => {
    collector = await startOtlpCollector();
    const environment = (name: string) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: name,
    });
    const worker = await startServiceProcess(folder, 'worker', environment('the-worker'));
    const api = await startReadyService(folder, 'api', environment('the-api'));
    const { apiKey, agent_id } = await provision(api);
    const headers = { traceparent: TRACEPARENT };
    const launched = await api.call(apiKey, `POST ${LAUNCH}`, { agent_id }, headers);
    expect(launched?.status).toBe(202);
    await worker.command('work.drain');
    exits = await Promise.all([api.stop(), worker.stop()]);
    const line = api.log.find((text) => text.includes(`"method":"POST","route":"${LAUNCH}"`));
    requestLine = JSON.parse(line ?? '{}');
    events = await tracedEvents(folder);
  });
  afterAll(() => collector.close());

  it('the run on the worker is part of the request to the api', () => {
    expect(exits).toEqual([0, 0]);
    const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const spansOf = (name: string) => spans.filter((span) => span.name === name);
    expect(spansOf(`POST ${LAUNCH}`)).toMatchObject([{ service: 'the-api', parentSpanId: CALLER }]);
    const [launch] = spansOf('decide agent').filter(({ service }) => service === 'the-api');
    expect(launch?.parentSpanId).toBe(spansOf(`POST ${LAUNCH}`)[0]?.spanId);
    expect(spansOf('execute-signal-run')).toMatchObject([
      { service: 'the-worker', parentSpanId: launch?.spanId },
    ]);
    const ofRun = spansOf('decide run');
    expect(ofRun.length).toBeGreaterThan(1);
    const owners = ['execute-signal-run', 'prepare batch', 'complete batch'].flatMap(spansOf);
    for (const { service, parentSpanId } of ofRun) {
      expect(service).toBe('the-worker');
      expect(owners.map(({ spanId }) => spanId)).toContain(parentSpanId);
    }
  });

  it('the events of both name the trace in the store', () => {
    const ofTrace = events.filter(({ traceparent }) => traceparent.includes(TRACE)).map(({ type }) => type);
    expect(ofTrace).toEqual(
      expect.arrayContaining(['RunLaunched', 'RunStarted', 'RunCompleted', 'RunEnded']),
    );
  });

  it('the log line of the request leads to its span', () => {
    const [span] = collector.named(`POST ${LAUNCH}`);
    expect(requestLine).toMatchObject({ trace_id: TRACE, span_id: span?.spanId });
  });
});

describe('a service whose collector fails', () => {
  const [goneFolder, silentFolder, refusingFolder] = [
    serviceFolder('traces-gone'),
    serviceFolder('traces-silent'),
    serviceFolder('traces-refusing'),
  ];
  /** Lets a service answer and work, stops it, and returns its exit code and the log lines about traces. */
  async function served(folder: string, endpoint: string) {
    const service = await startReadyService(folder, 'api,worker', {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    });
    const { apiKey, agent_id } = await provision(service);
    expect((await service.call(apiKey, `POST ${LAUNCH}`, { agent_id }))?.status).toBe(202);
    await service.command('work.drain');
    const exit = await service.stop();
    return { exit, spansOf: service.log.filter((line) => line.includes('traces')) };
  }

  it('answers, works and stops in time without a collector at the address', async () => {
    const gone = await startOtlpCollector();
    await gone.close();
    expect((await served(goneFolder, gone.endpoint)).exit).toBe(0);
  });

  it('answers, works and stops in time while the collector accepts requests and never answers', async () => {
    const silent = await startOtlpCollector(() => undefined);
    expect((await served(silentFolder, silent.endpoint)).exit).toBe(0);
    expect(silent.calls.length).toBeGreaterThan(0);
    await silent.close();
  });

  it('logs once that the collector refuses its spans', async () => {
    const refusing = await startOtlpCollector((response) => void response.writeHead(400).end('{}'));
    const { exit, spansOf } = await served(refusingFolder, refusing.endpoint);
    expect(exit).toBe(0);
    expect(spansOf.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: 'traces do not reach the collector; the service continues' }),
    ]);
    await refusing.close();
  });
});
