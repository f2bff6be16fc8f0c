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
import type { DeclaredEndpoint } from './endpoint.js';
import type { Feature } from './endpoint-spec.js';
import type { RequestClaims } from './idempotency.js';
import { parseJsonBodies } from './json-body.js';
import { nestLogger, type Logger } from './log.js';
import { madeEndpoints } from './made-endpoints.js';
import type { RequestMetrics } from './metrics.js';
import { keepRoutes, mountEndpoint, type Mounting } from './mount-endpoints.js';
import { headerComponents } from './openapi-headers.js';
import { openApiDocument, type OpenApiOptions } from './openapi.js';
import { ProblemFilter } from './problem-filter.js';
import { pathOf, RequestRefused } from './problem.js';
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
  /** The callers that are admitted besides the public; an endpoint for another caller fails at start. */
  readonly callers: AdmittedCallers;
  /** Below this path pages answer browsers, also if its percent-encoding is malformed; absent: there are no pages. */
  readonly pagesBelow?: string;
  /** An unknown caller is answered 401 before 404, so that routes are not revealed. */
  readonly hidesRoutes?: boolean;
  readonly readiness: ReadinessReporter;
  readonly logger: Logger;
  readonly metrics?: RequestMetrics;
  /** Traces each request; absent or null: no tracing. */
  readonly tracing?: Tracing | null;
  /** Prefix of problem types in v2, without a trailing slash. */
  readonly docsUrl: string;
  /**
   * The contents of the OpenAPI document besides the endpoints; absent: neither the document nor its page is served.
   */
  readonly published?: OpenApiOptions;
  /** Origins that browsers may call from; empty: none, and OPTIONS is 405. */
  readonly corsOrigins?: readonly string[];
  /** The timeout for the head of a request, and then for its body, in ms; default 30 s. */
  readonly requestTimeoutMs?: number;
  /** Some bodies are streamed: they have no timeout. */
  readonly takesStreams?: boolean;
  /** The budget of incoming bodies of callers with a key or token; default 32 MiB per key and 128 MiB in total. */
  readonly bodyBounds?: BodyBounds;
  /** The limits for clients that do not read; default 30 s and 64 MiB in total. */
  readonly connectionBounds?: ConnectionBounds;
  /** Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted, as CIDRs; default none. */
  readonly trustedProxies?: readonly string[];
  /** The rate limit of each API key; absent or null: unlimited (OP-05). */
  readonly rateLimit?: RateLimit | null;
  /** Monotonic time of the rate limit, in ms. */
  readonly nowMs?: () => number;
  /** Claims the Idempotency-Keys of POST requests; absent: the header is ignored (OP-66). */
  readonly claims?: RequestClaims;
  /** Sends messages of these endpoints for callers inside the service; absent: none. */
  readonly dispatcher?: Pick<Dispatcher, 'serve' | 'end'>;
  /**
   * Rejects with the refusal if a workspace does not have this feature; absent: every workspace has every feature.
   */
  readonly requireFeature?: (workspaceId: number, feature: Feature) => Promise<void>;
  /** The deprecation date of deprecated endpoints; default: the beginning of 2026 (OP-68). */
  readonly deprecatedSince?: Date;
  /** Announced on deprecated endpoints. */
  readonly sunsetDate?: Date | null;
  /** Resolves when `close` has waited long enough for running requests; default: a few seconds. */
  readonly closePatience?: () => Promise<unknown>;
  /** Runs the handling of a request in the context of its workspace. */
  readonly inWorkspace?: Mounting['inWorkspace'];
  /** Answers 500 if a success body does not satisfy its declaration: for tests. */
  readonly verifyResponses?: boolean;
};

export type HttpApp = {
  readonly nest: NestFastifyApplication;
  /** All endpoints. */
  readonly endpoints: readonly DeclaredEndpoint[];
  /** Binds; port 0 takes a free port, which is in the result. */
  readonly listen: (port: number, host: string) => Promise<{ readonly port: number; readonly url: string }>;
  /** Stops accepting requests, lets running ones finish, and after a while aborts the rest. */
  readonly close: () => Promise<void>;
};

@Module({})
class HttpModule {}

