// unbound: this spec checks which modules Node has loaded.
import { createRequire } from 'node:module';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { inPart, inSpan, traceIdsOf, type Span } from '#kernel/ports/tracing.port.js';
import type { OpenTracing } from '#runtime/tracing/open-tracing.js';
import type { TracingSettings } from '#runtime/tracing/tracing-settings.js';
import { projections } from '#projections/index.js';
import { startOtlpCollector, type OtlpCollector, type ReceivedSpan } from '#test/support/otlp-collector.js';
import { openStores } from '#runtime/stores.js';
import { faultyEventStore } from '#test/support/faulty-event-store.js';
import {
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { launchRun } from '#test/support/signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const SUBMISSION = { traceId: '2af7651916cd43dd8448eb211c80319c', spanId: 'd7ad6b7169203331' };
const UNSAMPLED = '00-3af7651916cd43dd8448eb211c80319c-e7ad6b7169203331-00';
const SUBMIT = 'POST /api/v2/top-account-list/accounts';
const LAUNCH = 'POST /api/v2/workspace/signal-runs';

/** Modules of packages that this process has loaded. */
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

  it('no tracing package is loaded, and no event names a trace', async () => {
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

  it('an event keeps the trace of its caller, and its consequences do not', async () => {
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
  let unsampled: readonly StoredEvent[];
  let byOperator: readonly StoredEvent[];
  let workspaceId: number;
  let trace: readonly ReceivedSpan[];

  const only = (name: string, spans: readonly ReceivedSpan[] = trace): ReceivedSpan => {
    const found = spans.filter((span) => span.name === name);
    expect([name, found.length]).toEqual([name, 1]);
    return found[0] as ReceivedSpan;
  };
  const spanOf = (event: StoredEvent): ReceivedSpan | undefined =>
    trace.find(({ spanId }) => spanId === spanIdIn(event));

  beforeAll(async () => {
    collector = await startOtlpCollector();
    const service = await startTestService({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_SERVICE_NAME: 'the-ledger',
    });
    const workspace = await ready(service);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    await service.ingest([
      observedCompany('acme'),
      observedPerson('ana'),
      observedPost('one', 'ana', 'our new crm', yesterday),
    ]);
    workspaceId = workspace.id;
    events = await recorded(service, async () => {
      const launched = await launch(workspace, { traceparent: TRACEPARENT, 'x-request-id': 'the-launch' });
      expect(launched.status).toBe(202);
      await service.ops('work.drain');
    });
    byOperator = await recorded(service, async () => {
      await service.ops('credits.grant', { workspace_id: workspaceId, credits: 1, reason: 'test' });
    });
    const accounts = { accounts: [{ domain: 'acme.com' }] };
    const submitted = { traceparent: `00-${SUBMISSION.traceId}-${SUBMISSION.spanId}-01` };
    expect((await workspace.call(SUBMIT, accounts, submitted)).status).toBe(202);
    await service.ops('work.drain');
    unsampled = await recorded(service, async () => {
      expect((await launch(workspace, { traceparent: UNSAMPLED })).status).toBe(202);
      await service.ops('work.drain');
    });
    const tooMuch = { workspace_id: workspaceId, credits: 1_000_000, reason: 'test' };
    expect((await service.ops('credits.withdraw', tooMuch)).status).toBe(402);
    await service.stop();
    expect(loaded('sdk-trace')).not.toEqual([]);
    expect(loaded('exporter-trace-otlp-http')).not.toEqual([]);
    trace = collector.spans.filter(({ traceId }) => traceId === CALLER.traceId);
  });
  afterAll(() => collector.close());

  it('spans are sent in OTLP over HTTP, as JSON, with the name of the service', () => {
    expect(new Set(collector.calls)).toEqual(new Set(['POST /v1/traces application/json']));
    expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set(['the-ledger']));
  });

  it('a request is a child of the trace that its caller names, with route, status, request and workspace', () => {
    const request = only(LAUNCH);
    expect(request).toMatchObject({ parentSpanId: CALLER.spanId, kind: 2, failed: false });
    expect(request.facts).toEqual({
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'http.route': '/api/v2/workspace/signal-runs',
      'http.response.status_code': 202,
      'signal_ledger.request_id': 'the-launch',
      'signal_ledger.workspace_id': workspaceId,
    });
  });

  it('its command is a child of it, names stream, events and attempts, and stands in the metadata of its event', () => {
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

  it('the launched run continues the trace, event by event', () => {
    const [launched] = events;
    const run = only('execute-signal-run');
    expect(run.parentSpanId).toBe(spanIdIn(launched as StoredEvent));
    expect(run.facts).toMatchObject({ 'signal_ledger.workspace_id': workspaceId });
    const steps = new Map(
      ['prepare batch', 'complete batch'].map((name) => [only(name).spanId, name] as const),
    );
    for (const id of steps.keys())
      expect(trace.find(({ spanId }) => spanId === id)?.parentSpanId).toBe(run.spanId);
    const below = (event: StoredEvent): string | undefined => {
      const parent = spanOf(event)?.parentSpanId ?? '';
      return parent === run.spanId ? run.name : steps.get(parent);
    };
    const following = events.slice(1).map((event) => [event.type, below(event)]);
    expect(following).toEqual(
      expect.arrayContaining([
        ['RunStarted', 'execute-signal-run'],
        ['BatchPrepared', 'prepare batch'],
        ['CreditsHeld', 'complete batch'],
        ['SignalDetected', 'complete batch'],
        ['CreditsCaptured', 'execute-signal-run'],
        ['RunCompleted', 'execute-signal-run'],
        ['RunEnded', 'execute-signal-run'],
      ]),
    );
    expect(following.filter(([, name]) => name === undefined)).toEqual([]);
  });

  it('a search of the network is part of the step that makes it', () => {
    const searches = trace.filter(({ name }) => name === 'network posts');
    expect(searches.length).toBeGreaterThan(0);
    for (const { kind, parentSpanId } of searches)
      expect([kind, parentSpanId]).toEqual([3, only('prepare batch').spanId]);
  });

  it('submitted accounts are looked up as a part of the request, and then processed with a link', () => {
    const submitted = collector.spans.filter(({ traceId }) => traceId === SUBMISSION.traceId);
    const resolved = only('resolve-top-accounts', submitted);
    const below = submitted.filter(({ parentSpanId }) => parentSpanId === resolved.spanId);
    expect(below.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['network resolveCompanies', 'decide topAccounts']),
    );
    const pipelines = collector.named('map-top-accounts');
    const ids = new Set(submitted.map(({ spanId }) => spanId));
    expect(pipelines.filter(({ links }) => links.some((id) => ids.has(id)))).not.toEqual([]);
    expect(pipelines.filter(({ parentSpanId }) => parentSpanId !== '')).toEqual([]);
    const owners = new Set(pipelines.map(({ spanId }) => spanId));
    const made = collector.named('create requests');
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter(({ parentSpanId }) => !owners.has(parentSpanId))).toEqual([]);
  });

  it('a trace that its caller does not sample is never sent, nor its consequences', () => {
    expect(collector.spans.filter(({ traceId }) => UNSAMPLED.includes(traceId))).toEqual([]);
    expect(unsampled.map(({ type }) => type)).toContain('RunEnded');
    // The caller's value is stored unchanged.
    const named = unsampled.filter(({ metadata }) => 'traceparent' in metadata);
    expect(named.map(({ type, metadata }) => [type, metadata['traceparent']])).toEqual([
      ['RunLaunched', UNSAMPLED],
    ]);
    expect(collector.named('execute-signal-run')).toHaveLength(1);
  });

  it('slices of the projections are separate traces, with links to the commands', () => {
    const slices = collector.named('project');
    expect(slices.filter(({ parentSpanId }) => parentSpanId !== '')).toEqual([]);
    const linked = new Set(slices.flatMap(({ links }) => links));
    const projected = new Set(projections.flatMap(({ on }) => Object.keys(on)));
    const folded = events.filter(({ type }) => projected.has(type));
    expect(folded.map(({ type }) => type)).toEqual(expect.arrayContaining(['RunLaunched', 'RunEnded']));
    for (const event of folded) expect([event.type, linked.has(spanIdIn(event))]).toEqual([event.type, true]);
  });

  it('requests of operators are traced too, each as a separate trace if the caller names none', () => {
    const [request] = collector.named('POST /ops/credits.grant');
    expect(request).toMatchObject({ parentSpanId: '', kind: 2 });
    const command = collector.spans.find(({ spanId }) => spanId === spanIdIn(byOperator[0] as StoredEvent));
    expect(command).toMatchObject({ parentSpanId: request?.spanId, traceId: request?.traceId });
  });

  it('a refusal is named and is no failure', () => {
    const [request] = collector.named('POST /ops/credits.withdraw');
    expect(request?.failed).toBe(false);
    expect(request?.facts['http.response.status_code']).toBe(402);
    const command = collector.spans.find(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(command).toMatchObject({ name: 'decide credits', failed: false });
    expect(command?.facts).toMatchObject({
      'signal_ledger.refusal': expect.stringMatching(/./),
      'signal_ledger.append_attempts': 0,
    });
  });
});

describe('with a collector, while the event store accepts nothing', () => {
  it('request, command and each attempt to append are reported as failed', async () => {
    const collector = await startOtlpCollector();
    let isAway = false;
    const service = await startTestService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }, undefined, {
      async openStores(settings, options) {
        const stores = await openStores(settings, options);
        const faultOf = () => (isAway ? 'unavailable' : null);
        return { ...stores, events: faultyEventStore(stores.events, { faultOf }) };
      },
    });
    const workspace = await ready(service);
    // The ids of the next launch are available then.
    expect((await launch(workspace, {})).status).toBe(202);
    await service.ops('work.drain');
    isAway = true;
    expect((await launch(workspace, { traceparent: TRACEPARENT })).status).toBe(503);
    isAway = false;
    await service.stop();
    const spans = collector.spans.filter(({ traceId }) => traceId === CALLER.traceId);
    const request = spans.find(({ name }) => name === LAUNCH);
    expect(request).toMatchObject({ failed: true, parentSpanId: CALLER.spanId });
    expect(request?.facts).toMatchObject({
      'http.response.status_code': 503,
      'error.type': 'StoreUnavailable',
    });
    const command = spans.find(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(command).toMatchObject({ name: 'decide agent', failed: true });
    const appends = spans.filter(({ name }) => name === 'append');
    expect(appends.length).toBeGreaterThan(1);
    expect(appends.filter(({ failed }) => !failed)).toEqual([]);
    expect(command?.facts['signal_ledger.append_attempts']).toBe(appends.length);
    await collector.close();
  });
});

describe('tracing', () => {
  let collector: OtlpCollector;
  let tracing: OpenTracing;
  beforeEach(async () => {
    collector = await startOtlpCollector();
    tracing = await opened('parentbased_always_on');
  });
  afterEach(async () => {
    await tracing.close();
    await collector.close();
  });

  async function opened(sampler: TracingSettings['sampler'], ratio = 1): Promise<OpenTracing> {
    const { openTracing } = await import('#runtime/tracing/open-tracing.js');
    const endpoint = `${collector.endpoint}/v1/traces`;
    const ignored = { lost: () => undefined, back: () => undefined };
    return openTracing({ endpoint, serviceName: 'test', sampler, ratio }, '1', ignored);
  }

  it('leads from an error to the innermost span that ended by it, for the line of the log', async () => {
    const error = new Error('no luck\nwith this');
    let inner: Span | null = null;
    const failing = inSpan(tracing, { name: 'outer', parent: null }, async () =>
      inPart(tracing, { name: 'inner' }, async () => {
        inner = tracing.current();
        throw error;
      }),
    );
    await expect(failing).rejects.toBe(error);
    expect(tracing.failedBy(error)).toBe(inner);
    expect(tracing.failedBy(new Error('another'))).toBeNull();
    expect(tracing.failedBy('a text')).toBeNull();
    await tracing.close();
    expect(collector.spans.map(({ name, failed, facts }) => [name, failed, facts['error.type']])).toEqual([
      ['inner', true, 'Error'],
      ['outer', true, 'Error'],
    ]);
    expect(traceIdsOf(inner)).toEqual({
      trace_id: collector.named('inner')[0]?.traceId,
      span_id: collector.named('inner')[0]?.spanId,
    });
  });

  it('ignores an invalid traceparent, and accepts a valid one with any further flags', () => {
    for (const parent of ['', 'x', '00-0-0-01', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`]) {
      expect(tracing.begin({ name: 'a', parent }).traceparent).not.toContain(CALLER.traceId);
    }
    for (const parent of [TRACEPARENT, TRACEPARENT.replace(/01$/, '03')])
      expect(tracing.begin({ name: 'a', parent }).traceparent).toContain(CALLER.traceId);
  });

  it('keeps the traces that the sampler selects, and names no other', async () => {
    const named = async (sampler: TracingSettings['sampler'], ratio: number, parent: string | null) => {
      const sampling = await opened(sampler, ratio);
      const { traceparent } = sampling.begin({ name: 'a', parent });
      await sampling.close();
      return traceparent !== null;
    };
    expect(await named('parentbased_always_on', 1, null)).toBe(true);
    expect(await named('parentbased_always_on', 1, UNSAMPLED)).toBe(false);
    expect(await named('parentbased_always_off', 1, null)).toBe(false);
    expect(await named('parentbased_always_off', 1, TRACEPARENT)).toBe(true);
    expect(await named('parentbased_traceidratio', 0, null)).toBe(false);
    expect(await named('parentbased_traceidratio', 0, TRACEPARENT)).toBe(true);
    expect(await named('parentbased_traceidratio', 1, null)).toBe(true);
    expect(await named('traceidratio', 0, TRACEPARENT)).toBe(false);
    expect(await named('always_off', 1, TRACEPARENT)).toBe(false);
    expect(await named('always_on', 1, UNSAMPLED)).toBe(true);
  });
});
