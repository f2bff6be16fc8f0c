/** What a span says about itself, by the names of OpenTelemetry's semantic conventions where there is one. */
export type SpanFacts = { readonly [name: string]: string | number | boolean };

/** A piece of work that is about to begin. */
export type SpanStart = {
  /** One of few: what differs from one piece of work to the next belongs into the facts. */
  readonly name: string;
  /** `server`: it answers a caller; `client`: it waits for another system; absent: neither. */
  readonly kind?: 'server' | 'client';
  /** What it is part of, as a W3C `traceparent`; null: it begins a trace of its own. */
  readonly parent: string | null;
  /** What it has to do with and is not part of, as `traceparent`s. */
  readonly links?: readonly string[];
  readonly facts?: SpanFacts;
};

/** A piece of work as a trace shows it. */
export type Span = {
  /** How whatever it causes names it: a W3C `traceparent`. Null where its trace is not sampled: then nothing names it. */
  readonly traceparent: string | null;
  readonly note: (facts: SpanFacts) => void;
  /** It ended by an error, of which the first line is told. */
  readonly fail: (error: unknown) => void;
  readonly end: () => void;
};

/** Follows work through the house and tells a collector of it. Nothing of it may fail, or keep what it follows. */
export type Tracing = {
  readonly begin: (start: SpanStart) => Span;
  /** Does the work as part of a span, which goes on until it is ended. */
  readonly within: <Result>(span: Span, work: () => Result) => Result;
  /** The span that the caller is part of; null outside of all. */
  readonly current: () => Span | null;
  /** The span that first ended by this very error; null where none did. */
  readonly failedBy: (error: unknown) => Span | null;
};

/** What a line of the log says of the span that it belongs to. */
export type TraceIds = { readonly trace_id: string; readonly span_id: string };

/** Members of a log line that lead to a span; null for one that nobody will find. */
export function traceIdsOf(span: Span | null | undefined): TraceIds | null {
  if (span === null || span === undefined || span.traceparent === null) return null;
  const [, traceId = '', spanId = ''] = span.traceparent.split('-');
  return { trace_id: traceId, span_id: spanId };
}

/** Whether what is named is sampled, and so to be found at the collector. */
export function isSampled(traceparent: string): boolean {
  return (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
}

/** Does a named part of what its caller is doing; for who follows that. */
export type Step = <Result>(name: string, facts: SpanFacts, work: () => Promise<Result>) => Promise<Result>;

/** Nobody follows it. */
export const unfollowed: Step = (_name, _facts, work) => work();

/** Does the work in a span below the one that is under way here; without one, and where it is not sampled, just so. */
export function inPart<Result>(
  tracing: Tracing,
  start: Omit<SpanStart, 'parent'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = tracing.current()?.traceparent ?? null;
  return parent === null ? work() : inSpan(tracing, { ...start, parent }, work);
}

/** Does the work in a span that ends with it. */
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
