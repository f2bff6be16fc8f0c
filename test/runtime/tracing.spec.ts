import { createRequire } from 'node:module';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { projections } from '#projections/index.js';
import { startOtlpCollector, type OtlpCollector, type ToldSpan } from '#test/support/otlp-collector.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { launchRun } from '#test/support/signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const OTHER_CALL = '00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-01';
const LAUNCH = 'POST /api/v2/workspace/signal-runs';

/** Modules of packages that are in the memory of this process. */
const loaded = (name: string): readonly string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) =>
    path.includes(`/@opentelemetry/${name}/`),
  );

async function recorded(service: TestService, work: () => Promise<unknown>): Promise<readonly StoredEvent[]> {
  const { eventStore } = service.service.host;
  const after = await eventStore.head();
  await work();
  const events: StoredEvent[] = [];
  for await (const batch of eventStore.readAll({ after })) events.push(...batch.events);
  return events.filter(({ type }) => type !== 'BlockReserved');
}

async function ready(service: TestService): Promise<TestWorkspace & { readonly agentId: number }> {
  const workspace = await service.workspace();
  await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
  return { ...workspace, agentId: await keywordAgent(workspace, 'crm') };
}

const launch = (workspace: TestWorkspace & { readonly agentId: number }, headers: Record<string, string>) =>
  workspace.call(LAUNCH, { agent_id: workspace.agentId }, headers);

/** The id of the span in a `traceparent`. */
const spanIdIn = ({ metadata }: StoredEvent): string => (metadata['traceparent'] ?? '').split('-')[2] ?? '';

describe('without a collector', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('no package that tells of traces is loaded, and no event names a trace', async () => {
    const workspace = await ready(service);
    const events = await recorded(service, async () => {
      expect((await launchRun(workspace, workspace.agentId)).status).toBe(202);
      await service.ops('work.drain');
    });
    expect(events.map(({ type }) => type)).toContain('RunCompleted');
    expect(events.filter(({ metadata }) => 'traceparent' in metadata)).toEqual([]);
    expect(loaded('sdk-trace')).toEqual([]);
    expect(loaded('exporter-trace-otlp-http')).toEqual([]);
  });

  it('an event keeps what its caller said of its trace, and nothing that follows from it does', async () => {
    const workspace = await ready(service);
    const events = await recorded(service, async () => {
      expect((await launch(workspace, { traceparent: TRACEPARENT })).status).toBe(202);
      await service.ops('work.drain');
    });
    const named = events.filter(({ metadata }) => 'traceparent' in metadata);
    expect(named.map(({ type, metadata }) => [type, metadata['traceparent']])).toEqual([
      ['RunLaunched', TRACEPARENT],
    ]);
  });
});

