import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Admission } from './admission.js';
import type { AdmittedCallers, Caller } from './callers.js';
import {
  compileEndpoint,
  prepareRequest,
  successStatuses,
  type CompiledEndpoint,
  type RawRequest,
} from './compiled-endpoint.js';
import type { DeclaredEndpoint } from './endpoint.js';
import {
  isKept,
  keptHeaders,
  requestHashOf,
  stillRunning,
  tooManyKeys,
  type ClaimedRequest,
  type RequestClaims,
} from './idempotency.js';
import { jsonOf, passStreams } from './json-body.js';
import type { Logger } from './log.js';
import type { RequestMetrics } from './metrics.js';
import { PAGE_SECURITY } from './page.js';
import type { RateLimitStanding } from './rate-limit.js';
import type { ArrivedBody } from './raw-body.js';
import { Reply } from './reply.js';
import type { RouteTable } from './route-table.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null as long as that is not known. */
    caller: Caller | null;
    /** What the handler gets. */
    endpointRequest: unknown;
    /** Slug of the problem that was answered. */
    problem: string | null;
    /** Where the caller stands with the rate limit; null where it was not asked. */
    rateLimit: RateLimitStanding | null;
    /** Its Idempotency-Key; null without one and where it has no meaning. */
    idempotencyKey: string | null;
    /** What it owns of its Idempotency-Key while it is carried out. */
    claim: ClaimedRequest | null;
  }
  interface FastifyContextConfig {
    endpoint?: DeclaredEndpoint;
    compiled?: CompiledEndpoint;
  }
}

export type Lifecycle = {
  readonly callers: AdmittedCallers;
  readonly admission: Admission;
  /** null: keys are ignored. */
  readonly claims: RequestClaims | null;
  readonly routes: RouteTable;
  readonly endpoints: Map<DeclaredEndpoint, CompiledEndpoint>;
  readonly logger: Logger;
  readonly metrics: RequestMetrics | null;
  readonly sunsetDate: Date | null;
  /** Success bodies that are not what was declared become 500: for tests. */
  readonly verifyResponses: boolean;
  /** Runs the rest of a request as a request of this workspace. */
  readonly inWorkspace: (workspaceId: number, proceed: () => void) => void;
};

/** What happens to every request around its handler, in the order of OP-01. */
export function installLifecycle(fastify: FastifyInstance, lifecycle: Lifecycle): void {
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('endpointRequest', null);
  fastify.decorateRequest('problem', null);
  fastify.decorateRequest('rateLimit', null);
  fastify.decorateRequest('idempotencyKey', null);
  fastify.decorateRequest('claim', null);
  fastify.addHook('onRoute', (route) => mountEndpoint(fastify, route, lifecycle));
  // before the body is read
  fastify.addHook('onRequest', (request, _reply, done) => {
    lifecycle.admission.admit(request, done);
  });
  fastify.addHook('preHandler', (request, _reply, done) => {
    const workspaceId = workspaceIdOf(request);
    if (workspaceId === null) done();
    else lifecycle.inWorkspace(workspaceId, done);
  });
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    try {
      done(null, successBody(request, reply, payload, lifecycle.verifyResponses));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { claim } = request;
    if (claim === null || claim === undefined) {
      stampHeaders(request, reply, lifecycle.sunsetDate);
      done(null, payload);
      return;
    }
    request.claim = null;
    // An effect that took place is answered as such, whether its answer could be kept or not.
    const answered = endClaim(claim, reply, payload).catch((error: unknown) => {
      lifecycle.logger.warn(
        { err: error, requestId: request.id },
        'the answer of a keyed request was not kept',
      );
    });
    void answered.then(() => {
      stampHeaders(request, reply, lifecycle.sunsetDate);
      done(null, payload);
    });
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    noteAnswer(request, reply, lifecycle);
    done();
  });
}

