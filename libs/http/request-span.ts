import type { FastifyInstance } from 'fastify';
import type { Span, Tracing } from '#kernel/ports/tracing.port.js';
import { mountedRoute } from './mounted-route.js';

/** The facts about an answered request. */
export type AnsweredSpan = {
  readonly requestId: string;
  readonly workspaceId: number | null;
  /** Route pattern; null if no route matched. */
  readonly route: string | null;
  readonly method: string;
  readonly status: number;
  /** http, or the scheme that a trusted proxy names. */
  readonly scheme: string;
};

/** Starts a span with each request, as a child of the caller's span; without tracing no hook is installed. */
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

/**
 * Records the outcome of a request, and ends its span. It includes neither path nor query, which may contain private
 * data.
 */
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
