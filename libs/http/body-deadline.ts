import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestRefused } from './problem.js';

/** The body of a request that did not come: the connection cannot be used for another one. */
export function lateBody(): RequestRefused {
  return new RequestRefused({
    status: 408,
    detail: 'The body of the request did not arrive in time.',
    headers: { Connection: 'close' },
  });
}

/** Refuses a request whose body is not whole so long after its head; whoever is answered before stops the clock. */
export function requireBodyWithin(ms: number, request: FastifyRequest, reply: FastifyReply): void {
  request.bodyDeadline = setTimeout(() => {
    if (!request.raw.complete && !reply.sent) void reply.send(lateBody());
  }, ms);
}
