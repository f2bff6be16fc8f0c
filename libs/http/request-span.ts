import type { FastifyInstance } from 'fastify';
import type { Span, Tracing } from '#kernel/ports/tracing.port.js';
import { mountedRoute } from './mounted-route.js';

/** What is known of a request when it has been answered. */
export type AnsweredSpan = {
  readonly requestId: string;
  readonly workspaceId: number | null;
  /** Route pattern; null where no route was met. */
  readonly route: string | null;
  readonly method: string;
  readonly status: number;
  /** http, or what a trusted proxy says that it was asked with. */
  readonly scheme: string;
};

/** Begins a span with each request, as part of what its caller names; without tracing there is not even a hook. */
export function followRequests(fastify: FastifyInstance, tracing: Tracing | null): void {
  if (tracing === null) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const { method } = request;
    const mounted = mountedRoute(request);
    request.span = tracing.begin({
      name: mounted === null ? method : `${method} ${mounted.path}`,
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
    });
    done();
  });
}

/** Says what became of a request, and ends its span. Neither path nor query: either may hold what is nobody's business. */
export function endOfRequest(span: Span | null | undefined, answered: AnsweredSpan): void {
  if (span === null || span === undefined) return;
  const { requestId, workspaceId, route, method, scheme, status } = answered;
  span.note({
    'http.request.method': method,
    'url.scheme': scheme,
    'http.response.status_code': status,
    'signal_ledger.request_id': requestId,
    ...(route === null ? {} : { 'http.route': route }),
    ...(workspaceId === null ? {} : { 'signal_ledger.workspace_id': workspaceId }),
  });
  span.end();
}
