import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { traceIdsOf, type Span, type Tracing } from '#kernel/ports/tracing.port.js';
import type { Admission } from './admission.js';
import { announcedBytes, type ReserveBytes } from './body-budget.js';
import type { BodyDeadlines } from './body-deadline.js';
import { endOfRequest, followRequests } from './request-span.js';
import type { Caller } from './callers.js';
import { countedAddress } from './client-addresses.js';
import { isKept, keptHeaders, type ClaimedRequest } from './idempotency.js';
import type { Logger } from './log.js';
import type { RequestMetrics } from './metrics.js';
import { mountedRoute } from './mounted-route.js';
import { PAGE_SECURITY } from './page.js';
import { tooManyHeaders, unavailable, type RequestRefused } from './problem.js';
import type { RateLimitStanding } from './rate-limit.js';
import type { RouteTable } from './route-table.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null until it is known. */
    caller: Caller | null;
    /** Slug of the answered problem. */
    problem: string | null;
    /** The state of the rate limit; null if it was not checked. */
    rateLimit: RateLimitStanding | null;
    /** Its Idempotency-Key; null without one and if the endpoint ignores it. */
    idempotencyKey: string | null;
    /** Why it could not be served, in one line; null if it was. */
    reason: string | null;
    /** Its span; null without tracing. */
    span: Span | null;
    /** The claim of its Idempotency-Key while it is executed. */
    claim: ClaimedRequest | null;
  }
}

/** The headers of deprecated endpoints. */
export type Deprecation = {
  readonly since: Date;
  /** The earliest removal; null if unknown. */
  readonly sunset: Date | null;
  /** For requests that matched no route. */
  readonly routes: Pick<RouteTable, 'successorOf'>;
};

export type Lifecycle = {
  readonly admission: Admission;
  readonly reserveBytes: ReserveBytes;
  /** For visitors without a key or token, by address: they take nothing from other callers. */
  readonly reserveForVisitor: ReserveBytes;
  /** The timeouts of bodies; a streamed body is timed by its reader. */
  readonly bodyDeadlines: BodyDeadlines;
  readonly logger: Logger;
  readonly metrics: RequestMetrics | null;
  readonly tracing: Tracing | null;
  readonly deprecation: Deprecation;
};

/** The default of Node, which silently drops further headers. */
const MOST_HEADERS = 2_000;

/** Installs everything around the handler of a request, in the order of OP-01. */
export function installLifecycle(fastify: FastifyInstance, lifecycle: Lifecycle): void {
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('problem', null);
  fastify.decorateRequest('rateLimit', null);
  fastify.decorateRequest('idempotencyKey', null);
  fastify.decorateRequest('claim', null);
  fastify.decorateRequest('reason', null);
  fastify.decorateRequest('mounted', undefined);
  fastify.decorateRequest('span', null);
  fastify.decorateRequest('bodyPlace', null);
  followRequests(fastify, lifecycle.tracing);
  // before the body is read
  fastify.addHook('onRequest', (request, reply, done) => {
    // names and values alternate
    if (request.raw.rawHeaders.length > 2 * MOST_HEADERS) {
      done(tooManyHeaders(MOST_HEADERS));
      return;
    }
    lifecycle.admission.admit(request, (refusal) => {
      done(refusal ?? refusedForBody(request, reply, lifecycle));
    });
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { claim } = request;
    if (claim === null || claim === undefined) {
      stampHeaders(request, reply, lifecycle.deprecation, payload);
      done(null, payload);
      return;
    }
    request.claim = null;
    // A completed effect is answered as such, whether or not its answer could be stored.
    const answered = endClaim(claim, request, reply, payload).catch((error: unknown) => {
      lifecycle.logger.warn(
        { err: error, requestId: request.id },
        'the response to a keyed request was not stored',
      );
    });
    void answered.then(() => {
      stampHeaders(request, reply, lifecycle.deprecation, payload);
      done(null, payload);
    });
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    lifecycle.bodyDeadlines.over(reply);
    noteAnswer(request, reply, lifecycle);
    done();
  });
}

/**
 * Reserves budget for the announced body until the request ends, and starts its timeout. Returns the refusal, if any.
 */
function refusedForBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { reserveBytes, reserveForVisitor, bodyDeadlines }: Lifecycle,
): RequestRefused | undefined {
  const mounted = mountedRoute(request);
  if (mounted === null) return undefined;
  const { body } = mounted.compiled.declared;
  const streamed = typeof body === 'object' ? body.streamed : null;
  const bytes = announcedBytes(request.raw, streamed?.windowBytes ?? mounted.bodyLimitBytes);
  if (bytes === 0) return undefined;
  const { caller } = request;
  const isVisitor = caller?.kind === 'public';
  if (streamed === null) bodyDeadlines.start(reply);
  const giveBack = isVisitor
    ? reserveForVisitor(countedAddress(request.ip), bytes)
    : reserveBytes(caller?.kind === 'apiKey' ? caller.keyId : String(caller?.kind), bytes);
  if (giveBack === null)
    return unavailable('Too many request bodies are on their way: try again in a moment.');
  // releasing is idempotent; removing the listener would cost more than a second call
  reply.raw.on('close', giveBack);
  return undefined;
}

