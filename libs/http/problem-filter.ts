import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UnreadableEvent } from '#kernel/events/event-codec.js';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import { traceIdsOf } from '#kernel/ports/tracing.port.js';
import { firstCharacters } from '#kernel/values/first-characters.js';
import type { Logger } from './log.js';
import { mountedRoute } from './mounted-route.js';
import { problemDocument, problemOf, slugOf, unavailable, type Problem } from './problem.js';

/** Converts all errors into answers, from a hook, the framework or a handler. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly docsUrl: string,
    private readonly logger: Logger,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent) return;
    const hungUp = isHangUp(request, error);
    const problem = hungUp ? BODY_CUT_OFF : problemFor(request, error);
    const line = { requestId: request.id, ...traceIdsOf(request.span) };
    if (problem.status >= 500) request.span?.fail(error);
    if (hungUp) this.logger.info(line, 'the client hung up');
    else if (problem.status === 500) this.logger.error({ ...line, err: error }, 'the request failed');
    else if (problem.status > 500) request.reason = firstCharacters(String(messageOf(error)), LONGEST_REASON);
    request.problem = slugOf(problem);
    const url = request.raw.url ?? '/';
    void reply.code(problem.status).headers(problem.headers ?? {});
    const page = mountedRoute(request)?.compiled.declared.problemPage?.(problem);
    if (page !== undefined) {
      void reply.headers(page.headers).send(page.data);
      return;
    }
    void reply
      .header('content-type', 'application/problem+json')
      // bytes, because Fastify adds a charset to the type of a text, and problem documents have none
      .send(Buffer.from(problemDocument(problem, { method: request.method, url }, this.docsUrl)));
  }
}

const LONGEST_REASON = 300;

/** The caller is gone and does not receive it, but the log and the metrics include every request. */
const BODY_CUT_OFF: Problem = { status: 400, place: 'body', detail: 'The request ended before its body.' };

/** The connection was closed before the request was complete: no fault of the service. */
function isHangUp({ raw }: FastifyRequest, error: unknown): boolean {
  return (
    raw.destroyed && !raw.complete && error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  );
}

function messageOf(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}

/** Operators see which record cannot be read, because they have to act. */
function problemFor({ caller }: FastifyRequest, error: unknown): Problem {
  const isStoreFault = error instanceof UnreadableEvent || error instanceof StoreUnusable;
  const showsReason = caller?.kind === 'operator' && isStoreFault;
  return showsReason ? unavailable(error.message).problem : problemOf(error);
}
