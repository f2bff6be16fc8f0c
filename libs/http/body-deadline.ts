import type { FastifyReply } from 'fastify';
import { RequestRefused } from './problem.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The slot in which its body is awaited; null if it is not. */
    bodyPlace: number | null;
  }
}

/** The body of a request did not arrive: the connection cannot be used for another request. */
export function lateBody(): RequestRefused {
  return new RequestRefused({
    status: 408,
    detail: 'The body of the request did not arrive in time.',
    headers: { Connection: 'close' },
  });
}

/** The awaited bodies, all with the same time limit. */
export type BodyDeadlines = {
  /** Refuses this request if its body is not complete in time. */
  readonly start: (reply: FastifyReply) => void;
  /** Called when the request is answered. */
  readonly over: (reply: FastifyReply) => void;
};

/** Bodies must be complete within this time after the head of the request, in ms. One timer serves all of them. */
export function bodyDeadlines(withinMs: number): BodyDeadlines {
  // Reused slots instead of a Set: an outgrown table of a Set points to its successor, and one old table would keep
  // every later request out of the young generation's collection. Measured: the Set took 2 % of the processor time with one
  // request at a time, 25 % with fifty (docs/adr/0038).
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
