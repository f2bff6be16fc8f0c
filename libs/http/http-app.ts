import { createServer, type RequestListener, type Server } from 'node:http';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, RawServerDefault } from 'fastify';
import type { Tracing } from '#kernel/ports/tracing.port.js';
import { installKeptAnswers } from './answers-kept.js';
import { installAnswersTogether } from './answers-together.js';
import { createAdmission, type RateLimits } from './admission.js';
import { bodyBudget, type BodyBounds } from './body-budget.js';
import { bodyDeadlines } from './body-deadline.js';
import { answerBrokenRequest } from './broken-request.js';
import type { AdmittedCallers } from './callers.js';
import { createWaiting } from './waiting.js';
import { closeWithin } from './close-within.js';
import { installCompressedPages } from './compressed-pages.js';
import { installHeadStreams } from './head-streams.js';
import { createConnections, type ConnectionBounds } from './connections.js';
import type { Dispatcher } from './dispatcher.js';
import type { DeclaredEndpoint, Feature } from './endpoint.js';
import type { RequestClaims } from './idempotency.js';
import { parseJsonBodies } from './json-body.js';
import { nestLogger, type Logger } from './log.js';
import { madeEndpoints } from './made-endpoints.js';
import type { RequestMetrics } from './metrics.js';
import { keepRoutes, mountEndpoint, type Mounting } from './mount-endpoints.js';
import { openApiDocument, type OpenApiOptions } from './openapi.js';
import { ProblemFilter } from './problem-filter.js';
import { RequestRefused } from './problem.js';
import { createRateLimit, type RateLimit } from './rate-limit.js';
import { requestIdFrom } from './request-id.js';
import { installLifecycle, noteAnswer, stampHeaders, type Lifecycle } from './request-lifecycle.js';
import { RouteTable } from './route-table.js';
import { addressesIn } from './client-addresses.js';
import {
  documentationEndpoints,
  healthEndpoints,
  OPEN_API_DOCUMENT,
  READINESS,
  type ReadinessReporter,
} from './service-endpoints.js';

export type HttpAppOptions = {
  /** Module that lists the endpoints as `controllers`, directly or through imports. */
  readonly rootModule: Type | DynamicModule;
  /** Who is let in besides the public; an endpoint for anybody else does not start. */
  readonly callers: AdmittedCallers;
  /** A stranger is answered 401 before 404: not even the routes are told. */
  readonly hidesRoutes?: boolean;
  readonly readiness: ReadinessReporter;
  readonly logger: Logger;
  readonly metrics?: RequestMetrics;
  /** Who follows each request; absent or null: nobody. */
  readonly tracing?: Tracing | null;
  /** Start of problem types in v2, without slash at the end. */
  readonly docsUrl: string;
  /** What the OpenAPI document says beside the endpoints; absent: neither it nor a page of it is served. */
  readonly published?: OpenApiOptions;
  /** Origins that browsers may call from; empty: none, and OPTIONS is 405. */
  readonly corsOrigins?: readonly string[];
  /** How long the head of a request may take to arrive, and then its body, in ms; 30 s when absent. */
  readonly requestTimeoutMs?: number;
  /** Some bodies are streamed: they take as long as their sender does. */
  readonly takesStreams?: boolean;
  /** Room for bodies on their way; 32 MiB a key and 128 MiB in all when absent. */
  readonly bodyBounds?: BodyBounds;
  /** What may wait for clients that do not read; 30 s and 64 MiB in all when absent. */
  readonly connectionBounds?: ConnectionBounds;
  /** Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed, as CIDRs; nobody's when absent. */
  readonly trustedProxies?: readonly string[];
  /** How much each API key may ask for; absent or null: as much as it likes (OP-05). */
  readonly rateLimit?: RateLimit | null;
  /** Monotonic time of the rate limit, in ms. */
  readonly nowMs?: () => number;
  /** Who answers for the Idempotency-Keys of POST requests; absent: the header is ignored (OP-66). */
  readonly claims?: RequestClaims;
  /** Sends messages of these endpoints for callers inside the service; absent: nobody does. */
  readonly dispatcher?: Pick<Dispatcher, 'serve' | 'end'>;
  /** Rejects with why a workspace may not, where it has not this feature; absent: every workspace has every one. */
  readonly requireFeature?: (workspaceId: number, feature: Feature) => Promise<void>;
  /** Since when deprecated endpoints are; the beginning of 2026 when absent (OP-68). */
  readonly deprecatedSince?: Date;
  /** Announced on deprecated endpoints. */
  readonly sunsetDate?: Date | null;
  /** Resolves when `close` has waited long enough for requests under way; a few seconds when absent. */
  readonly closePatience?: () => Promise<unknown>;
  /** Runs the handling of a request as one of its workspace: for what depends on it without being told. */
  readonly inWorkspace?: Mounting['inWorkspace'];
  /** Makes a success body that does not meet its declaration a 500: for tests. */
  readonly verifyResponses?: boolean;
};

