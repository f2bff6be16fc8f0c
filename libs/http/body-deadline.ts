import type { FastifyReply } from 'fastify';
import { RequestRefused } from './problem.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where its body is waited for; null where it is not. */
    bodyPlace: number | null;
  }
}

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

/** Bodies must be whole so long after the heads of their requests, in ms. One timer does for all of them. */
export function bodyDeadlines(withinMs: number): BodyDeadlines {
  // Places that are used again, and no Set: what a Set outgrows leads to what it holds next, and one old table of
  // it would keep every request that came since from being collected young.
  const places: (FastifyReply | null)[] = [];
  const free: number[] = [];
  let timer: NodeJS.Timeout | null = null;
  const lookIn = (ms: number): void => {
    timer ??= setTimeout(look, ms).unref();
  };

  function leave({ request }: FastifyReply): void {
    const { bodyPlace } = request;
    if (typeof bodyPlace !== 'number') return;
    request.bodyPlace = null;
    places[bodyPlace] = null;
    free.push(bodyPlace);
  }

  function look(): void {
    timer = null;
    let nextMs = Infinity;
    for (const reply of places) {
      if (reply === null) continue;
      const leftMs = withinMs - reply.elapsedTime;
      if (leftMs > 0) {
        nextMs = Math.min(nextMs, leftMs);
        continue;
      }
      leave(reply);
      if (!reply.request.raw.complete && !reply.sent) void reply.send(lateBody());
    }
    if (nextMs < Infinity) lookIn(nextMs);
  }

  return {
    start: (reply) => {
      const place = free.pop() ?? places.length;
      places[place] = reply;
      reply.request.bodyPlace = place;
      lookIn(withinMs);
    },
    over: leave,
  };
}