/** Throws for a route of which nobody said who may call it, and for one whose callers are not let in here. */
function mountEndpoint(fastify: FastifyInstance, route: RouteOptions, lifecycle: Lifecycle): void {
  const { endpoints, routes, callers } = lifecycle;
  const declared = route.config?.endpoint;
  if (declared === undefined) {
    // preflights carry no credentials and end before their route
    if (route.method === 'OPTIONS') return;
    throw new Error(`${String(route.method)} ${route.url} does not declare who may call it`);
  }
  const { caller: kind, body } = declared;
  if (kind !== 'public' && callers[kind] === undefined) {
    throw new Error(
      `${String(route.method)} ${route.url} is for ${kind}, whom this listener does not let in`,
    );
  }
  if (typeof body === 'object' && body.streamed !== null) passStreams(fastify, body.streamed);
  const compiled = endpoints.get(declared) ?? compileEndpoint(declared);
  endpoints.set(declared, compiled);
  route.config = { ...route.config, compiled };
  if (declared.bodyLimitBytes !== undefined) route.bodyLimit = declared.bodyLimitBytes;
  const prepare = (request: FastifyRequest, done: (error?: Error) => void): void => {
    try {
      const { caller } = request;
      if (caller === null) throw new Error('nobody was let in');
      request.endpointRequest = prepareRequest(compiled, rawRequest(request), caller);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
  route.preHandler = (request, reply, done) => {
    if (request.idempotencyKey === null) prepare(request, done);
    else
      claimKey(request, reply, lifecycle).then((claim) => claim?.within(() => prepare(request, done)), done);
  };
  for (const method of [route.method].flat()) routes.add(method, route.url);
}

/** Claims the key of a request, or answers it as it was answered before and gives null. */
async function claimKey(
  request: FastifyRequest,
  reply: FastifyReply,
  { claims }: Lifecycle,
): Promise<ClaimedRequest | null> {
  const { caller, idempotencyKey: key, method, id: requestId } = request;
  if (claims === null || caller?.kind !== 'apiKey' || key === null) throw new Error('nothing to claim');
  const claimed = await claims({
    workspaceId: caller.workspaceId,
    apiKeyId: caller.keyId,
    requestId,
    key,
    requestHash: requestHashOf(method, request.raw.url ?? '/', jsonOf(request.body as ArrivedBody).value),
  });
  switch (claimed.kind) {
    case 'claimed':
      request.claim = claimed;
      return claimed;
    case 'running':
      throw stillRunning();
    case 'full':
      throw tooManyKeys(claimed.retryAfterSeconds);
    case 'answered': {
      const { status, headers, body } = claimed.answer;
      // bytes, because Fastify adds a charset to the type of a text
      void reply
        .code(status)
        .headers({ ...headers, 'idempotency-replayed': 'true' })
        .send(Buffer.from(body));
      return null;
    }
  }
}

async function endClaim(claim: ClaimedRequest, reply: FastifyReply, payload: unknown): Promise<void> {
  const { statusCode } = reply;
  if (!isKept(statusCode)) return claim.release();
  const body = Buffer.isBuffer(payload)
    ? payload.toString('utf8')
    : typeof payload === 'string'
      ? payload
      : '';
  return claim.keep({ status: statusCode, headers: keptHeaders(reply.getHeaders()), body });
}

function rawRequest(request: FastifyRequest): RawRequest {
  const traceparent = request.headers['traceparent'];
  return {
    requestId: request.id,
    params: request.params as RawRequest['params'],
    query: request.query as RawRequest['query'],
    body: request.body as ArrivedBody,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    claim: request.claim,
    accept: request.headers.accept ?? '',
  };
}

function successBody(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  verify: boolean,
): unknown {
  const compiled = request.routeOptions.config.compiled;
  const isReply = payload instanceof Reply;
  if (isReply) {
    if (payload.status !== null) void reply.code(payload.status);
    void reply.headers(payload.headers);
  }
  const body: unknown = isReply ? payload.data : payload;
  if (verify && compiled !== undefined) {
    const { declared, isResponse } = compiled;
    // as the caller will read it: undefined members are gone
    if (
      !successStatuses(declared).includes(reply.statusCode) ||
      !isResponse(JSON.parse(JSON.stringify(body)))
    ) {
      throw new Error(`${declared.method} ${declared.paths.join()}: the answer is not what was declared`);
    }
  }
  return body;
}

/** Headers that every answer carries, whatever made it. */
export function stampHeaders(request: FastifyRequest, reply: FastifyReply, sunsetDate: Date | null): void {
  void reply
    .header('x-request-id', request.id)
    .header('x-response-time', `${reply.elapsedTime.toFixed(1)}ms`)
    .header('cache-control', 'no-store');
  // a connection that is kept would keep the stop
  if (!request.server.server.listening) void reply.header('connection', 'close');
  const { rateLimit } = request;
  if (rateLimit !== null && rateLimit !== undefined) {
    void reply
      .header('ratelimit-limit', String(rateLimit.limit))
      .header('ratelimit-remaining', String(rateLimit.remaining))
      .header('ratelimit-reset', String(rateLimit.resetSeconds));
  }
  const declared = request.routeOptions.config?.compiled?.declared;
  if (declared?.html === true) {
    void reply.header('vary', 'Accept');
    // a text that no handler gave a type
    if (String(reply.getHeader('content-type')).startsWith('text/plain')) {
      void reply.headers({ ...PAGE_SECURITY, 'content-type': 'text/html; charset=utf-8' });
    }
  }
  const deprecated = request.routeOptions.config?.compiled?.declared.deprecated;
  if (deprecated === undefined) return;
  void reply
    .header('deprecation', 'true')
    .header('link', `<${filled(deprecated.successor, request.params)}>; rel="successor-version"`);
  if (sunsetDate !== null) void reply.header('sunset', sunsetDate.toUTCString());
}

/** The path with its parameters as they were asked for; encoded again, they are any text. */
function filled(path: string, params: unknown): string {
  const given = params as RawRequest['params'];
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? ''));
}

/** One log line and one observation for each answer: never a key, a body or a query string. */
export function noteAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { logger, metrics }: Pick<Lifecycle, 'logger' | 'metrics'>,
): void {
  const { method, problem } = request;
  const status = reply.statusCode;
  const route =
    request.routeOptions.config?.compiled === undefined ? null : (request.routeOptions.url ?? null);
  const durationMs = Math.round(reply.elapsedTime * 10) / 10;
  logger.info(
    {
      requestId: request.id,
      workspaceId: workspaceIdOf(request),
      method,
      route,
      status,
      durationMs,
      problem,
    },
    'request',
  );
  metrics?.answered({ method, route, status, durationSeconds: durationMs / 1000, problem });
}

function workspaceIdOf({ caller }: FastifyRequest): number | null {
  return caller?.kind === 'apiKey' ? caller.workspaceId : null;
}