export type HttpApp = {
  readonly nest: NestFastifyApplication;
  /** Every endpoint there is. */
  readonly endpoints: readonly DeclaredEndpoint[];
  /** Binds; port 0 takes a free one, which is in the answer. */
  readonly listen: (port: number, host: string) => Promise<{ readonly port: number; readonly url: string }>;
  /** Stops accepting, lets running requests finish, and after a while ends those that do not. */
  readonly close: () => Promise<void>;
};

@Module({})
class HttpModule {}

const BODY_LIMIT_BYTES = 1024 * 1024;
// longer than Node lets a request line be, so that a long id meets the check of ids and not a 414
const LONGEST_PARAMETER = 65_536;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
const REQUEST_TIMEOUT_MS = 30_000;
/** Connections are looked at for one that is over it so often in that time. */
const LOOKS_IN_TIMEOUT = 6;
/** As Fastify would have it. */
const KEEP_ALIVE_MS = 72_000;
const CONNECTION_BOUNDS: ConnectionBounds = { unreadMs: 30_000, bytesInAll: 64 * BODY_LIMIT_BYTES };
const DEPRECATED_SINCE = new Date('2026-01-01T00:00:00.000Z');
const BODY_BOUNDS: BodyBounds = { ofCaller: 32 * BODY_LIMIT_BYTES, inAll: 128 * BODY_LIMIT_BYTES };

/** Puts Nest, Fastify and the endpoints together; nothing listens yet. Throws for endpoints that cannot be compiled. */
export async function createHttpApp(options: HttpAppOptions): Promise<HttpApp> {
  const { callers, docsUrl, logger, corsOrigins = [], claims = null, bodyBounds = BODY_BOUNDS } = options;
  const routes = new RouteTable();
  const endpoints: DeclaredEndpoint[] = [];
  const bodyWithinMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const lifecycle: Lifecycle = {
    admission: createAdmission({
      callers,
      hidesRoutes: options.hidesRoutes ?? false,
      rateLimits: rateLimitsOf(options),
      readsIdempotencyKeys: claims !== null,
      routes,
      requireFeature: options.requireFeature ?? (async () => undefined),
    }),
    takeRoom: bodyBudget(bodyBounds),
    bodyDeadlines: bodyDeadlines(bodyWithinMs),
    logger,
    metrics: options.metrics ?? null,
    tracing: options.tracing ?? null,
    deprecation: { since: options.deprecatedSince ?? DEPRECATED_SINCE, sunset: options.sunsetDate ?? null },
  };
  const filter = new ProblemFilter(docsUrl, logger);
  const adapter = createAdapter(lifecycle, filter, bodyWithinMs, options);
  const fastify = adapter.getInstance();
  keepRoutes(fastify, routes);
  const nest = await NestFactory.create<NestFastifyApplication>(httpModule(options, endpoints), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLogger(logger),
  });
  nest.useGlobalFilters(filter);
  if (corsOrigins.length > 0) allowOrigins(nest, corsOrigins);
  await nest.init();
  const waiting = createWaiting();
  const made = madeEndpoints(nest);
  options.dispatcher?.serve(made, waiting);
  for (const endpoint of made) {
    mountEndpoint(fastify, endpoint, {
      callers,
      claims,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      verifyResponses: options.verifyResponses ?? false,
      tracing: lifecycle.tracing,
      waiting,
      inWorkspace: options.inWorkspace ?? ((_workspaceId, work) => work()),
    });
    endpoints.push(endpoint.declared);
  }
  await fastify.ready();
  return {
    nest,
    endpoints,
    listen: async (port, host) => {
      await nest.listen(port, host);
      const address = nest.getHttpServer().address();
      if (address === null || typeof address === 'string') throw new Error('not listening on a port');
      const named = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      return { port: address.port, url: `http://${named}:${address.port}` };
    },
    close: () => {
      options.dispatcher?.end();
      return closeWithin(nest.getHttpServer(), () => nest.close(), options.closePatience);
    },
  };
}

/** Buckets at most that are remembered of each kind, 100 bytes or so a bucket. */
const MOST_CALLERS = 20_000;

