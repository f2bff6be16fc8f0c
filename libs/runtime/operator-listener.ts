import { timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { UnreadableEvent } from '#kernel/events/event-codec.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { closeWithin } from '#http/close-within.js';
import type { Logger } from '#http/log.js';
import {
  notFound,
  problemDocument,
  problemOf,
  RequestRefused,
  slugOf,
  unauthorized,
  unavailable,
} from '#http/problem.js';
import { parseJsonBodies, type ParsedBody } from '#http/json-body.js';
import { requestIdFrom } from '#http/request-id.js';
import type { Readiness } from '#http/service-endpoints.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { exportCommands, operatorCommands, streamCommands } from '#ops/operator-commands.js';
import { runCommand, runExport } from '#ops/support/run-command.js';
import { listeningOn } from './listening-on.js';

export type OperatorListenerOptions = {
  readonly host: OperatorHost;
  readonly token: string;
  readonly docsUrl: string;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly logger: Logger;
};

const BODY_LIMIT_BYTES = 12 * 1024 * 1024;
const LOOPBACK = '127.0.0.1';

/**
 * The private listener: `POST /ops/<command>` and `GET /metrics`, on the loopback interface only, for whoever
 * has the operator token. It answers the health routes to everybody, for a worker has no other listener.
 */
export async function startOperatorListener(options: OperatorListenerOptions, port: number) {
  const { host, token, docsUrl, metrics, readiness, logger } = options;
  const expected = Buffer.from(sha256Hex(`Bearer ${token}`));
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    forceCloseConnections: 'idle',
  });
  parseJsonBodies(app);
  for (const { contentType } of streamCommands) {
    // Read as it comes, whatever its size: the command takes it in pieces.
    app.addContentTypeParser(contentType, { bodyLimit: Number.MAX_SAFE_INTEGER }, (_request, payload, done) =>
      done(null, payload),
    );
  }

  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    // Operators are told which record it is.
    const problem = error instanceof UnreadableEvent ? unavailable(error.message).problem : problemOf(error);
    if (problem.status >= 500)
      logger.error(
        { err: error, requestId: request.id, problem: slugOf(problem) },
        'operator command failed',
      );
    void reply
      .status(problem.status)
      .headers({ ...problem.headers, 'content-type': 'application/problem+json', 'x-request-id': request.id })
      .send(problemDocument(problem, { method: request.method, url: request.url }, docsUrl));
  };
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) =>
    refuse(notFound('There is no such operator command.'), request, reply),
  );
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (!app.server.listening) void reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    const { method, id: requestId } = request;
    const route = request.routeOptions.url ?? null;
    logger.info({ requestId, method, route, status: reply.statusCode, durationMs }, 'operator request');
  });
  app.addHook('onRequest', async (request) => {
    if (request.url.startsWith('/health/')) return;
    const given = Buffer.from(sha256Hex(request.headers.authorization ?? ''));
    if (!timingSafeEqual(given, expected)) throw unauthorized();
  });

  app.get('/health/live', () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    const { ready, degraded, reasons } = await readiness.report();
    if (!ready) throw unavailable('The service is not ready.', { reasons, degraded });
    return { status: 'ready', degraded };
  });
  app.get('/metrics', async (_request, reply) => {
    void reply.header('content-type', metrics.contentType);
    return metrics.metrics();
  });
  for (const command of operatorCommands) {
    app.post(`/ops/${command.name}`, async (request) => {
      const body = bodyOf(request.body);
      return runCommand(host, command, body, request.id);
    });
  }
  for (const command of streamCommands) {
    app.post(`/ops/${command.name}`, async (request) => {
      if (!isByteStream(request.body)) throw wrongBody(command.contentType);
      return command.run(host, request.body, () => undefined);
    });
  }
  for (const command of exportCommands) {
    app.post(`/ops/${command.name}`, async (request, reply) => {
      const { contentType, text } = runExport(host, command, bodyOf(request.body));
      const pieces = await text;
      return reply.header('content-type', contentType).send(Readable.from(pieces));
    });
  }
  await listeningOn(app.listen({ port, host: LOOPBACK }), 'OPS_PORT');
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    url: `http://${LOOPBACK}:${address.port}`,
    close: () => closeWithin(app.server, () => app.close()),
  };
}

/** The parsed JSON body; none is an empty object, but `null` is a body. */
function bodyOf(body: unknown): unknown {
  // A stream is what other commands take: read as no input it would pass for `{}`.
  if (isByteStream(body)) throw wrongBody('application/json');
  const value = (body as ParsedBody | undefined)?.value;
  return value === undefined ? {} : value;
}

function wrongBody(takes: string): RequestRefused {
  return new RequestRefused({ status: 400, place: 'body', detail: `The body must be ${takes}.` });
}

function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
