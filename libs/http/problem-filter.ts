import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UnreadableEvent } from '#kernel/events/event-codec.js';
import { StoreUnusable } from '#kernel/ports/event-store.port.js';
import type { Logger } from './log.js';
import { problemDocument, problemOf, slugOf, unavailable, type Problem } from './problem.js';

/** The one place where errors become answers, whether a hook, the framework or a handler threw them. */
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
    const problem = problemFor(request, error);
    if (problem.status >= 500) {
      const level = problem.status === 500 ? 'error' : 'warn';
      this.logger[level]({ requestId: request.id, err: error }, 'the request failed');
    }
    request.problem = slugOf(problem);
    const url = request.raw.url ?? '/';
    void reply
      .code(problem.status)
      .headers(problem.headers ?? {})
      .header('content-type', 'application/problem+json')
      // bytes, because Fastify adds a charset to the type of a text, which problem documents do not have
      .send(Buffer.from(problemDocument(problem, { method: request.method, url }, this.docsUrl)));
  }
}

/** Operators are told which record cannot be read: it is theirs to act. */
function problemFor({ caller }: FastifyRequest, error: unknown): Problem {
  const tells = error instanceof UnreadableEvent || error instanceof StoreUnusable;
  const told = caller?.kind === 'operator' && tells;
  return told ? unavailable(error.message).problem : problemOf(error);
}
