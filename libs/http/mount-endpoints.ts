import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Tracing } from '#kernel/ports/tracing.port.js';
import { keptAnswer } from './answers-kept.js';
import type { AdmittedCallers } from './callers.js';
import {
  compileEndpoint,
  prepareRequest,
  readParams,
  successStatuses,
  type CompiledEndpoint,
  type RawRequest,
} from './compiled-endpoint.js';
import type { BrowserHeaders, MadeEndpoint } from './endpoint.js';
import { requestHashOf, stillRunning, tooManyKeys, type RequestClaims } from './idempotency.js';
import { ignoredFieldsReader } from './ignored-fields.js';
import { jsonOf, passStreams } from './json-body.js';
import type { MountedRoute } from './mounted-route.js';
import type { ArrivedBody } from './raw-body.js';
import { wantsStrictHandling } from './preferences.js';
import { Reply } from './reply.js';
import { workspaceIdOf } from './request-lifecycle.js';
import type { RouteTable } from './route-table.js';
import type { Waiting } from './waiting.js';

export type Mounting = {
  readonly callers: AdmittedCallers;
  /** null: keys are ignored. */
  readonly claims: RequestClaims | null;
  /** For a body whose endpoint has no limit of its own. */
  readonly bodyLimitBytes: number;
  /** Answers 500 if a success body does not satisfy its declaration: for tests. */
  readonly verifyResponses: boolean;
  /** Traces the work for a request. */
  readonly tracing: Tracing | null;
  /** Delays the answers of polls that ask to wait. */
  readonly waiting: Waiting;
  /** Runs this work in the context of the workspace. */
  readonly inWorkspace: <Result>(workspaceId: number, work: () => Result) => Result;
};

/** Records all routes; throws for a route without a declared caller. */
export function keepRoutes(fastify: FastifyInstance, routes: RouteTable): void {
  fastify.addHook('onRoute', (route) => {
    // preflight requests carry no credentials and are answered before their route
    if (route.method === 'OPTIONS') return;
    if (route.config?.mounted === undefined) {
      throw new Error(`${String(route.method)} ${route.url} does not declare who may call it`);
    }
    const { deprecated } = route.config.mounted.compiled.declared;
    for (const method of [route.method].flat()) routes.add(method, route.url, deprecated?.successor ?? null);
  });
}

/**
 * Mounts an endpoint on its routes. Fastify calls it without Nest's chain around the handler (guards, pipes,
 * interceptors), which would cost a tenth of a request. Throws for an endpoint that cannot be compiled and for one
 * whose callers are not admitted here.
 */
export function mountEndpoint(fastify: FastifyInstance, endpoint: MadeEndpoint, mounting: Mounting): void {
  const { declared } = endpoint;
  const { method, paths, caller, body, bodyLimitBytes = mounting.bodyLimitBytes } = declared;
  if (caller !== 'public' && mounting.callers[caller] === undefined) {
    throw new Error(`${method} ${paths.join()} is for ${caller}, whom this listener does not let in`);
  }
  if (typeof body === 'object' && body.streamed !== null) passStreams(fastify, body.streamed.mediaType);
  const compiled = compileEndpoint(declared);
  const handler = handlerOf(compiled, endpoint.handle, mounting);
  for (const url of paths) {
    const mounted: MountedRoute = { compiled, path: url, bodyLimitBytes };
    const route: RouteOptions = { method, url, config: { mounted }, handler, bodyLimit: bodyLimitBytes };
    fastify.route(route);
  }
}