async function endClaim(
  claim: ClaimedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const { statusCode } = reply;
  if (!isKept(statusCode)) return claim.release();
  const text = Buffer.isBuffer(payload)
    ? payload.toString('utf8')
    : typeof payload === 'string'
      ? payload
      : '';
  const body = withoutSecrets(text, mountedRoute(request)?.compiled.declared.shownOnce ?? []);
  return claim.keep({ status: statusCode, headers: keptHeaders(reply.getHeaders()), body });
}

/** The body with null for members of its `data` that are shown once, because it is stored in an event. */
function withoutSecrets(body: string, shownOnce: readonly string[]): string {
  if (shownOnce.length === 0 || body === '') return body;
  const answer: unknown = JSON.parse(body);
  const data: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'data') : null;
  if (typeof data !== 'object' || data === null) return body;
  for (const member of shownOnce) if (Object.hasOwn(data, member)) Reflect.set(data, member, null);
  return JSON.stringify(answer);
}

/** Headers of every answer. `payload` is its body. */
export function stampHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  deprecation: Deprecation,
  payload: unknown,
): void {
  void reply
    .header('x-request-id', request.id)
    .header('x-response-time', `${reply.elapsedTime.toFixed(1)}ms`)
    .header('cache-control', 'no-store');
  // a keep-alive connection would delay the stop
  if (!request.server.server.listening) void reply.header('connection', 'close');
  const { rateLimit } = request;
  if (rateLimit !== null && rateLimit !== undefined) {
    void reply
      .header('ratelimit-limit', String(rateLimit.limit))
      .header('ratelimit-remaining', String(rateLimit.remaining))
      .header('ratelimit-reset', String(rateLimit.resetSeconds));
  }
  const mounted = mountedRoute(request);
  if (mounted === null) {
    const replaced = deprecation.routes.successorOf(request.raw.url ?? '/');
    if (replaced !== null) stampDeprecation(reply, deprecation, replaced.successor, replaced.params);
    return;
  }
  const { html, deprecated } = mounted.compiled.declared;
  if (html === true) {
    void reply.header('vary', 'Accept');
    // a text without a type from its handler; a stream is a `textAnswer`, whose handler gives the type
    const isText = String(reply.getHeader('content-type')).startsWith('text/plain');
    if (isText && !(payload instanceof Readable)) {
      void reply.headers({ ...PAGE_SECURITY, 'content-type': 'text/html; charset=utf-8' });
    }
  }
  if (deprecated !== undefined) stampDeprecation(reply, deprecation, deprecated.successor, request.params);
}

function stampDeprecation(
  reply: FastifyReply,
  { since, sunset }: Deprecation,
  successor: string,
  params: unknown,
): void {
  void reply
    .header('deprecation', `@${since.getTime() / 1000}`)
    .header('link', `<${filled(successor, params)}>; rel="successor-version"`);
  if (sunset !== null) void reply.header('sunset', sunset.toUTCString());
}

/** The path with its parameters as requested; they may be any text, so they are encoded again. */
function filled(path: string, params: unknown): string {
  const given = params as { readonly [name: string]: string };
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? ''));
}

/** One log line and one observation for each answer, never with a key, a body or a query string. */
export function noteAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { logger, metrics }: Pick<Lifecycle, 'logger' | 'metrics'>,
): void {
  const { method, problem, reason } = request;
  const status = reply.statusCode;
  const route = mountedRoute(request)?.path ?? null;
  const durationMs = Math.round(reply.elapsedTime * 10) / 10;
  const requestId = request.id;
  const workspaceId = workspaceIdOf(request);
  const line = {
    requestId,
    workspaceId,
    ...operatorOf(request),
    method,
    route,
    status,
    durationMs,
    problem,
    ...traceIdsOf(request.span),
  };
  endOfRequest(request.span, { requestId, workspaceId, route, method, status, scheme: request.protocol });
  if (reason === null || reason === undefined) logger.info(line, 'request');
  else logger.warn({ ...line, reason }, 'request');
  metrics?.answered({ method, route, status, durationSeconds: durationMs / 1000, problem });
}

/** The operator; nothing on the public listener. */
function operatorOf({ caller }: FastifyRequest): { readonly operator?: string } {
  return caller?.kind === 'operator' ? { operator: caller.operator.name } : {};
}

/** The workspace of the request; null if it has none. */
export function workspaceIdOf({ caller }: FastifyRequest): number | null {
  return caller?.kind === 'apiKey' ? caller.workspaceId : null;
}