const BODY_LIMIT_BYTES = 1024 * 1024;
// longer than the limit of Node for a request line, so that a long id is refused by the check of ids and not with 414
const LONGEST_PARAMETER = 65_536;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often connections are checked within the timeout. */
const LOOKS_IN_TIMEOUT = 6;
/** The default of Fastify. */
const KEEP_ALIVE_MS = 72_000;
const CONNECTION_BOUNDS: ConnectionBounds = { unreadMs: 30_000, bytesInAll: 64 * BODY_LIMIT_BYTES };
const DEPRECATED_SINCE = new Date('2026-01-01T00:00:00.000Z');
const BODY_BOUNDS: BodyBounds = { ofCaller: 32 * BODY_LIMIT_BYTES, inAll: 128 * BODY_LIMIT_BYTES };
const VISITOR_BOUNDS: BodyBounds = { ofCaller: 4 * BODY_LIMIT_BYTES, inAll: 32 * BODY_LIMIT_BYTES };

/** Combines Nest, Fastify and the endpoints; nothing listens yet. Throws for endpoints that cannot be compiled. */
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
    reserveBytes: bodyBudget(bodyBounds),
    reserveForVisitor: bodyBudget(VISITOR_BOUNDS),
    bodyDeadlines: bodyDeadlines(bodyWithinMs),
    logger,
    metrics: options.metrics ?? null,
    tracing: options.tracing ?? null,
    deprecation: {
      since: options.deprecatedSince ?? DEPRECATED_SINCE,
      sunset: options.sunsetDate ?? null,
      routes,
    },
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

/** The maximum number of buckets of each kind, about 100 bytes per bucket. */
const MOST_CALLERS = 20_000;

function rateLimitsOf({ rateLimit, nowMs = () => performance.now() }: HttpAppOptions): RateLimits | null {
  if (rateLimit === undefined || rateLimit === null) return null;
  // separate, so that unknown callers with many addresses do not evict the buckets of API keys
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
    pagesBelow,
  } = options;
  const { logger, metrics } = lifecycle;
  const connections = createConnections(connectionBounds, (cut) => {
    metrics?.cut(cut.reason);
    logger.info(cut, 'a connection was cut: its client did not read');
  });
  const clientErrorHandler = answerBrokenRequest(docsUrl, logger, connections);
  // not Fastify's own: it creates further servers if a host name has several addresses, and those need the limits too
  const serverFactory = (carryOut: RequestListener): Server => {
    const server = createServer(
      {
        requireHostHeader: false,
        connectionsCheckingInterval: Math.ceil(bodyWithinMs / LOOKS_IN_TIMEOUT),
        headersTimeout: bodyWithinMs,
        // Data that nothing waits for any more, such as the body of a refused request, has a timeout too.
        requestTimeout: takesStreams ? 0 : 2 * bodyWithinMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      connections.inTurn(carryOut),
    );
    // Node would silently drop excess headers; they are counted where they can be refused
    server.maxHeadersCount = 0;
    connections.watch(server);
    server.on('clientError', clientErrorHandler);
    // Node would answer 417 by itself; an unknown expectation may be ignored
    server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
    return server;
  };
  const server: FastifyHttpOptions<RawServerDefault> = {
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory,
    // the servers have their own handler
    clientErrorHandler: () => undefined,
    ...(trustedProxies.length === 0 ? {} : { trustProxy: addressesIn(trustedProxies) }),
    // running requests are finished and answered when the service stops
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    // RFC 9112: a server also accepts the absolute form
    rewriteUrl: ({ url = '/' }) => {
      const address = url.startsWith('/') ? url : url.replace(ABSOLUTE_FORM, '') || '/';
      return pagesBelow !== undefined && address.startsWith(pagesBelow) ? wellEncoded(address) : address;
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER },
    // a request that the router itself refuses (%ZZ) runs no hook
    frameworkErrors: (_error, request, reply) => {
      // it has no route, but the caller is authenticated first as for every request
      lifecycle.admission.admitUnroutable(request, badPath(), (refusal) => {
        stampHeaders(request, reply, lifecycle.deprecation, null);
        filter.answer(refusal, request, reply);
        noteAnswer(request, reply, lifecycle);
      });
    },
  };
  // no Nest middleware is used; without it a request needs one hook less
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

/** The address of a page; a path that is not valid percent-encoding is taken for a text, so that it has a route. */
function wellEncoded(address: string): string {
  const path = pathOf(address);
  try {
    decodeURIComponent(path);
    return address;
  } catch {
    return path.replaceAll('%', '%25') + address.slice(path.length);
  }
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
      'Last-Event-ID',
      'Prefer',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
    ],
    // Scripts of a page read what the reference names.
    exposedHeaders: Object.keys(headerComponents),
    strictPreflight: false,
    maxAge: 600,
  });
}