function rateLimitsOf({ rateLimit, nowMs = () => performance.now() }: HttpAppOptions): RateLimits | null {
  if (rateLimit === undefined || rateLimit === null) return null;
  // apart: strangers with many addresses must not push out the buckets of callers who have a key
  return {
    ofKeys: createRateLimit(rateLimit, MOST_CALLERS, nowMs),
    ofAddresses: createRateLimit(rateLimit, MOST_CALLERS, nowMs),
  };
}

function createAdapter(
  lifecycle: Lifecycle,
  filter: ProblemFilter,
  bodyWithinMs: number,
  options: HttpAppOptions,
): FastifyAdapter {
  const {
    docsUrl,
    takesStreams = false,
    connectionBounds = CONNECTION_BOUNDS,
    trustedProxies = [],
  } = options;
  const { logger, metrics } = lifecycle;
  const connections = createConnections(connectionBounds, (cut) => {
    metrics?.cut(cut.reason);
    logger.info(cut, 'a connection was cut: its client did not read');
  });
  const clientErrorHandler = answerBrokenRequest(docsUrl, logger, connections);
  // not Fastify's own: it makes further ones where a host name has several addresses, and those are bounded too
  const serverFactory = (carryOut: RequestListener): Server => {
    const server = createServer(
      {
        requireHostHeader: false,
        connectionsCheckingInterval: Math.ceil(bodyWithinMs / LOOKS_IN_TIMEOUT),
        headersTimeout: bodyWithinMs,
        // What nobody waits for any more, such as the body of a request that was refused, ends as well.
        requestTimeout: takesStreams ? 0 : 2 * bodyWithinMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      connections.inTurn(carryOut),
    );
    // Node would leave out in silence what is too many; they are counted where they can be refused
    server.maxHeadersCount = 0;
    connections.watch(server);
    server.on('clientError', clientErrorHandler);
    // Node would answer 417 by itself; an expectation that nobody meets may be ignored
    server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
    return server;
  };
  const server: FastifyHttpOptions<RawServerDefault> = {
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory,
    // the servers have theirs
    clientErrorHandler: () => undefined,
    ...(trustedProxies.length === 0 ? {} : { trustProxy: addressesIn(trustedProxies) }),
    // what is under way when the service stops is finished and answered
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    // RFC 9112: a server takes the absolute form too
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/') ? url : url.replace(ABSOLUTE_FORM, '') || '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER },
    // what the router itself refuses (%ZZ) runs no hook
    frameworkErrors: (_error, request, reply) => {
      // no route can be told from it, but who asks is asked first as everywhere
      lifecycle.admission.admitUnroutable(request, badPath(), (refusal) => {
        stampHeaders(request, reply, lifecycle.deprecation);
        filter.answer(refusal, request, reply);
        noteAnswer(request, reply, lifecycle);
      });
    },
  };
  // no Nest middleware is used; without it a request saves a hook
  const adapter = new FastifyAdapter({ ...server, skipMiddie: true });
  const fastify = adapter.getInstance();
  parseJsonBodies(fastify);
  installLifecycle(fastify, lifecycle);
  installKeptAnswers(fastify);
  installCompressedPages(fastify);
  installHeadStreams(fastify);
  installAnswersTogether(fastify);
  return adapter;
}

function badPath(): RequestRefused {
  return new RequestRefused({
    status: 400,
    place: 'path',
    detail: 'The path is not valid percent-encoding.',
  });
}

function httpModule(
  { rootModule, readiness, published }: HttpAppOptions,
  endpoints: readonly DeclaredEndpoint[],
): DynamicModule {
  let document: object | null = null;
  return {
    module: HttpModule,
    imports: [rootModule],
    controllers: [...healthEndpoints, ...(published === undefined ? [] : documentationEndpoints)],
    providers: [
      { provide: READINESS, useValue: readiness },
      ...(published === undefined
        ? []
        : [
            {
              provide: OPEN_API_DOCUMENT,
              useValue: () => (document ??= openApiDocument(endpoints, published)),
            },
          ]),
    ],
  };
}

function allowOrigins(nest: NestFastifyApplication, origins: readonly string[]): void {
  nest.enableCors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'X-Request-Id',
      'Idempotency-Key',
      'Prefer',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
    ],
    exposedHeaders: [
      'X-Request-Id',
      'X-Response-Time',
      'X-Total-Count',
      'X-Page',
      'X-Page-Size',
      'X-Page-Count',
      'Retry-After',
      'Idempotency-Replayed',
      'Ignored-Fields',
      'Preference-Applied',
      'Next-Cursor',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Deprecation',
      'Link',
      'Sunset',
    ],
    strictPreflight: false,
    maxAge: 600,
  });
}