/** Handles an admitted request with its body. */
function handlerOf(
  compiled: CompiledEndpoint,
  handle: MadeEndpoint['handle'],
  { claims, inWorkspace, tracing, verifyResponses, waiting }: Mounting,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const { declared } = compiled;
  const { kept, status = 200 } = declared;
  const requireDeclared = verifyResponses ? refuseUndeclared(compiled) : () => undefined;
  const answered = kept === true ? keptAnswer(answerOf) : verifyResponses ? answerOf : handle;

  async function answerOf(request: unknown): Promise<unknown> {
    const answer = await handle(request);
    if (answer instanceof Reply) requireDeclared(answer.status ?? status, answer.data);
    else requireDeclared(status, answer);
    return answer;
  }

  async function carryOut(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { caller } = request;
    if (caller === null) throw new Error('nobody was let in');
    if (declared.browsersTo !== undefined) {
      void reply.header('vary', 'Accept');
      if (isBrowser(request)) return reply.code(303).header('location', declared.browsersTo).send();
    }
    const prepared = prepareRequest(compiled, rawRequest(request, declared.headers), caller);
    const answer =
      declared.isRunning === undefined
        ? await answered(prepared)
        : await waiting.lastAnswer(
            { again: async () => answered(prepared), isRunning: (now) => declared.isRunning?.(now) === true },
            request,
            reply,
          );
    const said = answer instanceof Reply ? answer : null;
    void reply.code(said?.status ?? status);
    if (said !== null) void reply.headers(said.headers);
    return said === null ? answer : said.data;
  }

  /** Answers a request with an Idempotency-Key: executed, or replayed. */
  async function carryOutOnce(key: string, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { caller, method, id: requestId } = request;
    if (claims === null || caller?.kind !== 'apiKey') throw new Error('nothing to claim');
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
        return claimed.within(() => carryOut(request, reply));
      case 'running':
        throw stillRunning();
      case 'full':
        throw tooManyKeys(claimed.retryAfterSeconds);
      case 'answered': {
        const { answer } = claimed;
        void reply.code(answer.status).headers({ ...answer.headers, 'idempotency-replayed': 'true' });
        // bytes, because Fastify adds a charset to the type of a text
        return Buffer.from(answer.body);
      }
    }
  }

  const judgeFields = ignoredFieldsJudge(compiled);
  // Fastify also answers errors thrown before there is a promise.
  return (request, reply) => {
    const { idempotencyKey: key } = request;
    const work = (): Promise<unknown> => {
      judgeFields(request, reply);
      return key === null ? carryOut(request, reply) : carryOutOnce(key, request, reply);
    };
    const workspaceId = workspaceIdOf(request);
    const served = (): Promise<unknown> => (workspaceId === null ? work() : inWorkspace(workspaceId, work));
    const { span } = request;
    return tracing === null || span === null ? served() : tracing.within(span, served);
  };
}

const isBrowser = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html');

/**
 * Names the ignored fields on the answer; throws if the caller wants them refused. It runs before a key is claimed,
 * because such a refusal is no answer to the request.
 */
function ignoredFieldsJudge({ declared }: CompiledEndpoint) {
  if (declared.caller !== 'apiKey') return () => undefined;
  const ignoredIn = ignoredFieldsReader(declared);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const body = request.body as ArrivedBody;
    const sent = body !== undefined && 'value' in body ? body.value : undefined;
    const ignored = ignoredIn(request.query as RawRequest['query'], sent);
    if (ignored.header !== null) void reply.header('ignored-fields', ignored.header);
    if (!wantsStrictHandling(request.headers['prefer'])) return;
    void reply.header('preference-applied', 'handling=strict');
    // Path parameters are checked first (OP-01).
    readParams(declared.params ?? {}, request.params as RawRequest['params']);
    const refusal = ignored.refusal();
    if (refusal !== null) throw refusal;
  };
}

function rawRequest(request: FastifyRequest, headers: readonly string[] = NO_HEADERS): RawRequest {
  const traceparent = request.span?.traceparent ?? request.headers['traceparent'];
  return {
    requestId: request.id,
    params: request.params as RawRequest['params'],
    query: request.query as RawRequest['query'],
    body: request.body as ArrivedBody,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    claim: request.claim,
    accept: request.headers.accept ?? '',
    lastEventId: lastEventIdOf(request),
    browser: browserOf(request),
    headers: headers.length === 0 ? NONE : headersOf(request, headers),
  };
}

const NO_HEADERS: readonly string[] = [];
const NONE: RawRequest['headers'] = {};

const headersOf = (request: FastifyRequest, names: readonly string[]): RawRequest['headers'] =>
  Object.fromEntries(names.map((name) => [name, request.headers[name]?.toString()]));

function browserOf({ headers, method, protocol, url }: FastifyRequest): BrowserHeaders {
  const { cookie = '', origin = null, host = '' } = headers;
  const isEncrypted = protocol === 'https';
  return { isHead: method === 'HEAD', cookie, origin, host, address: url, isEncrypted };
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function refuseUndeclared({ declared, isResponse }: CompiledEndpoint) {
  const { otherTypes = [] } = declared;
  return (status: number, body: unknown): void => {
    // A text has no schema.
    if (otherTypes.length > 0 && body instanceof Readable) return;
    if (successStatuses(declared).includes(status) && isResponse(body)) return;
    throw new Error(`${declared.method} ${declared.paths.join()}: the answer is not what was declared`);
  };
}