describe('with a collector', () => {
  let collector: OtlpCollector;
  let events: readonly StoredEvent[];
  let byOperator: readonly StoredEvent[];
  let workspaceId: number;
  let trace: readonly ToldSpan[];

  const only = (name: string, spans: readonly ToldSpan[] = trace): ToldSpan => {
    const found = spans.filter((span) => span.name === name);
    expect([name, found.length]).toEqual([name, 1]);
    return found[0] as ToldSpan;
  };
  const spanOf = (event: StoredEvent): ToldSpan | undefined =>
    trace.find(({ spanId }) => spanId === spanIdIn(event));

  beforeAll(async () => {
    collector = await startOtlpCollector();
    const service = await startTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: 'the-ledger',
    });
    const workspace = await ready(service);
    workspaceId = workspace.id;
    events = await recorded(service, async () => {
      const launched = await launch(workspace, { traceparent: TRACEPARENT, 'x-request-id': 'the-launch' });
      expect(launched.status).toBe(202);
      await service.ops('work.drain');
    });
    byOperator = await recorded(service, async () => {
      await service.ops('credits.grant', { workspace_id: workspaceId, credits: 1, reason: 'test' });
    });
    await workspace.call(LAUNCH, { agent_id: 999_999 }, { traceparent: OTHER_CALL });
    await service.stop();
    expect(loaded('sdk-trace')).not.toEqual([]);
    expect(loaded('exporter-trace-otlp-http')).not.toEqual([]);
    trace = collector.spans.filter(({ traceId }) => traceId === CALLER.traceId);
  });
  afterAll(() => collector.close());

  it('is told in OTLP over HTTP, as JSON, by the name of the service', () => {
    expect(new Set(collector.calls)).toEqual(new Set(['POST /v1/traces application/json']));
    expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set(['the-ledger']));
  });

  it('a request is a part of what its caller names, with route, status, request and workspace', () => {
    const request = only(LAUNCH);
    expect(request).toMatchObject({ parentSpanId: CALLER.spanId, kind: 2, failed: false });
    expect(request.facts).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v2/workspace/signal-runs',
      'http.response.status_code': 202,
      'signal_ledger.request_id': 'the-launch',
      'signal_ledger.workspace_id': workspaceId,
    });
  });

  it('its command is a part of it, names stream, events and attempts, and stands in the metadata of its event', () => {
    const [launched] = events;
    const command = launched === undefined ? undefined : spanOf(launched);
    expect(launched?.type).toBe('RunLaunched');
    expect(command).toMatchObject({ name: 'decide agent', parentSpanId: only(LAUNCH).spanId });
    expect(command?.facts).toMatchObject({
      'signal_ledger.stream': launched?.stream,
      'signal_ledger.command_id': launched?.metadata['commandId'],
      'signal_ledger.actor_kind': 'apiKey',
      'signal_ledger.events_appended': 1,
      'signal_ledger.append_attempts': 1,
    });
    const append = trace.find((span) => span.parentSpanId === command?.spanId);
    expect(append).toMatchObject({ name: 'append', kind: 3 });
    expect(append?.facts).toMatchObject({ 'signal_ledger.stream': launched?.stream });
  });

  it('the run that was launched is worked off as a part of it, event by event', () => {
    const [launched] = events;
    const run = only('execute-signal-run');
    expect(run.parentSpanId).toBe(spanIdIn(launched as StoredEvent));
    expect(run.facts).toMatchObject({ 'signal_ledger.workspace_id': workspaceId });
    const ofRun = events.filter(({ stream }) => stream.startsWith('run-'));
    expect(ofRun.map(({ type }) => type)).toEqual(expect.arrayContaining(['RunStarted', 'RunCompleted']));
    for (const event of ofRun)
      expect([event.type, spanOf(event)?.parentSpanId]).toEqual([event.type, run.spanId]);
    const ended = events.find(({ type }) => type === 'RunEnded');
    expect(ended === undefined ? null : spanOf(ended)?.parentSpanId).toBe(run.spanId);
  });

  it('slices of the projections are traces of their own, with links to the commands', () => {
    const slices = collector.named('project');
    expect(slices.filter(({ parentSpanId }) => parentSpanId !== '')).toEqual([]);
    const linked = new Set(slices.flatMap(({ links }) => links));
    const projected = new Set(projections.flatMap(({ on }) => Object.keys(on)));
    const folded = events.filter(({ type }) => projected.has(type));
    expect(folded.map(({ type }) => type)).toEqual(expect.arrayContaining(['RunLaunched', 'RunEnded']));
    for (const event of folded) expect([event.type, linked.has(spanIdIn(event))]).toEqual([event.type, true]);
  });

  it('requests of operators are followed too, each a trace of its own where nobody names one', () => {
    const [request] = collector.named('POST /ops/credits.grant');
    expect(request).toMatchObject({ parentSpanId: '', kind: 2 });
    const command = collector.spans.find(({ spanId }) => spanId === spanIdIn(byOperator[0] as StoredEvent));
    expect(command).toMatchObject({ parentSpanId: request?.spanId, traceId: request?.traceId });
  });

  it('a refusal is named and is no failure', () => {
    const spans = collector.spans.filter(({ traceId }) => OTHER_CALL.includes(traceId));
    const request = only(LAUNCH, spans);
    expect(request.failed).toBe(false);
    expect(request.facts['http.response.status_code']).toBeGreaterThanOrEqual(400);
    expect(spans.filter(({ failed }) => failed)).toEqual([]);
  });
});
