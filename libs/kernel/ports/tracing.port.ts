/** The attributes of a span, named by OpenTelemetry's semantic conventions where they have a name. */
export type SpanFacts = { readonly [name: string]: string | number | boolean };

/** The start of a span. */
export type SpanStart = {
  /** One of a few names: varying values belong in the facts. */
  readonly name: string;
  /** `server`: answers a caller; `client`: waits for another system; absent: neither. */
  readonly kind?: 'server' | 'client';
  /** The W3C `traceparent` of the parent span; null: the span begins a new trace. */
  readonly parent: string | null;
  /** The `traceparent`s of related spans that are not its parent. */
  readonly links?: readonly string[];
  readonly facts?: SpanFacts;
};

/** A span that has begun. */
export type Span = {
  /** The W3C `traceparent` for requests and events that the span causes; null if the trace is not sampled. */
  readonly traceparent: string | null;
  readonly note: (facts: SpanFacts) => void;
  /** Marks the span as failed, with the first line of the error. */
  readonly fail: (error: unknown) => void;
  readonly end: () => void;
};

/** Records spans and sends them to a collector. It must not fail or delay the work that it records. */
export type Tracing = {
  readonly begin: (start: SpanStart) => Span;
  /** Runs the work with the span as the current one. The span is ended separately. */
  readonly within: <Result>(span: Span, work: () => Result) => Result;
  /** The current span of the caller; null if there is none. */
  readonly current: () => Span | null;
  /** The span that this error object made fail first; null if there is none. */
  readonly failedBy: (error: unknown) => Span | null;
};

/** The ids of a span in a log line. */
export type TraceIds = { readonly trace_id: string; readonly span_id: string };

/** The ids of a span for a log line; null without a sampled span. */
export function traceIdsOf(span: Span | null | undefined): TraceIds | null {
  if (span === null || span === undefined || span.traceparent === null) return null;
  const [, traceId = '', spanId = ''] = span.traceparent.split('-');
  return { trace_id: traceId, span_id: spanId };
}

/** Whether the trace is sampled, so that the collector has its spans. */
export function isSampled(traceparent: string): boolean {
  return (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
}

/** Runs a named part of the caller's work, so that a trace can show it. */
export type Step = <Result>(name: string, facts: SpanFacts, work: () => Promise<Result>) => Promise<Result>;

/** Runs the work without a trace. */
export const unfollowed: Step = (_name, _facts, work) => work();

/** Runs the work in a child of the current span; without a span if there is no sampled one. */
export function inPart<Result>(
  tracing: Tracing,
  start: Omit<SpanStart, 'parent'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = tracing.current()?.traceparent ?? null;
  return parent === null ? work() : inSpan(tracing, { ...start, parent }, work);
}

/** Runs the work in a span that ends with the work. */
export async function inSpan<Result>(
  tracing: Tracing,
  start: SpanStart,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = tracing.begin(start);
  try {
    return await tracing.within(span, () => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
