import type { FastifyReply } from 'fastify';
import { RequestRefused } from './problem.js';

/** The body of a request that did not come: the connection cannot be used for another one. */
export function lateBody(): RequestRefused {
  return new RequestRefused({
    status: 408,
    detail: 'The body of the request did not arrive in time.',
    headers: { Connection: 'close' },
  });
}

/** Bodies that are waited for, each for as long as any. */
export type BodyDeadlines = {
  /** Refuses this request if its body is not whole in time. */
  readonly start: (reply: FastifyReply) => void;
  /** It is answered. */
  readonly over: (reply: FastifyReply) => void;
};

/** Bodies must be whole so long after the heads of their requests, in ms. */
export function bodyDeadlines(withinMs: number): BodyDeadlines {
  // Who came first is late first, so that one timer does for all of them.
  const waiting = new Set<FastifyReply>();
  let timer: NodeJS.Timeout | null = null;
  const lookIn = (ms: number): void => {
    timer = setTimeout(look, ms).unref();
  };

  function look(): void {
    timer = null;
    for (const reply of waiting) {
      const leftMs = withinMs - reply.elapsedTime;
      if (leftMs > 0) {
        lookIn(leftMs);
        return;
      }
      waiting.delete(reply);
      if (!reply.request.raw.complete && !reply.sent) void reply.send(lateBody());
    }
  }

  return {
    start: (reply) => {
      waiting.add(reply);
      if (timer === null) lookIn(withinMs);
    },
    over: (reply) => {
      waiting.delete(reply);
    },
  };
}
