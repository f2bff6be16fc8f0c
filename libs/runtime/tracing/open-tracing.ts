import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Context,
  type Link,
  type SpanContext,
  type Span as CollectedSpan,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { Refusal } from '#kernel/values/refusal.js';
import { firstCharacters } from '#kernel/values/first-characters.js';
import type { Span, SpanStart, Tracing } from '#kernel/ports/tracing.port.js';
import { loggedDelivery, type DeliveryLog } from './logged-delivery.js';
import type { TracingSettings } from './tracing-settings.js';

/** Tracing, with the function that ends it: unsent spans are sent, within a short time limit. */
export type OpenTracing = Tracing & { readonly close: () => Promise<void> };

/** The maximum wait of a stop for an unavailable or slow collector. */
const CLOSE_WITHIN_MS = 2_000;
const SPANS_WAITING = 4_096;
const LONGEST_TEXT = 1_024;
const LONGEST_REASON = 200;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** The span that the current work belongs to. One for the process, as each other storage of this kind. */
const under = new AsyncLocalStorage<Span>();

/**
 * Sends spans to a collector in the background from a bounded queue: excess spans are dropped. Nothing is registered with
 * OpenTelemetry for the whole process: two services in one process have a tracing each.
 */
export function openTracing(settings: TracingSettings, version: string, log: DeliveryLog): OpenTracing {
  const { endpoint, serviceName } = settings;
  const exporter = loggedDelivery(new OTLPTraceExporter({ url: endpoint }), log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: LONGEST_TEXT },
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: SPANS_WAITING })],
  });
  const tracer = provider.getTracer('signal-ledger', version);
  const failures = new WeakMap<object, Span>();
  return {
    begin({ name, kind, parent, links = [], facts = {} }: SpanStart): Span {
      const span = tracer.startSpan(
        name,
        {
          kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
          attributes: { ...facts },
          links: links.flatMap(linkTo),
        },
        contextOf(parent),
      );
      return followed(span, failures);
    },
    within: (span, work) => under.run(span, work),
    current: () => under.getStore() ?? null,
    failedBy: (error) => (typeof error === 'object' && error !== null ? (failures.get(error) ?? null) : null),
    async close() {
      const waited = new AbortController();
      const { signal } = waited;
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        delay(CLOSE_WITHIN_MS, undefined, { signal }).catch(() => undefined),
      ]);
      waited.abort();
    },
  };
}

function followed(span: CollectedSpan, failures: WeakMap<object, Span>): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  const self: Span = {
    traceparent: isSampled ? `00-${traceId}-${spanId}-01` : null,
    note: (facts) => void span.setAttributes({ ...facts }),
    fail(error) {
      // A refusal of a rule is no error.
      if (error instanceof Refusal) {
        span.setAttribute('signal_ledger.refusal', error.declaration.code);
        return;
      }
      if (typeof error === 'object' && error !== null && !failures.has(error)) failures.set(error, self);
      const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      span.setAttribute('error.type', error instanceof Error ? error.name : 'Error');
      span.setStatus({ code: SpanStatusCode.ERROR, message: firstCharacters(message, LONGEST_REASON) });
    },
    end: () => span.end(),
  };
  return self;
}

function contextOf(traceparent: string | null): Context {
  const spanContext = traceparent === null ? null : spanContextOf(traceparent);
  return spanContext === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext);
}

function linkTo(traceparent: string): readonly Link[] {
  const context = spanContextOf(traceparent);
  return context === null ? [] : [{ context }];
}

/** The trace context of a `traceparent`; null for an invalid one. */
function spanContextOf(traceparent: string): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const ofAll = new TraceIdRatioBasedSampler(ratio);
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return ofAll;
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: ofAll });
  }
}
