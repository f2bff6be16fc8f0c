import { createServer, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { closed, portOf } from './listening.js';

/** A span as a collector received it. */
export type ReceivedSpan = {
  readonly name: string;
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of its trace. */
  readonly parentSpanId: string;
  readonly kind: number;
  readonly facts: { readonly [name: string]: unknown };
  /** Ids of the spans that it has links to. */
  readonly links: readonly string[];
  /** Whether it ended by an error. */
  readonly failed: boolean;
};

/** A collector on 127.0.0.1 that accepts OTLP over HTTP as JSON, and records it. */
export type OtlpCollector = {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  readonly spans: ReceivedSpan[];
  /** Paths and content types that it was called with. */
  readonly calls: string[];
  readonly named: (name: string) => readonly ReceivedSpan[];
  readonly close: () => Promise<void>;
};

type Value = {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly boolValue?: boolean;
};
type Attributes = readonly { readonly key: string; readonly value: Value }[];
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
};
type SentSpan = Omit<ReceivedSpan, 'facts' | 'links' | 'failed' | 'service'> & {
  readonly attributes: Attributes;
  readonly links?: readonly { readonly spanId: string }[];
  readonly status: { readonly code?: number };
};

const FAILED = 2;

/** `answer` handles a request once it is complete; absent: success. */
export async function startOtlpCollector(
  answer: (response: ServerResponse) => void = (response) => void response.end('{}'),
): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      calls.push(`${method} ${url} ${headers['content-type'] ?? ''}`);
      const sent = Buffer.concat(chunks);
      const text = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      spans.push(...spansOf(JSON.parse(text.toString())));
      response.setHeader('content-type', 'application/json');
      answer(response);
    });
  });
  return {
    endpoint: `http://127.0.0.1:${await portOf(server)}`,
    spans,
    calls,
    named: (name) => spans.filter((span) => span.name === name),
    async close() {
      server.closeAllConnections();
      await closed(server);
    },
  };
}

function spansOf({ resourceSpans }: Sent): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(factsOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, kind, attributes, links, status }) => ({
        name,
        service,
        traceId,
        spanId,
        parentSpanId: parentSpanId ?? '',
        kind,
        facts: factsOf(attributes),
        links: (links ?? []).map((link) => link.spanId),
        failed: status.code === FAILED,
      })),
    );
  });
}

const factsOf = (attributes: Attributes): ReceivedSpan['facts'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

const valueOf = ({ stringValue, intValue, boolValue }: Value): unknown =>
  stringValue ?? (intValue === undefined ? boolValue : Number(intValue));
